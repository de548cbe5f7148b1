"""The scores of several runs of one commit, arranged for comparing and for drawing again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rag_gate.records.results import Results
from rag_gate.regression import MetricSpec, pair_cases
from rag_gate.regression.comparison import orientation
from rag_gate.regression.pairing import Pair
from rag_gate.regression.sides import measured_rows, score_map
from rag_gate.statistics import to_lattice

#: A case of one pair of runs: its change on the lattice, and how far it can still fall.
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MetricPairs:
    """One metric in every pair of runs.

    Attributes:
        spec: how the metric gates.
        pairs: cases with a score on both sides, one tuple per pair of runs.
    """

    spec: MetricSpec
    pairs: tuple[tuple[Pair, ...], ...]

    @property
    def binary(self) -> bool:
        """Whether all scores are 0 or 1."""
        return all(
            score in (0.0, 1.0) for run in self.pairs for pair in run for score in (pair.base, pair.current)
        )


def pairs_of(runs: Sequence[Results], specs: Mapping[str, MetricSpec]) -> dict[str, MetricPairs]:
    """Pair the cases of every two runs, per metric; metrics without a single pair are left out."""
    found = {}
    for name, spec in specs.items():
        maps = [score_map(name, measured_rows(run)) for run in runs]
        pairs = tuple(pair_cases(first, second).pairs for first, second in combinations(maps, 2))
        if any(pairs):
            found[name] = MetricPairs(spec, pairs)
    return found


def cells_of(metrics: Mapping[str, MetricPairs]) -> dict[str, list[tuple[Cell, ...]]]:
    """Return, per metric, every independent unit of every pair of runs, first as it is, then swapped.

    The lists of all metrics are parallel, so that one draw takes a unit with all its metrics: what they
    have in common stays in common. Swapped means that the two runs changed places, which is as likely
    when nothing differs between them. A unit is a case, or all cases of a cluster where a metric gates
    by cluster; it is empty where a metric has no score for it.
    """
    clustered = any(metric.spec.cluster for metric in metrics.values())
    tables = {
        name: [_by_unit(pairs, clustered=clustered) for pairs in metric.pairs]
        for name, metric in metrics.items()
    }
    keys = sorted(
        {(number, key) for table in tables.values() for number, units in enumerate(table) for key in units}
    )
    cells: dict[str, list[tuple[Cell, ...]]] = {}
    for name, metric in metrics.items():
        units = [tables[name][number].get(key, []) for number, key in keys]
        cells[name] = [_cells(unit, metric, swap=swap) for swap in (False, True) for unit in units]
    return cells


def _by_unit(pairs: Sequence[Pair], *, clustered: bool) -> dict[tuple[str, str], list[Pair]]:
    units: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        key = ("case", pair.case_id)
        if clustered and pair.case.cluster is not None:
            key = ("cluster", pair.case.cluster)
        units.setdefault(key, []).append(pair)
    return units


def _cells(unit: Sequence[Pair], metric: MetricPairs, *, swap: bool) -> tuple[Cell, ...]:
    sign = orientation(metric.spec.direction)
    cells = []
    for pair in unit:
        before, after = (pair.current, pair.base) if swap else (pair.base, pair.current)
        room = after if sign > 0 else 1.0 - after
        cells.append((to_lattice(sign * (after - before)), max(0, to_lattice(room))))
    return tuple(cells)
