"""What a reader can do about a verdict on their own machine."""

from dataclasses import dataclass
from typing import Literal

from rag_gate.records.verdict_file import Verdict

Promotion = Literal["plain", "regressed", "refused"]


@dataclass(frozen=True, slots=True)
class Commands:
    """What the commands for one's own machine name.

    Attributes:
        config: the settings.
        results: the results.
        metric: one whose numbers are worth a look; None where all is well.
        tier: of the measured cases; None for a table of means, which cannot be measured again.
        run: the recorded run, where it is not the one in the settings.
        promotion: ``plain``, ``regressed`` (must be accepted), ``refused`` (can never become the baseline).
    """

    config: str
    results: str
    metric: str | None
    tier: str | None = None
    run: str | None = None
    promotion: Promotion = "plain"


def promotion_of(verdict: Verdict) -> Promotion:
    """Return what `rag-gate promote` will say to this verdict, as far as the verdict alone decides that."""
    found = verdict.metrics.values()
    never = any(metric.failing or "below_floor" in metric.reasons for metric in found)
    if verdict.overall == "error" or never:
        return "refused"
    return "regressed" if verdict.overall == "regressed" else "plain"
