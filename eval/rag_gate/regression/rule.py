"""The rule of the regression check: a verdict per metric, and the worst of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_gate.records.verdict import GateOutcome, MetricVerdict, Overall
from rag_gate.regression.aggregate import below_floor, describe_current, judge_without_cases
from rag_gate.regression.comparison import Comparison, compare
from rag_gate.regression.describe import describe_comparison, describe_pairing
from rag_gate.regression.inputs import Aggregate, GateSettings, MetricInput, MetricSpec
from rag_gate.regression.pairing import Pairing, pair_cases
from rag_gate.regression.zero_tolerance import judge_zero_tolerance
from rag_gate.statistics import holm

_FLOAT_SLACK = 1e-12
_WORST_FIRST: tuple[Overall, ...] = ("error", "regressed", "inconclusive")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """One metric's pairs and what they say; no comparison where there is no usable pair."""

    pairing: Pairing
    comparison: Comparison | None


def judge_metrics(metrics: Mapping[str, MetricInput], settings: GateSettings) -> GateOutcome:
    """Judge every metric against its baseline.

    A soft metric fails if its mean dropped by more than the tolerance and an exact sign-flip test, corrected
    over all soft metrics with a pair, calls the drop significant; a drop that is beyond the tolerance but
    not significant is inconclusive. Report-only metrics are described and never decide.

    Args:
        metrics: rule and scores per metric name.
        settings: common settings.

    Returns:
        the metrics in the order given; overall is the worst verdict, and ``error`` where nothing gates.
    """
    evidence = {name: gathered for name, metric in metrics.items() if (gathered := _gather(metric))}
    adjusted = _adjust(metrics, evidence, settings)
    verdicts = {
        name: _judge(metric, evidence.get(name), adjusted.get(name), settings)
        for name, metric in metrics.items()
    }
    return GateOutcome(overall=_overall(verdicts), metrics=verdicts)


def _gather(metric: MetricInput) -> _Evidence | None:
    if metric.spec.kind == "zero_tolerance" or metric.current is None:
        return None
    if metric.base is None or isinstance(metric.base, Aggregate):
        return None
    current = {} if isinstance(metric.current, Aggregate) else metric.current
    pairing = pair_cases(metric.base, current)
    if not pairing.pairs:
        return _Evidence(pairing, None)
    spec = metric.spec
    return _Evidence(pairing, compare(pairing.pairs, direction=spec.direction, cluster=spec.cluster))


def _adjust(
    metrics: Mapping[str, MetricInput], evidence: Mapping[str, _Evidence], settings: GateSettings
) -> dict[str, float]:
    """Return the corrected p of every soft metric with a pair, whatever its verdict will be."""
    raw = {
        name: found.comparison.test.p
        for name, found in evidence.items()
        if found.comparison is not None and metrics[name].spec.kind == "soft"
    }
    if settings.correction == "none":
        return raw
    return dict(zip(raw, holm(list(raw.values())), strict=True))


def _judge(
    metric: MetricInput, found: _Evidence | None, p_adj: float | None, settings: GateSettings
) -> MetricVerdict:
    spec, current = metric.spec, metric.current
    start = MetricVerdict(
        verdict="pass", kind=spec.kind, direction=spec.direction, tolerance=spec.tolerance, floor=spec.floor
    )
    if current is None:
        result = start.decided("error", "metric_missing")
    elif spec.kind == "zero_tolerance":
        return judge_zero_tolerance(spec, current, start)
    else:
        result = start.model_copy(update=describe_current(current))
        if found is None:
            base = metric.base if isinstance(metric.base, Aggregate) else None
            flat = isinstance(current, Aggregate)
            result = judge_without_cases(spec, base, flat=flat, result=result)
        else:
            result = _judge_pairs(result, spec, found, p_adj, settings)
    return result.decided("report_only", *result.reasons) if spec.kind == "report_only" else result


def _judge_pairs(
    result: MetricVerdict, spec: MetricSpec, found: _Evidence, p_adj: float | None, settings: GateSettings
) -> MetricVerdict:
    result = result.model_copy(update=describe_pairing(found.pairing))
    if found.comparison is None:
        return result.decided("error", "no_comparable_cases")
    numbers = describe_comparison(found.comparison, found.pairing, spec, settings)
    result = result.model_copy(update={**numbers, "p_adj": p_adj})
    return result if spec.kind == "report_only" else _decide(result, spec, settings)


def _decide(result: MetricVerdict, spec: MetricSpec, settings: GateSettings) -> MetricVerdict:
    """Apply the rules that need numbers; the first that matches wins."""
    if below_floor(spec, result.mean_current_all):
        return result.decided("regressed", "below_floor")
    if (result.missing_fraction or 0.0) > settings.max_missing:
        return result.decided("error", "too_many_missing")
    if result.worst_case_beyond and not result.beyond:
        return result.decided("inconclusive", "missing_could_flip")
    notes = _notes(result, settings)
    if not result.beyond:
        return result.decided("pass", notes=notes)
    if _significant(result.p_adj, settings):
        return result.decided("regressed", "beyond_tolerance_significant", notes=notes)
    return result.decided("inconclusive", "beyond_tolerance_not_significant", notes=notes)


def _notes(result: MetricVerdict, settings: GateSettings) -> tuple[str, ...]:
    delta = result.delta or 0.0
    notes = {
        "underpowered": (result.n_units or 0) < settings.min_pairs,
        "systematic_drop_within_tolerance": (
            delta < 0 and not result.beyond and _significant(result.p_adj, settings)
        ),
        "improved": delta > 0 and _significant(result.p_up, settings),
    }
    return tuple(note for note, applies in notes.items() if applies)


def _significant(p: float | None, settings: GateSettings) -> bool:
    return p is not None and p <= settings.alpha + _FLOAT_SLACK


def _overall(verdicts: Mapping[str, MetricVerdict]) -> Overall:
    seen = {result.verdict for result in verdicts.values() if result.kind != "report_only"}
    # Nothing that gates means nothing was checked, and that is no pass.
    if not seen:
        return "error"
    return next((verdict for verdict in _WORST_FIRST if verdict in seen), "pass")
