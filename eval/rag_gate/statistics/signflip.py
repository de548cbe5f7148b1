"""The exact one-sided sign-flip (paired permutation) test."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ulp

from rag_gate.statistics.subset_sums import subset_tail


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Result of a sign-flip test; a small ``p`` speaks for "got worse", a small ``p_up`` for "got better".

    Attributes:
        p: P(loss as large as seen), in (0, 1]; 1 when nothing changed.
        mid_p: the same with half the weight on "exactly as large".
        p_up: ``p`` with the signs reversed.
        n_changed: units with a nonzero change.
        wins: units that got better.
        losses: units that got worse.
        ties: units without a change.
        numerator: of ``p`` as a reduced fraction.
        denominator: of ``p`` as a reduced fraction.
        exact: false where the sizes were too many or too large to enumerate.
    """

    p: float
    mid_p: float
    p_up: float
    n_changed: int
    wins: int
    losses: int
    ties: int
    numerator: int
    denominator: int
    exact: bool


def sign_flip(deltas: Sequence[int]) -> SignFlip:
    """Test whether paired differences lean towards the negative side.

    Under "no change for the worse" each difference is as likely to have either sign. With L the total of
    the losses and T the sum of a random subset of all sizes, ``p = P(T >= L)``. For differences of one
    size it is the exact one-sided McNemar test. No random numbers are drawn.

    Args:
        deltas: differences on a lattice (see ``to_lattice``), negative = worse, one per independent unit.
    """
    losses = [-delta for delta in deltas if delta < 0]
    gains = [delta for delta in deltas if delta > 0]
    changed = len(losses) + len(gains)
    ties = len(deltas) - changed
    if not changed:
        return SignFlip(1.0, 1.0, 1.0, 0, 0, 0, ties, 1, 1, exact=True)
    tail = subset_tail(losses, gains)
    return SignFlip(
        p=_positive(tail.at_least),
        mid_p=_positive((tail.at_least + tail.above) / 2),
        p_up=_positive(1 - tail.above),
        n_changed=changed,
        wins=len(gains),
        losses=len(losses),
        ties=ties,
        numerator=tail.at_least.numerator,
        denominator=tail.at_least.denominator,
        exact=tail.exact,
    )


def _positive(probability: Fraction) -> float:
    # A permutation p-value is never 0 (Phipson and Smyth 2010), though a float may round to it.
    return max(float(probability), ulp(0.0))
