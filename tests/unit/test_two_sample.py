import time
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.statistics import kolmogorov_smirnov

VALUES = st.lists(st.floats(-5, 5, allow_nan=False), min_size=1, max_size=30)


def by_counting(first: list[float], second: list[float]) -> tuple[float, float]:
    """Share of all ways to deal the values into two hands that are at least as far apart."""
    pool = sorted([*first, *second])
    n = len(first)

    def steps(hand: set[int]) -> int:
        walked = [0]
        for place in range(2 * n):
            walked.append(walked[-1] + (1 if place in hand else -1))
        return max(map(abs, walked))

    places = {pool.index(value) for value in first}
    seen = steps(places)
    hands = [steps(set(hand)) for hand in combinations(range(2 * n), n)]
    return seen / n, sum(hand >= seen for hand in hands) / len(hands)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("shift", [0.5, 1.5, 2.5, 10.5])
def test_the_chance_is_the_share_of_all_ways_to_deal_the_values(size: int, shift: float) -> None:
    first = [float(value) for value in range(size)]
    second = [value + shift for value in first]
    distance, share = by_counting(first, second)
    found = kolmogorov_smirnov(first, second)
    assert found.distance == pytest.approx(distance)
    assert found.p == pytest.approx(share)


def test_equal_samples_differ_by_nothing() -> None:
    assert kolmogorov_smirnov([0.3, 0.5], [0.5, 0.3]).p == 1.0


@given(VALUES)
def test_the_sides_can_be_exchanged_and_the_order_does_not_matter(first: list[float]) -> None:
    second = [value * 1.5 + 0.1 for value in reversed(first)]
    there, back = kolmogorov_smirnov(first, second), kolmogorov_smirnov(second, sorted(first))
    assert there.distance == back.distance
    assert there.p == pytest.approx(back.p)
    assert 0 < there.p <= 1


def test_large_samples_take_no_time() -> None:
    started = time.monotonic()
    first = [float(value) for value in range(4000)]
    assert kolmogorov_smirnov(first, [value + 1 for value in first]).p > 0.99
    assert kolmogorov_smirnov(first, [value + 4000 for value in first]).p > 0
    assert time.monotonic() - started < 10
