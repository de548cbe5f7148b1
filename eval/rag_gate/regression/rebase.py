"""Carry an anchor over to another judge: what was lost before stays lost, though it cannot be measured again."""

from collections.abc import Collection

from rag_gate.measures import measure_of
from rag_gate.records.anchor import Anchor, AnchorCase
from rag_gate.records.baseline import Baseline
from rag_gate.regression.inputs import CaseScoreIn
from rag_gate.regression.pairing import pair_cases
from rag_gate.regression.sides import oriented, score_map
from rag_gate.statistics import mean


def rebased(anchor: Anchor, before: Baseline, after: Baseline, stages: Collection[str]) -> Anchor:
    """Return the anchor with its metrics of some stages as these are measured now.

    The anchor's own answers are not kept. So its scores become those of the baseline, measured again, and
    the distance that the baseline had from it until now is added to each later one.

    Args:
        anchor: the fixed reference.
        before: the baseline as it was promoted.
        after: the same run, measured again.
        stages: which were measured otherwise.
    """
    names = {
        name
        for name in anchor.metrics
        if (measure := measure_of(name)) is not None and measure.stage in stages
    }
    carried = {**anchor.carried, **{name: _distance(name, anchor, before) for name in names}}
    cases = {case.question_id: case for case in (*after.cases, *after.extended_retrieval)}
    moved = [
        _moved(case, names, cases[case.question_id].scores)
        for case in anchor.cases
        if case.question_id in cases
    ]
    return anchor.model_copy(
        update={
            "stages": {
                **anchor.stages,
                **{key: value for key, value in after.stages.items() if key in stages},
            },
            "metrics": {**anchor.metrics, **{name: after.metrics.get(name) for name in names}},
            "carried": {name: drift for name, drift in carried.items() if drift},
            "cases": moved,
        }
    )


def _distance(name: str, anchor: Anchor, before: Baseline) -> float:
    """Return how far the baseline is from the anchor, in all; negative = worse."""
    measure = measure_of(name)
    then = {
        case.question_id: CaseScoreIn(fp=case.fingerprint, score=case.scores[name])
        for case in anchor.cases
        if case.scores.get(name) is not None
    }
    pairs = pair_cases(then, score_map(name, [*before.cases, *before.extended_retrieval])).pairs
    carried = anchor.carried.get(name, 0.0)
    if not pairs or measure is None:
        return carried
    return carried + mean([oriented(pair.current - pair.base, measure.direction) for pair in pairs])


def _moved(case: AnchorCase, names: Collection[str], now: dict[str, float | None]) -> AnchorCase:
    kept = {name: score for name, score in case.scores.items() if name not in names}
    return case.model_copy(update={"scores": kept | {name: now[name] for name in names if name in now}})
