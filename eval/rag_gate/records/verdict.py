"""The verdict of the regression check, per metric and per slice."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from rag_gate.records.base import OwnRecord

Kind = Literal["soft", "zero_tolerance", "report_only"]
Direction = Literal["higher", "lower"]
Overall = Literal["pass", "inconclusive", "regressed", "error"]
MetricDecision = Literal["pass", "inconclusive", "regressed", "error", "report_only"]
Ids = tuple[str, ...]


class MetricVerdict(OwnRecord):
    """What was found for one metric. A number is None where it could not be or was not computed.

    Deltas are oriented: negative means worse, also where lower scores are better.
    """

    verdict: MetricDecision
    kind: Kind
    direction: Direction = "higher"
    tolerance: float | None = None
    floor: float | None = None
    reasons: Ids = ()
    notes: Ids = ()

    added: Ids = Field(default=(), description="cases only in the current run")
    removed: Ids = Field(default=(), description="cases only in the baseline")
    edited: Ids = Field(default=(), description="cases whose content differs from the baseline's")
    missing_current: Ids = Field(default=(), description="paired cases without a current score")
    missing_base: Ids = Field(default=(), description="paired cases without a baseline score")
    failing: Ids = Field(default=(), description="cases below 1 of a zero-tolerance metric")
    unscored: Ids = Field(default=(), description="all current cases without a score")

    n_current: int | None = Field(default=None, description="scored current cases")
    n_pairs: int | None = None
    n_units: int | None = Field(default=None, description="independent units: pairs, or clusters of pairs")
    mean_current_all: float | None = Field(default=None, description="mean of all scored current cases")
    mean_base: float | None = None
    mean_current: float | None = None
    delta: float | None = None
    ci_low: float | None = Field(default=None, description="90 % interval of delta")
    ci_high: float | None = Field(default=None, description="90 % interval of delta")
    beyond: bool | None = Field(default=None, description="the drop is larger than the tolerance")
    worst_case_beyond: bool | None = Field(default=None, description="beyond, had all missing cases failed")
    missing_fraction: float | None = None
    detectable: float | None = Field(default=None, description="smallest drop that this run fails reliably")

    p: float | None = None
    mid_p: float | None = None
    p_up: float | None = None
    p_adj: float | None = Field(default=None, description="p, corrected for the number of soft metrics")
    n_changed: int | None = Field(default=None, description="changed units")
    wins: int | None = None
    losses: int | None = None
    ties: int | None = None

    def decided(self, verdict: MetricDecision, *reasons: str, notes: Ids = ()) -> "MetricVerdict":
        """Return the same numbers with a verdict, why, and what else is worth saying."""
        return self.model_copy(update={"verdict": verdict, "reasons": reasons, "notes": notes})


class GateOutcome(OwnRecord):
    """All metrics, in the order given, and the worst verdict among those that gate."""

    overall: Overall
    metrics: Mapping[str, MetricVerdict]


class SliceResult(OwnRecord):
    """The change of one metric among the cases of one slice."""

    n: int
    delta: float
    beyond: bool
    p: float


class SliceOutcome(OwnRecord):
    """Slices of one metric, named ``key=value``; they warn and never fail the gate."""

    slices: Mapping[str, SliceResult]
    p_bh: Mapping[str, float] = Field(description="adjusted p of the tested slices")
    flagged: Ids
    not_tested: Ids = Field(description="slices with too few pairs")
