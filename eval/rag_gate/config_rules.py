"""Business rules as users write them, in rag-gate.yml or in a file of their own."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationInfo, field_validator, model_validator

from rag_gate.config_base import Settings
from rag_gate.config_output import Host
from rag_gate.late import Late
from rag_gate.records.assertion import MAX_TEXT
from rag_gate.records.pattern import compile_pattern
from rag_gate.text import normalise

RuleKind = Literal[
    "must_mention",
    "must_not_mention",
    "deny_list",
    "required_disclaimer",
    "allowed_hosts",
    "number_max",
    "number_min",
    "judge",
]
#: What each kind needs (one of the keys in a group), and what else it may have.
_NEEDED: Mapping[str, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        "must_mention": (("terms", "pattern"),),
        "must_not_mention": (("terms", "pattern"),),
        "deny_list": (("terms",),),
        "required_disclaimer": (("terms", "pattern"),),
        "allowed_hosts": (("hosts",),),
        "number_max": (("pattern",), ("max",)),
        "number_min": (("pattern",), ("min",)),
        "judge": (("statement",),),
    }
)
_OPTIONAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"deny_list": ("except_terms",), "required_disclaimer": ("when",), "allowed_hosts": ()}
)
_OWN_KEYS = ("terms", "pattern", "when", "except_terms", "hosts", "max", "min", "statement")


def _words(value: str) -> str:
    if not normalise(value):
        raise ValueError("is empty; name the words")
    return value


Term = Annotated[str, StringConstraints(strict=True, max_length=MAX_TEXT)]


_DIGITS = Late(r"(\\d|\[\\d[,.]{0,2}\]|\[0-9[,.]{0,2}\])([+*])(?![+?])")
_SPACES = Late(r"(\\s)([+*])(?![+?])")


def number_pattern(pattern: str) -> str:
    """Return the pattern with bounded numbers and spaces: an amount has 24 digits at most."""
    bounded = _DIGITS.sub(lambda found: f"{found[1]}{{{int(found[2] == '+')},24}}", pattern)
    return _SPACES.sub(lambda found: f"{found[1]}{{{int(found[2] == '+')},2}}", bounded)


class BusinessRule(Settings):
    """One rule that answers must keep.

    Attributes:
        id: name of the rule in findings; letters, digits, ``_``, ``-`` and ``.``.
        kind: ``must_mention`` (one of the terms, or the pattern), ``must_not_mention`` (a denial is allowed),
            ``deny_list`` (the words may not stand there at all), ``required_disclaimer`` (one of the terms
            when one of ``when`` is mentioned), ``allowed_hosts`` (of links), ``number_max`` and
            ``number_min`` (of what the pattern's first group holds), ``judge`` (a statement that only a
            model judge can check; undecided without one).
        terms: words or phrases, compared as negative assertions are.
        pattern: regular expression, letter case ignored, searched after width folding (NFKC).
        when: terms that make the disclaimer necessary (``invest`` also finds ``investment``); left out, it is
            always necessary.
        except_terms: longer words in which a denied one may stand.
        hosts: hosts that links may lead to, with all hosts below them.
        max: largest number that may be said.
        min: smallest number that may be said.
        statement: what must be true of the answer.
        categories: only cases of these categories.
        tags: only cases with one of these tags.
        languages: only cases of these languages.
        answerable: only answerable cases, or only unanswerable ones.
        severity: what a violation does to the case.
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$")]
    kind: RuleKind
    terms: tuple[Term, ...] = ()
    pattern: str | None = None
    when: tuple[Term, ...] = ()
    except_terms: tuple[Term, ...] = ()
    hosts: tuple[Host, ...] | None = None
    max: float | None = None
    min: float | None = None
    statement: Term | None = None
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    answerable: bool | None = None
    severity: Literal["fail", "warn"] = "fail"

    @field_validator("terms", "when", "except_terms")
    @classmethod
    def _not_blank(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(_words, value))

    @field_validator("statement")
    @classmethod
    def _said(cls, value: str | None) -> str | None:
        return value if value is None else _words(value)

    @field_validator("pattern")
    @classmethod
    def _safe(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None:
            return None
        is_number = str(info.data.get("kind", "")).startswith("number")
        compiled = compile_pattern(number_pattern(value) if is_number else value)
        if is_number and not compiled.groups:
            raise ValueError(r"needs a group in parentheses that holds the number, as in (\d+) %")
        if compiled.search(""):
            raise ValueError("matches the empty text, so it would be found everywhere")
        return value

    @model_validator(mode="after")
    def _complete(self) -> "BusinessRule":
        given = {key for key in _OWN_KEYS if getattr(self, key) not in (None, ())}
        needed = _NEEDED[self.kind]
        for group in needed:
            if not given & set(group):
                raise ValueError(f"a rule of kind {self.kind} needs {' or '.join(group)}")
        allowed = {key for group in needed for key in group} | set(_OPTIONAL.get(self.kind, ()))
        extra = sorted(given - allowed)
        if extra:
            raise ValueError(f"a rule of kind {self.kind} does not use {', '.join(extra)}; remove it")
        return self


def with_own_ids(rules: tuple[BusinessRule, ...]) -> tuple[BusinessRule, ...]:
    """Return the rules.

    Raises:
        ValueError: if two have the same id.
    """
    ids = [rule.id for rule in rules]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"the rule id '{twice[0]}' is given twice; findings could not be told apart")
    return rules


class RulesFile(Settings):
    """A file of business rules."""

    rules: tuple[BusinessRule, ...]
    schema_version: Literal[1] = 1

    _ids = field_validator("rules")(with_own_ids)
