"""What is simulated: one cell per row and column of the tables, and how often each is repeated."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import median_low

from simulation.drift import drift, lost
from simulation.generators import GENERATORS
from simulation.replications import Seen, detection, false_alarm, two_stage
from simulation.scenarios import SCENARIOS

Row = dict[str, object]

METRICS = list(GENERATORS)
CORE, WHOLE = 50, 500
SHARES = {10: 1.0, 50: 1.0, 150: 0.5, 500: 0.25}
"""Part of the asked replications for so many cases: the larger are slower, and vary less."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        kind: table.
        n: cases.
        replications: how often it is simulated.
        scenario: change, of false alarms.
        drop: true drop of one metric, each in turn; per merge, of drift.
    """

    kind: str
    n: int
    replications: int
    scenario: str = "neutral"
    drop: float = 0.0

    def chance(self, seed: int, number: int) -> Random:
        """Return a source of chance that depends on nothing but the cell and the replication."""
        return Random(f"{seed}/{self.kind}/{self.n}/{self.scenario}/{self.drop}/{number}")  # noqa: S311 - no secret


def cells(replications: int) -> Iterator[Cell]:
    """List every cell of the tables."""
    for n, share in SHARES.items():
        repeated = max(len(METRICS), round(replications * share))
        for scenario in SCENARIOS:
            yield Cell("false_alarms", n, repeated, scenario)
        if n >= CORE:
            for drop in (0.03, 0.05, 0.10):
                yield Cell("detection", n, repeated, drop=drop)
    quarter = max(len(METRICS), round(replications * SHARES[WHOLE]))
    for drop in (0.0, 0.03, 0.05, 0.10):
        yield Cell("two_stage", CORE, quarter, drop=drop)
    for n, step in [(WHOLE, step) for step in (0.0, 0.002, 0.005, 0.01, 0.02)] + [(CORE, 0.0), (CORE, 0.01)]:
        yield Cell("drift", n, quarter, drop=step)


def figures_of(cell: Cell, seed: int) -> Row:
    """Simulate one cell and return its rates."""
    row: Row = {"n": cell.n, "replications": cell.replications}
    if cell.kind == "false_alarms":
        row["scenario"] = cell.scenario
    else:
        row["drop"] = cell.drop
    return row | (_drift(cell, seed) if cell.kind == "drift" else _rates(cell, seed))


def _rates(cell: Cell, seed: int) -> Row:
    totals: Counter[str] = Counter()
    for number in range(cell.replications):
        totals.update(_once(cell, cell.chance(seed, number), METRICS[number % len(METRICS)]))
    return {name: round(total / cell.replications, 4) for name, total in totals.items()}


def _once(cell: Cell, rng: Random, metric: str) -> Seen:
    if cell.kind == "false_alarms":
        return false_alarm(rng, cell.n, cell.scenario)
    if cell.kind == "detection":
        return detection(rng, cell.n, metric, cell.drop)
    return two_stage(rng, CORE, WHOLE, {metric: cell.drop})


def _drift(cell: Cell, seed: int) -> Row:
    """Return how many chains were stopped, and for those the median merge and the true loss by then."""
    chains = [drift(cell.chance(seed, number), cell.n, cell.drop) for number in range(cell.replications)]
    row: Row = {}
    for name in chains[0]:
        merges = [merge for chain in chains if (merge := chain[name]) is not None]
        row[name] = round(len(merges) / len(chains), 4)
        row[f"{name}_merge"] = median_low(merges) if merges else None
        row[f"{name}_lost"] = round(lost(cell.n, cell.drop, median_low(merges)), 4) if merges else None
    return row
