"""Metrics of which every single case must pass; the baseline plays no part."""

from rag_gate.records.verdict import MetricVerdict
from rag_gate.regression.aggregate import describe_current
from rag_gate.regression.inputs import Aggregate, CaseMap, MetricSpec
from rag_gate.regression.pairing import score_of

_FULL = 1.0


def judge_zero_tolerance(
    spec: MetricSpec, current: CaseMap | Aggregate, start: MetricVerdict
) -> MetricVerdict:
    """Judge a zero-tolerance metric: any score below 1 fails, any unscored case is an error.

    Up to ``spec.max_unscored`` cases may be unscored; they stay listed and at least one case must be scored.
    A run known by its mean only passes if the mean is 1.

    Args:
        spec: how the metric is judged.
        current: the run's cases or mean.
        start: the rule's own fields, to be completed.
    """
    result = start.model_copy(update=describe_current(current))
    if isinstance(current, Aggregate):
        return _judge_mean(result)
    failing = tuple(case_id for case_id in sorted(current) if _fails(score_of(current[case_id].score)))
    result = result.model_copy(update={"failing": failing})
    if failing:
        return result.decided("regressed", "zero_tolerance")
    if len(result.unscored) > spec.max_unscored:
        return result.decided("error", "unscored_safety_case")
    if not result.n_current:
        return result.decided("error", "no_cases")
    return result.decided("pass")


def _judge_mean(result: MetricVerdict) -> MetricVerdict:
    if result.mean_current_all is None:
        return result.decided("error", "no_scores")
    if _fails(result.mean_current_all):
        return result.decided("regressed", "zero_tolerance")
    return result.decided("pass", "aggregate_only")


def _fails(score: float | None) -> bool:
    return score is not None and score < _FULL
