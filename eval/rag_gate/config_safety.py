"""The settings of stage 3."""

from typing import Literal

from rag_gate.config_base import Flag, Settings


class SafetyConfig(Settings):
    """Stage 3.

    Attributes:
        engine: ``rules`` (offline, deterministic) or ``none`` (the stage is left out).
        strict: an assertion whose status is uncertain fails the case (otherwise it is a warning).
        citation_markers: regular expressions whose first group holds the cited ids; null = the usual
            English and Japanese markers.
    """

    engine: Literal["rules", "none"] = "rules"
    strict: Flag = False
    citation_markers: tuple[str, ...] | None = None
