"""How likely the sum of a random subset reaches a bound: the distribution behind the sign-flip test."""

from fractions import Fraction
from itertools import accumulate
from math import gcd, sqrt
from operator import mul
from statistics import NormalDist
from typing import NamedTuple

from rag_gate.statistics.few_sizes import few_sizes_tails

_WORK_LIMIT = 70_000_000_000
"""Largest ``m * m * sum`` that is enumerated: about half a second."""

_LONGEST = 500_000
"""Largest sum of sizes that is enumerated."""

_NEARLY_NORMAL = 0.02
"""Excess kurtosis below which the expansion is good to about six decimals."""


class Tail(NamedTuple):
    """P(T >= bound) and P(T > bound), T being the sum of a uniformly random subset."""

    at_least: Fraction
    above: Fraction
    exact: bool


def subset_tail(losses: list[int], gains: list[int]) -> Tail:
    """Return the tail of the subset sums of all sizes at the bound ``sum(losses)``.

    Exact for any number of equal sizes and for 400 sizes up to 1,000. Where enumeration would be too much
    work, ``exact`` is false: a few different sizes are convolved in floating point, to 12 decimals; many,
    of which none stands out, take an Edgeworth expansion to the fourth cumulant (Feller, vol. 2, XVI.4);
    otherwise the sizes are rounded to a coarser lattice first.

    Args:
        losses: sizes of the changes for the worse, each > 0.
        gains: sizes of the changes for the better, each > 0; at least one size in the two lists.
    """
    unit = gcd(*losses, *gains)
    losses, gains = [a // unit for a in losses], [a // unit for a in gains]
    sizes = sorted(losses + gains)
    if sizes[-1] == 1:
        return _binomial_tail(len(sizes), len(losses))
    step = _coarsening(sizes)
    if step == 1:
        return _packed_tail(sizes, sum(losses))
    tails = few_sizes_tails(sizes, (sum(losses), sum(losses) + 1))
    if tails:
        return _measured(*tails, count=len(sizes))
    if -_kurtosis(sizes) < _NEARLY_NORMAL:
        return _edgeworth_tail(sizes, sum(losses))
    losses, gains = _coarser(losses, step), _coarser(gains, step)
    return _packed_tail(sorted(losses + gains), sum(losses))._replace(exact=False)


def _coarsening(sizes: list[int]) -> int:
    """Return by how much the sizes must shrink to be enumerated; 1 if they need not."""
    total = sum(sizes)
    work = len(sizes) ** 2 * total
    return max(1, -(-work // _WORK_LIMIT), -(-total // _LONGEST))


def _kurtosis(sizes: list[int]) -> float:
    return -2 * sum(size**4 for size in sizes) / sum(size * size for size in sizes) ** 2


def _coarser(sizes: list[int], step: int) -> list[int]:
    return [max(1, (size + step // 2) // step) for size in sizes]


def _binomial_tail(changes: int, losses: int) -> Tail:
    """Equal sizes: the exact one-sided McNemar test."""
    smaller = min(losses, changes - losses)
    below, here = 0, 1
    for k in range(smaller):
        below += here
        here = here * (changes - k) // (k + 1)
    total = 1 << changes
    at_least = total - below if losses == smaller else below + here
    return Tail(Fraction(at_least, total), Fraction(at_least - here, total), exact=True)


def _packed_tail(sizes: list[int], bound: int) -> Tail:
    """Meet in the middle: count the sums of two halves, then the pairs of sums that reach the bound."""
    left, right = _counts(sizes[::2]), _counts(sizes[1::2])
    # from_top[j]: number of right subsets whose sum is among the j + 1 largest.
    from_top = list(accumulate(reversed(right)))
    total = 1 << len(sizes)
    at_least = _pairs_reaching(left, from_top, bound)
    above = _pairs_reaching(left, from_top, bound + 1)
    return Tail(Fraction(at_least, total), Fraction(above, total), exact=True)


def _counts(sizes: list[int]) -> list[int]:
    """Return how many subsets have each sum, from the product of ``1 + z**size`` held in one integer."""
    width = len(sizes) // 8 + 1
    packed = 1
    for size in sizes:
        packed += packed << (8 * width * size)
    length = width * (sum(sizes) + 1)
    data = packed.to_bytes(length, "little")
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, length, width)]


def _pairs_reaching(left: list[int], from_top: list[int], bound: int) -> int:
    last = len(from_top) - 1
    first, beyond = max(0, bound - last), max(0, min(len(left), bound))
    partial: int = sum(map(mul, left[first:beyond], from_top[last - bound + first :]))
    return partial + sum(left[beyond:]) * from_top[-1]


def _edgeworth_tail(sizes: list[int], bound: int) -> Tail:
    deviation = sqrt(sum(size * size for size in sizes)) / 2
    kurtosis = _kurtosis(sizes)
    centre = sum(sizes) / 2
    normal = NormalDist()

    def upper(at: float) -> Fraction:
        z = (at - centre) / deviation
        value = normal.cdf(-z) + normal.pdf(z) * kurtosis / 24 * (z**3 - 3 * z)
        return Fraction(min(max(value, 0.0), 1.0))

    return _measured(upper(bound - 0.5), upper(bound + 0.5), count=len(sizes))


def _measured(at_least: float | Fraction, above: float | Fraction, *, count: int) -> Tail:
    """Keep an approximation within what is possible: one subset reaches every bound, one exceeds none."""
    floor = Fraction(1, 1 << count)
    above = min(max(Fraction(above), Fraction(0)), 1 - floor)
    return Tail(min(max(Fraction(at_least), above, floor), Fraction(1)), above, exact=False)
