"""How often identical runs would be called worse: by the mean alone, and by the rule of the gate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag_gate.calibrate.material import Cell
from rag_gate.calibrate.quick_test import quick_p
from rag_gate.calibrate.resampling import drawn, resamples
from rag_gate.statistics import holm

_FLOAT_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class FalseAlarms:
    """Shares of simulated comparisons of identical runs.

    Attributes:
        resamples: how many were made.
        naive: metric -> the mean fell by more than the tolerance.
        gate: metric -> that, and significant after Holm's correction.
        naive_any: any metric by the first rule.
        gate_any: any metric by the second: the share of harmless changes that the gate would fail.
    """

    resamples: int
    naive: dict[str, float]
    gate: dict[str, float]
    naive_any: float
    gate_any: float


@dataclass(slots=True)
class _Tally:
    beyond: dict[str, int]
    failed: dict[str, int]
    any_beyond: int = field(default=0)
    any_failed: int = field(default=0)


def simulate_false_alarms(
    cells: Mapping[str, Sequence[tuple[Cell, ...]]], limits: Mapping[str, int], units: int, alpha: float
) -> FalseAlarms:
    """Draw comparisons of identical runs and count the alarms, see ``rag_gate.calibrate.resampling``.

    Args:
        cells: metric -> units (see ``cells_of``), of the soft metrics that gate.
        limits: metric -> tolerance on the lattice.
        units: units of one comparison.
        alpha: accepted chance of a false alarm over all metrics together.
    """
    if not cells:
        return FalseAlarms(0, {}, {}, 0.0, 0.0)
    sums = {name: [sum(delta for delta, _ in unit) for unit in column] for name, column in cells.items()}
    sizes = {name: [len(unit) for unit in column] for name, column in cells.items()}
    total = len(next(iter(cells.values())))
    tally = _Tally(dict.fromkeys(cells, 0), dict.fromkeys(cells, 0))
    count = resamples(units)
    for number in range(count):
        chosen = drawn("false alarms", number, units, total)
        deltas = {name: [column[i] for i in chosen] for name, column in sums.items()}
        beyond = [
            name for name in cells if sum(deltas[name]) < -limits[name] * sum(sizes[name][i] for i in chosen)
        ]
        if beyond:
            _count(tally, beyond, deltas, alpha)
    return FalseAlarms(
        resamples=count,
        naive={name: hits / count for name, hits in tally.beyond.items()},
        gate={name: hits / count for name, hits in tally.failed.items()},
        naive_any=tally.any_beyond / count,
        gate_any=tally.any_failed / count,
    )


def _count(tally: _Tally, beyond: Sequence[str], deltas: Mapping[str, list[int]], alpha: float) -> None:
    adjusted = dict(zip(deltas, holm([quick_p(column) for column in deltas.values()]), strict=True))
    failed = [name for name in beyond if adjusted[name] <= alpha + _FLOAT_SLACK]
    for name in beyond:
        tally.beyond[name] += 1
    for name in failed:
        tally.failed[name] += 1
    tally.any_beyond += 1
    tally.any_failed += bool(failed)
