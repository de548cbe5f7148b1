"""The plain rule, and rag-gate's own, on simulated pairs."""

from collections.abc import Mapping, Sequence

from rag_gate.records.verdict import GateOutcome
from rag_gate.regression import CaseScoreIn, GateSettings, MetricInput, MetricSpec, judge_metrics
from simulation.generators import ScorePair

TOLERANCES = {
    "recall@5": 0.03,
    "mrr": 0.03,
    "faithfulness": 0.02,
    "relevance": 0.03,
    "citation_rate": 0.05,
}
STRICT = GateSettings(alpha=0.05)
LOOSE = GateSettings(alpha=0.10)
_FLOAT_NOISE = 1e-9

Pairs = Mapping[str, Sequence[ScorePair]]


def plain_alarm(pairs: Sequence[ScorePair], tolerance: float) -> bool:
    """Tell whether the mean fell by more than the tolerance; float noise does not decide."""
    return sum(now - then for then, now in pairs) < -tolerance * len(pairs) - _FLOAT_NOISE


def plain_alarms(pairs: Pairs) -> set[str]:
    """Return the metrics that the plain rule fails."""
    return {name for name, found in pairs.items() if plain_alarm(found, TOLERANCES[name])}


def metric_input(pairs: Sequence[ScorePair], tolerance: float) -> MetricInput:
    """Return one metric as the regression check takes it."""
    base, current = (
        {f"case-{number:04}": CaseScoreIn("same", pair[side]) for number, pair in enumerate(pairs)}
        for side in (0, 1)
    )
    return MetricInput(MetricSpec(tolerance=tolerance), base, current)


def metric_inputs(pairs: Pairs) -> dict[str, MetricInput]:
    """Return all metrics as the regression check takes them."""
    return {name: metric_input(found, TOLERANCES[name]) for name, found in pairs.items()}


def with_verdict(outcome: GateOutcome, verdict: str) -> set[str]:
    """Return the metrics that got a verdict."""
    return {name for name, found in outcome.metrics.items() if found.verdict == verdict}


def judge_loosely(strict: GateOutcome, inputs: Mapping[str, MetricInput]) -> GateOutcome:
    """Judge with the larger alpha; only where a p lies between the two can the verdict differ."""
    between = any(
        found.p_adj is not None and STRICT.alpha < found.p_adj <= LOOSE.alpha
        for found in strict.metrics.values()
    )
    return judge_metrics(inputs, LOOSE) if between else strict
