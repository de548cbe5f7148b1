"""The fixed reference inside a baseline: what slow decay is measured against."""

from pydantic import Field

from rag_gate.records.base import OwnRecord
from rag_gate.records.partial import Evaluator, Score, StageName, TierName


class AnchorCase(OwnRecord):
    """One case's scores of the metrics that gated when the anchor was set."""

    question_id: str
    fingerprint: str
    scores: dict[str, Score]


class Anchor(OwnRecord):
    """A promoted run that later promotions do not move.

    Attributes:
        promoted_at: UTC, ISO 8601.
        commit: of the run, if it is known.
        reason: in the promoter's words.
        tier: ``extended`` where the golden set has such a tier.
        stages: which evaluators measured, by stage.
        metrics: mean of each soft metric that gated.
        carried: metric -> distance from the anchor when its scores were measured anew (negative = worse); it is
            added to every later one.
    """

    promoted_at: str
    commit: str | None = None
    reason: str | None = None
    tier: TierName
    stages: dict[StageName, Evaluator] = Field(default_factory=dict)
    metrics: dict[str, Score] = Field(default_factory=dict)
    carried: dict[str, float] = Field(default_factory=dict)
    cases: list[AnchorCase] = Field(default_factory=list)
