"""The numbers of a comparison as fields of ``MetricVerdict``."""

from rag_gate.regression.comparison import (
    Comparison,
    counts,
    detectable,
    interval_of,
    is_beyond,
    worst_case_deltas,
)
from rag_gate.regression.inputs import GateSettings, MetricSpec
from rag_gate.regression.pairing import Pairing
from rag_gate.statistics import mean


def describe_pairing(pairing: Pairing) -> dict[str, object]:
    """Return which cases were compared and which were not."""
    return {
        "added": pairing.added,
        "removed": pairing.removed,
        "edited": pairing.edited,
        "missing_current": pairing.missing_current,
        "missing_base": pairing.missing_base,
        "n_pairs": len(pairing.pairs),
        "missing_fraction": pairing.missing_fraction,
    }


def describe_comparison(
    comparison: Comparison, pairing: Pairing, spec: MetricSpec, settings: GateSettings
) -> dict[str, object]:
    """Return means, delta, tolerance checks, test and interval."""
    test = comparison.test
    wins, losses, ties = counts(comparison)
    interval = interval_of(comparison)
    return {
        "mean_base": mean([pair.base for pair in pairing.pairs]),
        "mean_current": mean([pair.current for pair in pairing.pairs]),
        "delta": comparison.delta,
        "ci_low": interval.low if interval else None,
        "ci_high": interval.high if interval else None,
        "beyond": _beyond(list(comparison.deltas), spec),
        "worst_case_beyond": _beyond(worst_case_deltas(comparison, pairing, spec.direction), spec),
        "detectable": detectable(comparison, spec, settings),
        "n_units": comparison.n_units,
        "p": test.p,
        "mid_p": test.mid_p,
        "p_up": test.p_up,
        "n_changed": test.n_changed,
        "wins": wins,
        "losses": losses,
        "ties": ties,
    }


def _beyond(deltas: list[float], spec: MetricSpec) -> bool | None:
    return None if spec.tolerance is None else is_beyond(deltas, spec.tolerance)
