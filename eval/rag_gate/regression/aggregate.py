"""Metrics without a per-case baseline: only means can be compared, or nothing at all."""

from rag_gate.records.verdict import MetricVerdict
from rag_gate.regression.comparison import is_beyond, orientation
from rag_gate.regression.inputs import Aggregate, CaseMap, MetricSpec
from rag_gate.regression.pairing import score_of
from rag_gate.statistics import mean, to_lattice


def below_floor(spec: MetricSpec, value: float | None) -> bool:
    """Return whether a mean is worse than the floor; exactly at the floor is not."""
    if spec.floor is None or value is None:
        return False
    sign = orientation(spec.direction)
    return to_lattice(sign * value) < to_lattice(sign * spec.floor)


def describe_current(current: CaseMap | Aggregate) -> dict[str, object]:
    """Return mean, count and unscored ids of the current side, as fields of ``MetricVerdict``."""
    if isinstance(current, Aggregate):
        return {"mean_current_all": score_of(current.value)}
    scores = {case_id: score_of(current[case_id].score) for case_id in sorted(current)}
    scored = [score for score in scores.values() if score is not None]
    return {
        "mean_current_all": mean(scored) if scored else None,
        "n_current": len(scored),
        "unscored": tuple(case_id for case_id, score in scores.items() if score is None),
    }


def judge_without_cases(
    spec: MetricSpec, base: Aggregate | None, *, flat: bool, result: MetricVerdict
) -> MetricVerdict:
    """Judge a metric whose baseline is a mean or absent.

    Such a comparison cannot tell a changed dataset from a regression, so a drop beyond the tolerance is
    inconclusive; only where both sides are flat, and nothing better can be known, does it fail.

    Args:
        spec: how the metric is judged.
        base: the baseline's mean, or None.
        flat: whether the run is known by its mean only, too.
        result: the current side's fields, to be completed.
    """
    if result.mean_current_all is None:
        return result.decided("error", "no_scores")
    if base is None:
        return _floor_or(result.decided("pass", "no_baseline"), spec)
    reference = score_of(base.value)
    if reference is None:
        return result.decided("error", "no_comparable_cases")
    delta = orientation(spec.direction) * (result.mean_current_all - reference)
    beyond = None if spec.tolerance is None else is_beyond([delta], spec.tolerance)
    result = result.model_copy(update={"mean_base": reference, "delta": delta, "beyond": beyond})
    if flat:
        return _floor_or(result.decided("regressed" if beyond else "pass", "aggregate_only"), spec)
    return _floor_or(result.decided("inconclusive" if beyond else "pass", "aggregate_baseline"), spec)


def _floor_or(result: MetricVerdict, spec: MetricSpec) -> MetricVerdict:
    return (
        result.decided("regressed", "below_floor") if below_floor(spec, result.mean_current_all) else result
    )
