"""How often a real drop would be noticed, on top of the observed noise."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_gate.calibrate.draws import BITS, draws
from rag_gate.calibrate.material import Cell
from rag_gate.calibrate.quick_test import quick_p
from rag_gate.calibrate.resampling import drawn, resamples
from rag_gate.statistics import SCALE, to_lattice

_FLOAT_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Detection:
    """What the gate says when one metric really falls.

    Attributes:
        drop: the true drop of the mean.
        regressed: share of comparisons that fail.
        inconclusive: share that is beyond the tolerance and may be chance.
    """

    drop: float
    regressed: float
    inconclusive: float


def simulate_detection(
    units_of_metric: Sequence[tuple[Cell, ...]],
    *,
    drop: float,
    typical: float,
    limit: int,
    units: int,
    alpha: float,
) -> Detection | None:
    """Let single cases fall at random until the mean has fallen by ``drop``, and apply the rule.

    A real drop hits some cases hard rather than all a little: each case is hit with the same chance and
    then loses ``typical``, or what it has left. The noise is drawn as for false alarms.

    Args:
        units_of_metric: the metric's units (see ``cells_of``).
        drop: true drop of the mean, > 0.
        typical: what a hit case loses: 1 for 0/1 metrics, 0.5 for graded ones.
        limit: tolerance on the lattice.
        units: units of one comparison.
        alpha: level of the test; alpha / number of metrics stands for Holm's correction when only this
            metric moved.

    Returns:
        the shares, or None where the scores have not as much left to lose.
    """
    most = to_lattice(typical)
    losses = [[(delta, min(room, most)) for delta, room in unit] for unit in units_of_metric]
    chance = _chance(losses, to_lattice(drop))
    if chance is None:
        return None
    longest = max(map(len, losses))
    count, beyond, failed = resamples(units), 0, 0
    for number in range(count):
        chosen = [losses[i] for i in drawn("detection", number, units, len(losses))]
        words = iter(draws("hits", number, units * longest))
        deltas = list(_fallen(chosen, words, chance))
        if sum(deltas) < -limit * sum(map(len, chosen)):
            beyond += 1
            failed += quick_p(deltas) <= alpha + _FLOAT_SLACK
    return Detection(drop, failed / count, (beyond - failed) / count)


def _chance(losses: Sequence[Sequence[Cell]], drop: int) -> int | None:
    """Return the chance of a hit, of 2**32, that brings the mean down by ``drop``; None where none does."""
    cases = sum(map(len, losses))
    possible = sum(loss for unit in losses for _, loss in unit)
    if cases == 0 or drop * cases > possible:
        return None
    return (drop * cases << BITS) // possible


def _fallen(chosen: Sequence[Sequence[Cell]], words: Iterator[int], chance: int) -> Iterator[int]:
    for unit in chosen:
        total = 0
        for delta, loss in unit:
            total += delta - loss if next(words) < chance else delta
        yield total


def drops_of_interest(tolerance: float) -> list[float]:
    """Return the drops that are tried: the tolerance, twice the tolerance, 0.05 and 0.10."""
    steps = {to_lattice(tolerance), 2 * to_lattice(tolerance), to_lattice(0.05), to_lattice(0.10)}
    return [step / SCALE for step in sorted(steps) if step > 0]
