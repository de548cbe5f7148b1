"""Confidence intervals for proportions and for paired differences."""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from rag_gate.statistics.beta import beta_quantile


class Interval(NamedTuple):
    """A confidence interval, ``low <= high``."""

    low: float
    high: float


def clopper_pearson(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Return the exact two-sided interval for ``k`` of ``n`` (Clopper and Pearson 1934).

    Raises:
        ValueError: if not ``0 <= k <= n`` with ``n >= 1``.
    """
    _check(k, n)
    side = (1 - confidence) / 2
    low = beta_quantile(side, k, n - k + 1) if k else 0.0
    high = beta_quantile(1 - side, k + 1, n - k) if k < n else 1.0
    return Interval(low, high)


def upper_bound(k: int, n: int, confidence: float = 0.95) -> float:
    """Return the exact one-sided upper bound of a rate seen ``k`` times in ``n``.

    Raises:
        ValueError: if not ``0 <= k <= n`` with ``n >= 1``.
    """
    _check(k, n)
    return beta_quantile(confidence, k + 1, n - k) if k < n else 1.0


def wilson(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Return the score interval for ``k`` of ``n`` (Wilson 1927), without continuity correction.

    Raises:
        ValueError: if not ``0 <= k <= n`` with ``n >= 1``.
    """
    _check(k, n)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, shrink = k / n, 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z / shrink * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = max(0.0, centre - half) if k else 0.0
    high = min(1.0, centre + half) if k < n else 1.0
    return Interval(low, high)


def agresti_min(wins: int, losses: int, n: int, confidence: float = 0.90) -> Interval:
    """Return the interval for the mean difference of ``n`` paired 0/1 scores.

    Wald's interval after half a pair is added to each of the four cells (Agresti and Min 2005). It keeps
    its coverage where few or no pairs changed and Student's t does not.

    Args:
        wins: pairs that went from 0 to 1.
        losses: pairs that went from 1 to 0.
        n: all pairs.
        confidence: two-sided level.

    Raises:
        ValueError: if the counts do not fit into ``n``, or ``n`` is 0.
    """
    if min(wins, losses) < 0:
        raise ValueError("wins and losses cannot be negative")
    _check(wins + losses, n)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    better, worse = (wins + 0.5) / (n + 2), (losses + 0.5) / (n + 2)
    delta = better - worse
    half = z * sqrt((better + worse - delta * delta) / (n + 2))
    return Interval(max(-1.0, delta - half), min(1.0, delta + half))


def _check(k: int, n: int) -> None:
    if n < 1 or not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a count out of a total")
