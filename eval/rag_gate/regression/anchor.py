"""How far a run is from the anchor: the sum of many steps that were each inside the tolerance."""

from collections.abc import Mapping
from typing import NamedTuple

from rag_gate.measures import Direction, measure_of
from rag_gate.records.anchor import Anchor
from rag_gate.records.partial import DatasetInfo
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.regression.inputs import CaseScoreIn
from rag_gate.regression.likeness import measured_otherwise
from rag_gate.regression.pairing import Pair, pair_cases
from rag_gate.regression.promotion import exceeds_budget
from rag_gate.regression.sentences import more_than
from rag_gate.regression.sides import oriented, score_map
from rag_gate.statistics import mean

_FEW = 0.8


class AnchorChange(NamedTuple):
    """One soft metric against the anchor.

    Attributes:
        metric: its name.
        delta: oriented mean change of the paired cases, negative = worse; None = cannot be compared.
        budget: largest accepted drop since the anchor: one tolerance.
        direction: whether higher or lower scores are better.
        stepwise: the drop since the last promotion is inside the tolerance.
    """

    metric: str
    delta: float | None
    budget: float
    direction: Direction
    stepwise: bool

    @property
    def exceeded(self) -> bool:
        """Whether the budget is used up; exactly used is not."""
        return exceeds_budget(self.delta, self.budget)


def reaches_anchor(dataset: DatasetInfo) -> bool:
    """Tell whether a run holds enough cases to be, or to be measured against, an anchor.

    A few cases alone would cry on noise sooner or later, so it is the extended tier where there is one.
    """
    return dataset.tier == "extended" or not dataset.has_extended


def anchor_changes(
    results: Results, anchor: Anchor, metrics: Mapping[str, MetricVerdict]
) -> list[AnchorChange]:
    """Compare a run with the anchor, case by case.

    Args:
        results: the run.
        anchor: the fixed reference.
        metrics: the verdict of each gating metric, for tolerance and direction.

    Returns:
        one change per soft metric that the anchor holds; none for a run of the core tier only.
    """
    if not reaches_anchor(results.dataset):
        return []
    return [
        AnchorChange(
            metric=name,
            delta=_delta(name, found.direction, results, anchor),
            budget=found.tolerance or 0.0,
            direction=found.direction,
            stepwise=found.beyond is False,
        )
        for name, found in metrics.items()
        if found.kind == "soft" and anchor.metrics.get(name) is not None
    ]


def _delta(name: str, direction: Direction, results: Results, anchor: Anchor) -> float | None:
    pairs = [] if _measured_otherwise(name, results, anchor) else _pairs(name, results, anchor)
    if not pairs:
        return None
    return anchor.carried.get(name, 0.0) + mean(
        [oriented(pair.current - pair.base, direction) for pair in pairs]
    )


def _pairs(name: str, results: Results, anchor: Anchor) -> tuple[Pair, ...]:
    base = {
        case.question_id: CaseScoreIn(fp=case.fingerprint, score=case.scores[name])
        for case in anchor.cases
        if case.scores.get(name) is not None
    }
    return pair_cases(base, score_map(name, results.cases)).pairs


def _measured_otherwise(name: str, results: Results, anchor: Anchor) -> bool:
    measure = measure_of(name)
    if measure is None:
        return False
    then, now = anchor.stages.get(measure.stage), results.stages.get(measure.stage)
    return then is not None and now is not None and bool(measured_otherwise(then, now))


def anchor_sentences(changes: list[AnchorChange], anchor: Anchor) -> list[str]:
    """Return one sentence per metric whose budget is used up: since when, and by how much."""
    return [_sentence(change, anchor) for change in changes if change.exceeded]


def anchor_notices(results: Results, anchor: Anchor, metrics: Mapping[str, MetricVerdict]) -> list[str]:
    """Return what a reader should know about the anchor."""
    changes = anchor_changes(results, anchor, metrics)
    now = {case.question_id: case.fingerprint for case in results.cases}
    kept = sum(now.get(case.question_id) == case.fingerprint for case in anchor.cases)
    if not changes or kept >= _FEW * len(anchor.cases):
        return anchor_sentences(changes, anchor)
    return [
        *anchor_sentences([change for change in changes if change.delta is not None], anchor),
        (
            f"only {kept} of the {len(anchor.cases)} cases of {named_anchor(anchor)} are left to compare; "
            "set a new one with rag-gate promote --new-anchor"
        ),
    ]


def named_anchor(anchor: Anchor) -> str:
    """Return ``the anchor of 2026-05-04 (commit 4f2a9c1)``."""
    commit = f" (commit {anchor.commit[:12]})" if anchor.commit else ""
    return f"the anchor of {anchor.promoted_at[:10]}{commit}"


def _sentence(change: AnchorChange, anchor: Anchor) -> str:
    if change.delta is None:
        return (
            f"{change.metric} cannot be compared with {named_anchor(anchor)}: no common case is left, or it "
            "was measured otherwise"
        )
    side = "below" if change.direction == "higher" else "above"
    steps = ": each step was inside the tolerance" if change.stepwise else ""
    return (
        f"{change.metric} is {more_than(-change.delta, change.budget)} {side} {named_anchor(anchor)}, more than "
        f"its budget {change.budget:g}{steps}"
    )
