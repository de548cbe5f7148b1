"""Which metrics gate, by which rule."""

from collections.abc import Iterable, Mapping, Sequence
from math import log2

from rag_gate.config_models import Tolerance, Tolerances
from rag_gate.errors import ConfigError
from rag_gate.measures import measure_of
from rag_gate.regression.comparison import compare
from rag_gate.regression.inputs import MetricInput, MetricSpec
from rag_gate.regression.pairing import Pair, pair_cases

Means = Mapping[str, float | None]
#: Shipped metrics that decide only where enough cases changed for the change to be no chance.
_IF_TESTABLE = frozenset({"number_match", "refusal_accuracy"})
#: Shipped metrics that decide only where another one, which counts the same failure, was not measured.
_COVERED_BY = {"refusal_accuracy": "correctness"}


def gating_specs(
    user: Tolerances | None, shipped: Tolerances, measured: Means, baseline: Means
) -> dict[str, MetricSpec]:
    """Return metric -> rule for the metrics that decide.

    The user's table is taken whole: a metric in it that was not measured is an error later. Where the
    user has none, the shipped table is used for what was measured now or in the baseline; a soft metric
    that stands at its worst value in the baseline is left out, since it cannot get worse.

    Args:
        user: the user's tolerances, None if there are none.
        shipped: the default table.
        measured: means of the run.
        baseline: means of the baseline.
    """
    if user is not None:
        return {name: spec_of(name, entry) for name, entry in user.items()}
    specs = {name: spec_of(name, entry) for name, entry in shipped.items()}
    return {name: spec for name, spec in specs.items() if _applies(name, spec, measured, baseline)}


def untestable(inputs: Mapping[str, MetricInput], alpha: float) -> list[str]:
    """Return the metrics of the shipped table that are left out of the decision of this run.

    The exact test of n changed cases cannot give less than 1/2^n. A metric that changed in too few cases
    to be significant at all would only cost the others power in the correction for many metrics; leaving
    it out keeps the accepted chance of a false alarm (Tarone 1990). Its cases are named in a notice.
    Refusals decide where correctness, which counts them as wrong, has less than half of their cases.

    Args:
        inputs: what gates by the shipped table.
        alpha: the accepted chance of a false alarm.
    """
    pairs = {name: _pairs(metric) for name, metric in inputs.items()}
    return [
        name
        for name in inputs
        if name in _IF_TESTABLE
        and (_changed(pairs[name], inputs[name].spec) < -log2(alpha) or _is_covered(name, pairs))
    ]


def _pairs(metric: MetricInput) -> Sequence[Pair]:
    if not isinstance(metric.base, Mapping) or not isinstance(metric.current, Mapping):
        return ()
    return pair_cases(metric.base, metric.current).pairs


def _changed(pairs: Sequence[Pair], spec: MetricSpec) -> int:
    """Return in how many independent units the metric changed."""
    return compare(pairs, direction=spec.direction, cluster=spec.cluster).test.n_changed if pairs else 0


def _is_covered(name: str, pairs: Mapping[str, Sequence[Pair]]) -> bool:
    other = _COVERED_BY.get(name)
    return other is not None and 2 * len(pairs.get(other, ())) >= len(pairs[name])


def _applies(name: str, spec: MetricSpec, measured: Means, baseline: Means) -> bool:
    then = baseline.get(name)
    if then is None:
        return measured.get(name) is not None or (spec.kind == "zero_tolerance" and name in measured)
    return spec.kind != "soft" or spec.direction == "lower" or then > 0.0


def spec_of(name: str, entry: Tolerance) -> MetricSpec:
    """Complete one entry of a table from the table of metrics.

    Raises:
        ConfigError: if neither knows the metric's direction.
    """
    measure = measure_of(name)
    direction = entry.direction or (measure.direction if measure else None)
    if direction is None:
        raise ConfigError(f"tolerances: unknown metric '{name}'; add its direction (higher or lower)")
    kind = entry.kind or (measure.kind if measure else "soft")
    if entry.kind is None and kind == "report_only":
        kind = "soft"
    return MetricSpec(
        kind=kind,
        direction=direction,
        tolerance=entry.tolerance,
        floor=entry.floor,
        cluster=entry.cluster,
        max_unscored=entry.max_unscored,
    )


def report_only_names(measured: Iterable[str], gating: Iterable[str]) -> list[str]:
    """Return the measured metrics that do not gate, in the order of the table of metrics."""
    return [name for name in measured if name not in set(gating) and measure_of(name) is not None]
