"""The exact two-sample test of Kolmogorov and Smirnov for samples of one size."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, ulp

#: A term that is so many times smaller than the sum changes no digit of a float.
_NEGLIGIBLE = 10**20


@dataclass(frozen=True, slots=True)
class KolmogorovSmirnov:
    """Result of the test.

    Attributes:
        distance: largest difference of the two distribution functions, in [0, 1].
        p: P(distance as large as seen), in (0, 1].
    """

    distance: float
    p: float


def kolmogorov_smirnov(first: Sequence[float], second: Sequence[float]) -> KolmogorovSmirnov:
    """Test whether two samples of n values each come from one distribution, both sides together.

    With k = n times the distance, ``p = 2 (C(2n, n-k) - C(2n, n-2k) + C(2n, n-3k) - ...) / C(2n, n)`` (Gnedenko and
    Korolyuk 1951). It is exact without ties. With ties, or where the two values of one question go up and down together,
    it is larger than the true chance: differences are then found later, never too soon.

    Args:
        first: finite numbers, at least one.
        second: as many.

    Raises:
        ValueError: if there are none, or not as many of both.
    """
    n = len(first)
    if not n or n != len(second):
        raise ValueError(f"needs two samples of one size, found {n} and {len(second)} values")
    one, other = sorted(first), sorted(second)
    steps = max(abs(bisect_right(one, value) - bisect_right(other, value)) for value in (*one, *other))
    return KolmogorovSmirnov(steps / n, _chance(n, steps))


def _chance(n: int, steps: int) -> float:
    if steps == 0:
        return 1.0
    total = 0
    for j in range(1, n // steps + 1):
        term = comb(2 * n, n - j * steps)
        if term * _NEGLIGIBLE < total:
            break
        total += term if j % 2 else -term
    # Never 0, though a float may round to it.
    return max(min(float(Fraction(2 * total, comb(2 * n, n))), 1.0), ulp(0.0))
