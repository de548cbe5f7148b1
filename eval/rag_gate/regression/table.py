"""Which metrics gate, by which rule."""

from collections.abc import Iterable, Mapping

from rag_gate.config_models import Tolerance, Tolerances
from rag_gate.errors import ConfigError
from rag_gate.measures import measure_of
from rag_gate.regression.inputs import MetricSpec

Means = Mapping[str, float | None]


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
