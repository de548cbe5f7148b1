"""Settings of the checks for personal data and secrets."""

import re
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, field_validator

from rag_gate.config_base import Settings
from rag_gate.detectors.severities import SEVERITIES
from rag_gate.records.pattern import compile_pattern

Ruling = Literal["fail", "warn", "ignore"]
RuleId = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{1,39}$")]


def _usable(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        compile_pattern(pattern)
    return patterns


class AllowList(Settings):
    """Values that the bot may show. They are compared in a canonical form: case, width, spaces and separators
    do not matter, and a telephone number is the same with and without its country's prefix.

    Attributes:
        emails: e-mail addresses.
        domains: whole domains of e-mail addresses, subdomains included.
        phones: telephone numbers, national or with ``+``.
        values: any other values, such as a test card or your office's address.
        patterns: regular expressions that a value must match as a whole.
    """  # noqa: D205 - one thought

    emails: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    _patterns = field_validator("patterns")(_usable)


class PresidioConfig(Settings):
    """Ask Presidio as well (``pip install "rag-gate[presidio]"``), without its language models.

    Attributes:
        entities: Presidio entity -> lowest score from which it counts; only these are asked.
        language: language of the recognisers.
    """

    entities: dict[str, Annotated[float, Field(ge=0, le=1)]] = Field(default_factory=dict)
    language: str = "en"


class PersonalDataConfig(Settings):
    """Personal data in answers.

    Attributes:
        enabled: whether answers are checked (what is written is masked either way).
        allow: values that the bot may show.
        critical: what a card, bank, tax, identity, health or pension number means for the case, and a date
            of birth beside a name.
        contact: what an e-mail address, telephone number, postal code or address means.
        weak: what a name, a date of birth alone or an IP address means.
        fail_on_echo: whether a value that only the question itself holds fails the case (else it warns).
        contexts_default_class: class of a retrieved text that states none in its ``metadata.class``.
        ignore: types that are not looked for in answers, such as ``IP``.
        phone_regions: countries whose national telephone numbers are read, as two letters.
        presidio: ask Presidio as well; null = do not.
    """

    enabled: bool = True
    allow: AllowList = AllowList()
    critical: Ruling = "fail"
    contact: Ruling = "fail"
    weak: Ruling = "warn"
    fail_on_echo: bool = False
    contexts_default_class: Literal["internal", "public"] = "internal"
    ignore: tuple[str, ...] = ()
    phone_regions: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = ("JP", "US", "GB", "KR")
    presidio: PresidioConfig | None = None

    @field_validator("ignore")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in value if name not in SEVERITIES]
        if unknown:
            raise ValueError(f"'{unknown[0]}' is no type; the types are {', '.join(sorted(SEVERITIES))}")
        return value


class SecretRule(Settings):
    """How a kind of secret of your own is written.

    Attributes:
        id: its name in findings and marks, in capitals.
        regex: regular expression, letter case ignored; a group ``value`` is the secret, else the whole match.
    """

    id: RuleId
    regex: str

    @field_validator("regex")
    @classmethod
    def _safe(cls, value: str) -> str:
        if compile_pattern(value).match("") is not None:
            raise ValueError("matches the empty text; name at least one character")
        return value


class SecretsConfig(Settings):
    """Keys, tokens and passwords in answers.

    Attributes:
        enabled: whether answers are checked (what is written is masked either way).
        rules: more rules, beside the built-in ones.
        allow: regular expressions; a secret that one of them matches as a whole is none.
    """

    enabled: bool = True
    rules: tuple[SecretRule, ...] = ()
    allow: tuple[str, ...] = ()

    _patterns = field_validator("allow")(_usable)

    @cached_property
    def compiled(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """The user's rules as detectors take them."""
        return tuple((rule.id, compile_pattern(rule.regex)) for rule in self.rules)
