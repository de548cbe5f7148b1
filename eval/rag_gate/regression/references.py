"""What a reader should know about the two references, baseline and anchor, beside the verdict."""

from collections.abc import Mapping

from rag_gate.records.baseline import Baseline
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.regression.anchor import anchor_notices
from rag_gate.regression.sentences import more_than
from rag_gate.regression.sides import Sides
from rag_gate.statistics import to_lattice


def reference_notices(sides: Sides, metrics: Mapping[str, MetricVerdict]) -> list[str]:
    """Return what the anchor says, and where the baseline lags behind, one sentence each.

    Args:
        sides: what is compared.
        metrics: the verdict of each gating metric.
    """
    current, baseline = sides.current, sides.baseline
    if not isinstance(current, Results) or not isinstance(baseline, Baseline):
        return []
    slack = [sentence for name, found in metrics.items() if (sentence := _slack(name, found))]
    return [*(anchor_notices(current, baseline.anchor, metrics) if baseline.anchor else []), *slack]


def _slack(name: str, found: MetricVerdict) -> str | None:
    """Say that a metric could fall by more than its tolerance and still look unchanged."""
    delta, tolerance = found.delta, found.tolerance
    if found.kind != "soft" or not found.n_pairs or delta is None or tolerance is None:
        return None
    if to_lattice(delta) <= to_lattice(tolerance):
        return None
    side = "lower" if found.direction == "higher" else "higher"
    return f"{name}: the baseline is {side} than this run by {more_than(delta, tolerance)}; promote to keep the gain"
