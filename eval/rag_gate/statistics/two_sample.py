"""Whether two independent samples differ: shares by Fisher's exact test, distributions by Kolmogorov and Smirnov."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, sqrt, ulp
from typing import Any

from rag_gate.statistics.intervals import Interval, wilson

_NEGLIGIBLE = 1e-17
_MOST_STEPS = 4_000_000
_ROUNDING = 1e-12
_TERMS = 101


@dataclass(frozen=True, slots=True)
class RateDifference:
    """A share in a second sample against the share in a first one.

    Attributes:
        first: share in the first sample, 0..1.
        second: share in the second sample, 0..1.
        delta: ``second - first``.
        interval: confidence interval of ``delta`` (Newcombe 1998, method 10: from two Wilson intervals).
        p_higher: P(so many in the second sample, or more) when both have one share; small = it rose.
        p_lower: the same for so few or fewer; small = it fell.
    """

    first: float
    second: float
    delta: float
    interval: Interval
    p_higher: float
    p_lower: float


@dataclass(frozen=True, slots=True)
class KolmogorovSmirnov:
    """A second sample of numbers against a first one.

    Attributes:
        distance: largest distance of the two distribution functions, 0..1 (Kolmogorov-Smirnov).
        p: P(so large a distance or a larger one) when both come from one distribution.
        lower: largest amount by which the second sample's distribution function lies above the first's:
            how far it lies towards lower values, 0..1.
        p_lower: ``p`` for ``lower`` alone (one-sided).
        exact: whether the p-values were counted out; else they are the asymptotic ones.
    """

    distance: float
    p: float
    lower: float
    p_lower: float
    exact: bool


def rate_difference(
    first: tuple[int, int], second: tuple[int, int], confidence: float = 0.95
) -> RateDifference:
    """Compare two shares, each given as (count, total), with Fisher's exact test.

    Raises:
        ValueError: if a count does not fit into its total, or a total is 0.
    """
    (k1, n1), (k2, n2) = first, second
    one, two = wilson(k1, n1, confidence), wilson(k2, n2, confidence)
    share, other = k1 / n1, k2 / n2
    delta = other - share
    low = delta - sqrt((other - two.low) ** 2 + (one.high - share) ** 2)
    high = delta + sqrt((two.high - other) ** 2 + (share - one.low) ** 2)
    return RateDifference(
        share,
        other,
        delta,
        Interval(max(-1.0, low), min(1.0, high)),
        p_higher=_fisher_higher(k1, n1, k2, n2),
        p_lower=_fisher_higher(k2, n2, k1, n1),
    )


def kolmogorov_smirnov(first: Sequence[float], second: Sequence[float]) -> KolmogorovSmirnov:
    """Compare two samples of numbers; equal numbers are handled exactly.

    Raises:
        ValueError: if a sample is empty.
    """
    return kolmogorov_smirnov_of_counts(Counter(first), Counter(second))


def kolmogorov_smirnov_of_counts(first: Mapping[Any, int], second: Mapping[Any, int]) -> KolmogorovSmirnov:
    """Compare two samples given as value -> how often, such as the counts of shared bins.

    For up to about 1,400 values each, the p-values are counted out over all ways of dividing the values
    among the two samples (exact with ties). Beyond that they are Kolmogorov's limit with Stephens' correction of 1970,
    which is too large rather than too small where there are ties.

    Raises:
        ValueError: if a sample is empty.
    """
    values: list[float] = sorted({*first, *second})
    groups = [(first.get(value, 0), second.get(value, 0)) for value in values]
    n1, n2 = sum(first.values()), sum(second.values())
    if not n1 or not n2:
        raise ValueError("a distribution needs at least one value in each sample")
    above = [b / n2 - a / n1 for a, b in _running(groups)]
    lower = max(0.0, *above)
    distance = max(lower, -min(above))
    exact = (n1 + n2) * min(n1, n2) <= _MOST_STEPS
    if exact:
        p = _tail(groups, n1, n2, distance, both=True)
        p_lower = _tail(groups, n1, n2, lower, both=False)
    else:
        size = sqrt(n1 * n2 / (n1 + n2))
        p = _kolmogorov((size + 0.12 + 0.11 / size) * distance)
        p_lower = exp(-2 * (size * lower) ** 2)
    return KolmogorovSmirnov(distance, _possible(p), lower, _possible(p_lower), exact)


def _possible(p: float) -> float:
    # Never 0, though a float may round to it.
    return max(min(p, 1.0), ulp(0.0))


def _running(groups: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    a = b = 0
    for one, two in groups:
        a, b = a + one, b + two
        yield a, b


def _tail(groups: Sequence[tuple[int, int]], n1: int, n2: int, seen: float, *, both: bool) -> float:
    """Return P(distance >= seen) over all ways of dealing the pooled values out to samples of these sizes.

    Walks through the values in order; ``chance[a]`` is the probability that ``a`` of those so far went to the first
    sample while the distance stayed below. It is looked at only where a group of equal values ends.
    """
    if seen <= 0:
        return 1.0
    limit = seen - _ROUNDING
    chance, reached, taken, total = {0: 1.0}, 0.0, 0, n1 + n2
    for size in (one + two for one, two in groups):
        for _ in range(size):
            chance = _dealt(chance, taken, n1, total)
            taken += 1
        kept = {}
        for a, probability in chance.items():
            over = (taken - a) / n2 - a / n1
            if over >= limit or (both and -over >= limit):
                reached += probability
            else:
                kept[a] = probability
        chance = kept
        if not chance:
            break
    return reached


def _dealt(chance: dict[int, float], taken: int, n1: int, total: int) -> dict[int, float]:
    """Give the next value to one of the samples."""
    left = total - taken
    following: dict[int, float] = {}
    for a, probability in chance.items():
        first = (n1 - a) / left
        if first > 0:
            following[a + 1] = following.get(a + 1, 0.0) + probability * first
        if first < 1:
            following[a] = following.get(a, 0.0) + probability * (1 - first)
    return following


def _kolmogorov(size: float) -> float:
    """Return P(K > size) of Kolmogorov's distribution: 2 sum (-1)^(j-1) exp(-2 j^2 size^2)."""
    if size < 0.2:  # noqa: PLR2004 - 1 to more than ten digits; the sum converges slowly there
        return 1.0
    return 2 * sum((1 if j % 2 else -1) * exp(-2 * (j * size) ** 2) for j in range(1, _TERMS))


def _fisher_higher(k1: int, n1: int, k2: int, n2: int) -> float:
    """Return P(X >= k2), X = how many of the k1 + k2 hits fall among n2 of n1 + n2 (hypergeometric)."""
    hits = k1 + k2
    low, high = max(0, hits - n1), min(hits, n2)
    if k2 <= low:
        return 1.0
    if k2 > hits * n2 / (n1 + n2):
        return min(1.0, _upper(k2, high, hits, n1, n2))
    # On the other side the sum is near 1: subtract the small tail instead, seen from the first sample.
    return max(0.0, 1.0 - _upper(k1 + 1, min(hits, n1), hits, n2, n1))


def _upper(start: int, high: int, hits: int, others: int, drawn: int) -> float:
    """Return P(start <= X <= high); the terms fall from ``start`` on."""
    if start > high:
        return 0.0
    first = exp(_choose(drawn, start) + _choose(others, hits - start) - _choose(drawn + others, hits))
    term, total = 1.0, 1.0
    for x in range(start, high):
        term *= (drawn - x) * (hits - x) / ((x + 1) * (others - hits + x + 1))
        total += term
        if term < _NEGLIGIBLE * total:
            break
    return first * total


def _choose(n: int, k: int) -> float:
    """Return log of n over k."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
