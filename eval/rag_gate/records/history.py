"""One line of a baseline's history, and what a verdict shows of it."""

from pydantic import Field

from rag_gate.records.base import OwnRecord, UserRecord
from rag_gate.records.partial import Count, Score, TierName


class MetricHistory(UserRecord):
    """One metric of a promoted run.

    Attributes:
        sd: standard deviation of the case scores (n - 1); null for fewer than two.
    """

    mean: Score
    n: Count
    sd: Score = None


class HistoryRow(UserRecord):
    """One promotion. Keys that an older or a newer version writes do no harm.

    Attributes:
        stages: stage -> fingerprint of what measured it; ``judge`` is the one of that stage.
    """

    promoted_at: str
    promoted_by: str | None = None
    commit: str | None = None
    reason: str | None = None
    verdict: str | None = None
    tier: TierName
    dataset: str | None = None
    run: str | None = None
    judge: str | None = None
    stages: dict[str, str] = Field(default_factory=dict)
    new_anchor: bool = False
    metrics: dict[str, MetricHistory]


class TrendPoint(OwnRecord):
    """A metric's mean at one promotion.

    Attributes:
        other_cases: these were other cases than at the last promotion, or clearly more or fewer.
    """

    promoted_at: str
    commit: str | None = None
    tier: TierName
    mean: float
    n: Count
    sd: Score = None
    other_cases: bool = False
