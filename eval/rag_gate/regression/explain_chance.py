"""The test of one metric in words: who changed, how sure, and what so many cases can see."""

from collections.abc import Iterator

from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.comparison import Comparison, pairs_needed
from rag_gate.regression.inputs import GateSettings, MetricSpec

_FLOAT_SLACK = 1e-12
_TOLERANCES = ("the tolerance", "twice the tolerance")


def chance_lines(name: str, found: MetricVerdict, comparison: Comparison, verdict: Verdict) -> Iterator[str]:
    """Yield counts, exact p and its correction."""
    wins = sum(step > 0 for step in comparison.steps)
    losses = sum(step < 0 for step in comparison.steps)
    ties = len(comparison.steps) - wins - losses
    yield (
        f"test: {wins} better, {losses} worse, {ties} as before; exact p {comparison.test.p:.6g} (sign-flip, one-sided)"
    )
    if found.p_adj is not None and found.p is not None:
        yield _corrected(name, found.p, found.p_adj, verdict)


def _corrected(name: str, p: float, adjusted: float, verdict: Verdict) -> str:
    """Say which place the p has among those of all soft metrics, and what it is multiplied with."""
    family = {
        key: other.p for key, other in verdict.metrics.items() if _tested(other) and other.p is not None
    }
    rank = sorted(family, key=family.__getitem__).index(name)
    times = len(family) - rank
    raised = "" if adjusted <= min(1.0, times * p) else ", raised to that of the rank before"
    side = "not above" if adjusted <= verdict.alpha + _FLOAT_SLACK else "above"
    return (
        f"correction (Holm): rank {rank + 1} of {len(family)}, so times {times}{raised}: p {adjusted:.6g}, "
        f"{side} alpha {verdict.alpha:g}"
    )


def _tested(found: MetricVerdict) -> bool:
    return found.kind == "soft" and found.p_adj is not None


def power_lines(found: MetricVerdict, comparison: Comparison, alpha: float) -> Iterator[str]:
    """Yield what drop so many cases fail reliably, and how many cases smaller drops need.

    The spread is that of this comparison; the level is alpha without correction, so with several metrics
    more is needed.
    """
    if found.detectable is None or not found.tolerance:
        return
    settings = GateSettings(alpha=alpha)
    spec = MetricSpec(direction=found.direction, tolerance=found.tolerance)
    reliably = f"in {100 * settings.power:g} % of runs"
    yield f"power: with these {len(comparison.deltas)} pairs a drop of {found.detectable:.3g} fails {reliably}"
    for factor, word in enumerate(_TOLERANCES, start=1):
        drop = factor * found.tolerance
        needed = pairs_needed(comparison, spec, settings, drop)
        if needed is None:
            yield (
                f"power: a drop of {drop:g} ({word}) fails reliably with no number of cases: half of the runs "
                "measure less than that"
            )
        else:
            yield f"power: a drop of {drop:g} ({word}) fails {reliably} with about {needed} pairs"
