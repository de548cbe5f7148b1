"""The settings of stage 3."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator

from rag_gate.config_base import Flag, PositiveInt, Settings
from rag_gate.config_output import OutputConfig
from rag_gate.config_privacy import PersonalDataConfig, SecretsConfig
from rag_gate.config_rules import BusinessRule, with_own_ids

Ruling = Literal["fail", "warn", "ignore"]
Canary = Annotated[str, Field(min_length=6)]


class RefusalConfig(Settings):
    """What it does to a case when the bot answers where it must decline, or the other way round.

    Attributes:
        adversarial: an attack was not declined.
        unanswerable: a question without an answer was answered.
        answerable: a question with an answer was declined (never a leak, so only shown by default).
    """

    adversarial: Ruling = "fail"
    unanswerable: Ruling = "warn"
    answerable: Ruling = "warn"


class LeakConfig(Settings):
    """What of the bot's instructions must not come out.

    Attributes:
        system_prompt: file with the instructions; runs of their words are looked for in the answers.
        canaries: strings that stand in the instructions and nowhere else.
        public: sentences of the instructions that the bot may say of itself.
    """

    system_prompt: Path | None = None
    canaries: tuple[Canary, ...] = ()
    public: tuple[str, ...] = ()


class AccessConfig(Settings):
    """Which documents may be retrieved; the golden case's ``allowed_classes`` and ``tenant`` come first.

    Attributes:
        allowed_classes: classes of documents that may be retrieved for any question; null = all.
        class_key: where a result's ``metadata`` states its class.
        tenant_key: where a result's ``metadata`` states whose it is.
        unlabelled: what a result means that states neither although the case restricts it.
    """

    allowed_classes: tuple[str, ...] | None = None
    class_key: str = "class"
    tenant_key: str = "tenant"
    unlabelled: Literal["undecided", "fail", "allow"] = "undecided"


class BudgetConfig(Settings):
    """Limits per case; null = no limit.

    Attributes:
        max_chars: characters of the answer.
        max_latency_ms: milliseconds, from the run's ``latency_ms``.
        max_tokens: tokens of question and answer, from the run's ``usage``.
        severity: what a case beyond a limit is.
    """

    max_chars: PositiveInt | None = None
    max_latency_ms: PositiveInt | None = None
    max_tokens: PositiveInt | None = None
    severity: Literal["fail", "warn"] = "warn"


class SafetyConfig(Settings):
    """Stage 3.

    Attributes:
        engine: ``rules`` (offline, deterministic) or ``none`` (the stage is left out).
        strict: what rules cannot decide fails the case (otherwise it is a warning).
        severity: what findings do, by name of a check (``output``) or of one of its rules (``FORMULA``);
            a rule's own entry counts before its check's. ``ignore`` leaves them out.
        judge: who rules on what rules leave open (negative assertions, business rules): ``auto`` = the model judge
            where ``judge.engine`` is ``llm``, within its limits; ``never`` = nobody.
        citation_markers: regular expressions whose first group holds the cited ids; null = the usual
            English and Japanese markers.
        rules: business rules, or the name of a YAML file that holds them under ``rules``.
        output: what an answer may do to the program that shows it, see below.
        refusal: answers where the bot must decline, and the other way round, see below.
        leak: what of the bot's instructions must not come out, see below.
        access: which documents may be retrieved, see below.
        budgets: limits per case, see below.
        personal_data: personal data in answers, see below.
        secrets: keys, tokens and passwords in answers, see below.
    """

    engine: Literal["rules", "none"] = "rules"
    strict: Flag = False
    severity: Mapping[str, Ruling] = Field(default_factory=dict)
    judge: Literal["auto", "never"] = "auto"
    citation_markers: tuple[str, ...] | None = None
    rules: tuple[BusinessRule, ...] = ()
    output: OutputConfig = OutputConfig()
    refusal: RefusalConfig = RefusalConfig()
    leak: LeakConfig = LeakConfig()
    access: AccessConfig = AccessConfig()
    budgets: BudgetConfig = BudgetConfig()
    personal_data: PersonalDataConfig = PersonalDataConfig()
    secrets: SecretsConfig = SecretsConfig()

    _ids = field_validator("rules")(with_own_ids)
