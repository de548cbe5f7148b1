"""From runs of one commit to the file about their noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from rag_gate.calibrate.detection import drops_of_interest, simulate_detection
from rag_gate.calibrate.false_alarms import FalseAlarms, simulate_false_alarms
from rag_gate.calibrate.material import Cell, MetricPairs, cells_of, pairs_of
from rag_gate.calibrate.models import Calibration, DetectionRow, MetricNoise
from rag_gate.calibrate.noise import Noise, measure_noise
from rag_gate.calibrate.proposal import caught_reliably, lints, proposed_tolerance
from rag_gate.config_models import Tolerances
from rag_gate.errors import NotJudgedError
from rag_gate.measures import MEASURES, measure_of
from rag_gate.records.results import Results
from rag_gate.regression import GateSettings, MetricSpec
from rag_gate.regression.check import Rules, check
from rag_gate.regression.sides import Sides
from rag_gate.regression.table import gating_specs
from rag_gate.statistics import detectable_effect, to_lattice

_GRADED_DROP = 0.5


@dataclass(frozen=True)
class _Gate:
    """What is the same for all metrics that gate by a tolerance."""

    cells: Mapping[str, Sequence[tuple[Cell, ...]]]
    units: int
    alpha: float
    alarms: FalseAlarms
    min_pairs: int


def calibration(runs: Sequence[Results], rules: Rules) -> Calibration:
    """Measure the noise between runs of one commit, and what it means for the tolerances.

    Args:
        runs: two or more, comparable (see ``load_runs``).
        rules: tolerances and settings of the check.

    Raises:
        NotJudgedError: if no metric has scores in two of the runs.
    """
    measured = Sides(runs[0], None).current_means()
    specs = gating_specs(rules.user, rules.shipped, measured, {})
    others = {name: _shown(name) for name in measured if name not in specs and measure_of(name)}
    pairs = pairs_of(runs, {**specs, **others})
    noise = {name: found for name, metric in pairs.items() if (found := measure_noise(metric))}
    if not noise:
        raise NotJudgedError(
            "calibrate noise: no metric has scores of two cases in two runs; complete the runs"
        )
    gate = _simulated(runs, {name: pairs[name] for name in noise if pairs[name].spec.kind == "soft"}, rules)
    metrics = {name: _metric(name, pairs[name], noise[name], gate) for name in noise}
    return Calibration(
        dataset=runs[0].dataset,
        runs=tuple(run.run.fingerprint for run in runs),
        alpha=gate.alpha,
        resamples=gate.alarms.resamples,
        family_false_alarm_naive=gate.alarms.naive_any,
        family_false_alarm_gate=gate.alarms.gate_any,
        metrics=metrics,
        tolerances=_table(rules, specs, metrics),
        notices=_notices(runs, specs, noise),
    )


def _shown(name: str) -> MetricSpec:
    return MetricSpec(kind="report_only", direction=MEASURES[name.partition("@")[0]].direction)


def _simulated(runs: Sequence[Results], soft: Mapping[str, MetricPairs], rules: Rules) -> _Gate:
    cells = cells_of(soft)
    # Both orders of each pair of runs stand in the lists.
    comparisons = len(runs) * (len(runs) - 1)
    units = len(next(iter(cells.values()))) // comparisons if cells else 0
    alpha = check(runs[0], None, rules).alpha  # the check decides which level the golden set gets
    limits = {name: to_lattice(metric.spec.tolerance or 0.0) for name, metric in soft.items()}
    alarms = simulate_false_alarms(cells, limits, units, alpha)
    return _Gate(cells, units, alpha, alarms, rules.gate.min_pairs)


def _metric(name: str, metric: MetricPairs, noise: Noise, gate: _Gate) -> MetricNoise:
    found = MetricNoise(
        kind=metric.spec.kind,
        direction=metric.spec.direction,
        n_pairs=noise.n_pairs,
        n_units=noise.n_units,
        sd0=noise.sd0,
        se=noise.se,
        flip_rate=noise.flip_rate,
        mean_difference=noise.mean_difference,
        lints=("shifted",) if noise.shifted else (),
    )
    tolerance = metric.spec.tolerance
    if name not in gate.cells or tolerance is None:
        return found
    typical = 1.0 if metric.binary else _GRADED_DROP
    level = gate.alpha / len(gate.cells)
    return found.model_copy(
        update={
            "tolerance": tolerance,
            "false_alarm_naive": gate.alarms.naive[name],
            "false_alarm_gate": gate.alarms.gate[name],
            "detectable": _detectable(noise, typical, level, tolerance),
            "caught_reliably": caught_reliably(noise, tolerance),
            "detection": _detection(name, tolerance, typical, level, gate),
            "lints": tuple(lints(noise, tolerance, gate.min_pairs)),
            "proposed": proposed_tolerance(noise, tolerance),
        }
    )


def _detectable(noise: Noise, typical: float, level: float, tolerance: float) -> float | None:
    """Return the detectable drop, None where a mean cannot fall so far.

    As many independent cases are assumed as give the standard error.
    """
    cases = (noise.sd0 / noise.se) ** 2 if noise.se > 0 and noise.sd0 > 0 else noise.n_units
    power = GateSettings().power
    found = detectable_effect(
        sd0=noise.sd0, typical_drop=typical, n=cases, alpha=level, power=power, tolerance=tolerance
    )
    return found if found <= 1 else None


def _detection(
    name: str, tolerance: float, typical: float, level: float, gate: _Gate
) -> tuple[DetectionRow, ...]:
    found = [
        simulate_detection(
            gate.cells[name],
            drop=drop,
            typical=typical,
            limit=to_lattice(tolerance),
            units=gate.units,
            alpha=level,
        )
        for drop in drops_of_interest(tolerance)
    ]
    return tuple(
        DetectionRow(drop=row.drop, regressed=row.regressed, inconclusive=row.inconclusive)
        for row in found
        if row is not None
    )


def _table(
    rules: Rules, specs: Mapping[str, MetricSpec], metrics: Mapping[str, MetricNoise]
) -> dict[str, JsonValue]:
    """Return the user's table (or what gates of the shipped one) with the proposed tolerances in it."""
    source: Tolerances = rules.user if rules.user is not None else rules.shipped
    table: dict[str, JsonValue] = {}
    for name in specs:
        entry = source[name].model_dump(mode="json", exclude_defaults=True)
        proposed = metrics[name].proposed if name in metrics else None
        entry["tolerance"] = source[name].tolerance if proposed is None else proposed
        table[name] = entry if len(entry) > 1 else entry["tolerance"]
    return table


def _notices(
    runs: Sequence[Results], specs: Mapping[str, MetricSpec], noise: Mapping[str, Noise]
) -> tuple[str, ...]:
    notices = []
    if len({run.run.fingerprint for run in runs}) < len(runs):
        notices.append(
            "some results are of the same recorded run, so only the judge's noise can be seen; record the "
            "unchanged bot again to see the bot's own"
        )
    missing = sorted(specs.keys() - noise.keys())
    if missing:
        notices.append(f"not measured in two runs: {', '.join(missing)}")
    return tuple(notices)
