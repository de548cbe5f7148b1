"""The numbers of one metric's comparison: change, tolerance, test, interval."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from rag_gate.records.verdict import Direction
from rag_gate.regression.inputs import GateSettings, MetricSpec
from rag_gate.regression.pairing import Pair, Pairing
from rag_gate.statistics import (
    P_SCALE,
    Interval,
    SignFlip,
    agresti_min,
    cases_needed,
    clustered_t,
    detectable_effect,
    mean,
    paired_t,
    sign_flip,
    standard_deviation,
    to_lattice,
)

_TYPICAL_GRADED_DROP = 0.5


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the pairs of one metric say.

    Attributes:
        deltas: oriented difference per pair, negative = worse.
        steps: the same on the lattice of the p-values.
        units: cluster per pair, a unit of its own for a case without one.
        test: sign-flip test over the units.
        binary: whether all scores are 0 or 1.
    """

    deltas: tuple[float, ...]
    steps: tuple[int, ...]
    units: tuple[Hashable, ...]
    test: SignFlip
    binary: bool

    @property
    def delta(self) -> float:
        """Mean of the deltas."""
        return mean(self.deltas)

    @property
    def n_units(self) -> int:
        """Number of independent units."""
        return len(set(self.units))


def compare(pairs: Sequence[Pair], *, direction: Direction, cluster: bool) -> Comparison:
    """Compare the two sides of one or more pairs."""
    sign = orientation(direction)
    deltas = tuple(sign * (pair.current - pair.base) for pair in pairs)
    steps = tuple(to_lattice(delta, P_SCALE) for delta in deltas)
    units = tuple(_unit(pair, cluster=cluster) for pair in pairs)
    sums: dict[Hashable, int] = {}
    for unit, step in zip(units, steps, strict=True):
        sums[unit] = sums.get(unit, 0) + step
    binary = all(score in (0.0, 1.0) for pair in pairs for score in (pair.base, pair.current))
    return Comparison(deltas, steps, units, sign_flip(list(sums.values())), binary)


def orientation(direction: Direction) -> int:
    """Return 1 where higher is better and -1 where lower is."""
    return 1 if direction == "higher" else -1


def _unit(pair: Pair, *, cluster: bool) -> Hashable:
    if cluster and pair.case.cluster is not None:
        return ("cluster", pair.case.cluster)
    return ("case", pair.case_id)


def is_beyond(deltas: Sequence[float], tolerance: float) -> bool:
    """Return whether the mean drop is larger than the tolerance; exactly as large is not."""
    return sum(map(to_lattice, deltas)) < -to_lattice(tolerance) * len(deltas)


def worst_case_deltas(comparison: Comparison, pairing: Pairing, direction: Direction) -> list[float]:
    """Return the deltas as if every missing current case had the worst score (0, or 1 where lower is better)."""
    worst = 0.0 if direction == "higher" else 1.0
    sign = orientation(direction)
    return [*comparison.deltas, *(sign * (worst - base) for base in pairing.lost_base_scores)]


def interval_of(comparison: Comparison) -> Interval | None:
    """Return the 90 % interval of the mean delta; None where there are too few units for one.

    Clusters get their own standard error; 0/1 scores get Agresti and Min's interval, others Student's t.
    """
    if comparison.n_units < 2:  # noqa: PLR2004 - spread needs two
        return None
    if comparison.n_units < len(comparison.deltas):
        return clustered_t(comparison.deltas, comparison.units).interval
    if comparison.binary:
        wins, losses, _ = counts(comparison)
        return agresti_min(wins, losses, len(comparison.deltas))
    return paired_t(comparison.deltas).interval


def counts(comparison: Comparison) -> tuple[int, int, int]:
    """Return how many cases got better, got worse and stayed the same."""
    wins = sum(step > 0 for step in comparison.steps)
    losses = sum(step < 0 for step in comparison.steps)
    return wins, losses, len(comparison.steps) - wins - losses


def detectable(comparison: Comparison, spec: MetricSpec, settings: GateSettings) -> float | None:
    """Return the drop that this many units fail reliably; None below two pairs or without a tolerance."""
    if len(comparison.deltas) < 2 or spec.tolerance is None:  # noqa: PLR2004 - spread needs two
        return None
    return detectable_effect(
        sd0=standard_deviation(comparison.deltas),
        typical_drop=_typical_drop(comparison),
        n=_effective_pairs(comparison),
        alpha=settings.alpha,
        power=settings.power,
        tolerance=spec.tolerance,
    )


def pairs_needed(comparison: Comparison, spec: MetricSpec, settings: GateSettings, drop: float) -> int | None:
    """Return how many pairs, spread and clustered like these, fail a drop reliably.

    None where no number does (the drop is not beyond the tolerance), or where it cannot be told from
    these pairs.
    """
    pairs = len(comparison.deltas)
    if pairs < 2 or spec.tolerance is None:  # noqa: PLR2004 - spread needs two
        return None
    independent = cases_needed(
        drop=drop,
        sd0=standard_deviation(comparison.deltas),
        typical_drop=_typical_drop(comparison),
        alpha=settings.alpha,
        power=settings.power,
        tolerance=spec.tolerance,
    )
    return None if independent is None else ceil(independent * pairs / _effective_pairs(comparison) - 1e-9)


def _typical_drop(comparison: Comparison) -> float:
    return 1.0 if comparison.binary else _TYPICAL_GRADED_DROP


def _effective_pairs(comparison: Comparison) -> float:
    """Return how many independent pairs the clustered pairs are worth (Kish's design effect)."""
    pairs = len(comparison.deltas)
    if not 1 < comparison.n_units < pairs:
        return float(comparison.n_units)
    clustered = clustered_t(comparison.deltas, comparison.units).se
    independent = standard_deviation(comparison.deltas) / sqrt(pairs)
    if independent == 0:
        return float(comparison.n_units)
    return pairs / max(1.0, (clustered / independent) ** 2)
