"""The distribution of a random subset's sum where only a few sizes occur, each of them often."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import comb, fsum

_MOST_PAIRS = 1_000_000
"""Pairs of sums that are looked at for one half: less than half a second."""

_NEGLIGIBLE = 1e-20

Weights = dict[int, float]


def few_sizes_tails(sizes: Sequence[int], bounds: Sequence[int]) -> list[float] | None:
    """Return P(sum >= bound) for each bound, good to 12 decimals; None where it would be too much work.

    How many of n equal sizes are drawn is binomial; the sizes are put together by convolution. Such sums
    lie on a coarse grid of their own, so that no smooth expansion describes them.
    """
    parts = sorted((_drawn(size, count) for size, count in sorted(Counter(sizes).items())), key=len)
    left = _convolved(parts[::2])
    right = None if left is None else _convolved(parts[1::2])
    if left is None or right is None:
        return None
    sums = sorted(right)
    from_top = [0.0, *accumulate(right[value] for value in reversed(sums))]
    return [
        fsum(
            weight * from_top[len(sums) - bisect_left(sums, bound - value)] for value, weight in left.items()
        )
        for bound in bounds
    ]


def _drawn(size: int, count: int) -> Weights:
    """Return the sum of a random subset of ``count`` equal sizes, without what is negligible."""
    middle = count // 2
    weight = comb(count, middle) / (1 << count)
    weights: Weights = {}
    for drawn in range(middle, count + 1):
        if weight < _NEGLIGIBLE:
            break
        weights[drawn * size] = weights[(count - drawn) * size] = weight
        weight *= (count - drawn) / (drawn + 1)
    return weights


def _convolved(parts: Sequence[Weights]) -> Weights | None:
    sums: Weights = {0: 1.0}
    pairs = 0
    for part in parts:
        pairs += len(sums) * len(part)
        if pairs > _MOST_PAIRS:
            return None
        wider: Weights = {}
        for value, weight in sums.items():
            for more, chance in part.items():
                wider[value + more] = wider.get(value + more, 0.0) + weight * chance
        sums = wider
    return sums
