"""The settings of stage 3."""

from typing import Literal

from rag_gate.config_base import Settings
from rag_gate.config_privacy import PersonalDataConfig, SecretsConfig


class SafetyConfig(Settings):
    """Stage 3.

    Attributes:
        engine: ``rules`` (offline, deterministic) or ``none`` (the stage is left out).
        strict: an assertion whose status is uncertain fails the case (otherwise it is a warning).
        citation_markers: regular expressions whose first group holds the cited ids; null = the usual
            English and Japanese markers.
        personal_data: personal data in answers, see below.
        secrets: keys, tokens and passwords in answers, see below.
    """

    engine: Literal["rules", "none"] = "rules"
    strict: bool = False
    citation_markers: tuple[str, ...] | None = None
    personal_data: PersonalDataConfig = PersonalDataConfig()
    secrets: SecretsConfig = SecretsConfig()
