"""Two independent samples: expected values are enumerated here or come from scipy 1.17.1."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.statistics import kolmogorov_smirnov, kolmogorov_smirnov_of_counts, rate_difference

small = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6)


def test_fisher_of_a_small_table_is_what_can_be_counted_by_hand() -> None:
    # 1 of 10 before, 8 of 10 now: P(X >= 8) with 9 hits among 20 = (C(10,8) C(10,1) + C(10,9)) / C(20,9).
    found = rate_difference((1, 10), (8, 10))
    assert found.p_higher == pytest.approx((comb(10, 8) * 10 + 10) / comb(20, 9), rel=1e-9)
    assert found.delta == pytest.approx(0.7)
    assert found.p_lower == pytest.approx(1 - comb(10, 9) / comb(20, 9), rel=1e-9)


def test_newcombe_interval_of_the_published_example() -> None:
    # Newcombe 1998, table II, example (a), method 10: 56/70 - 48/80 -> 0.0524 to 0.3339.
    found = rate_difference((48, 80), (56, 70))
    assert found.interval.low == pytest.approx(0.0524, abs=5e-5)
    assert found.interval.high == pytest.approx(0.3339, abs=5e-5)


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5), st.integers(0, 5))
def test_fisher_tails_are_the_sums_of_the_hypergeometric(k1: int, k2: int, more1: int, more2: int) -> None:
    n1, n2 = k1 + more1 + 1, k2 + more2 + 1
    hits, total = k1 + k2, n1 + n2
    chance = {x: comb(n2, x) * comb(n1, hits - x) / comb(total, hits) for x in range(min(hits, n2) + 1)}
    found = rate_difference((k1, n1), (k2, n2))
    assert found.p_higher == pytest.approx(sum(p for x, p in chance.items() if x >= k2), abs=1e-12)
    assert found.p_lower == pytest.approx(sum(p for x, p in chance.items() if x <= k2), abs=1e-12)


def test_a_million_requests_against_a_few_cases_is_quick_and_finite() -> None:
    rose = rate_difference((2, 250), (50_000, 1_000_000))
    assert 0 < rose.p_higher < 0.01
    assert rate_difference((10_000, 1_000_000), (50_000, 1_000_000)).p_higher == 0.0
    assert rate_difference((50_000, 1_000_000), (50_000, 1_000_000)).p_higher == pytest.approx(0.5, abs=0.01)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="not a count"):
        rate_difference((3, 2), (1, 2))
    with pytest.raises(ValueError, match="at least one value"):
        kolmogorov_smirnov([], [1.0])


@settings(deadline=None, max_examples=60)
@given(small, small)
def test_the_p_value_is_the_share_of_all_divisions_that_are_as_far_apart(
    first: list[float], second: list[float]
) -> None:
    pooled = first + second

    def distances(chosen: tuple[int, ...]) -> tuple[float, float]:
        one = [pooled[i] for i in chosen]
        two = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        over = [
            sum(v <= at for v in two) / len(two) - sum(v <= at for v in one) / len(one) for at in set(pooled)
        ]
        return max(map(abs, over)), max(0.0, *over)

    seen = distances(tuple(range(len(first))))
    all_of_them = [distances(chosen) for chosen in combinations(range(len(pooled)), len(first))]
    found = kolmogorov_smirnov(first, second)
    assert (found.distance, found.lower) == pytest.approx(seen)
    assert found.exact
    for p, at in ((found.p, 0), (found.p_lower, 1)):
        share = sum(item[at] >= seen[at] - 1e-9 for item in all_of_them) / len(all_of_them)
        assert p == pytest.approx(share, abs=1e-9)


def test_disjoint_samples_are_as_far_apart_as_can_be() -> None:
    found = kolmogorov_smirnov([5.0, 6.0, 7.0], [1.0, 2.0, 3.0])
    assert (found.distance, found.lower) == (1.0, 1.0)
    assert found.p == pytest.approx(2 / comb(6, 3))
    assert found.p_lower == pytest.approx(1 / comb(6, 3))
    assert kolmogorov_smirnov([1.0, 2.0, 3.0], [5.0, 6.0, 7.0]).lower == 0.0


def test_large_samples_take_the_limit() -> None:
    # scipy.stats.ks_2samp(range(3000), [v + 100 for v in range(3000)]): D = 0.0333..., pvalue = 0.0698 (asymp), 0.0713 (exact)
    first = Counter(map(float, range(3000)))
    second = Counter(float(value + 100) for value in range(3000))
    found = kolmogorov_smirnov_of_counts(first, second)
    assert not found.exact
    assert found.distance == pytest.approx(100 / 3000)
    assert found.p == pytest.approx(0.0698, abs=0.0005)


def test_exact_and_limit_agree_where_both_can_be_had() -> None:
    first = [float(value) for value in range(1000)]
    second = [float(value) + 55.5 for value in range(1000)]
    exact = kolmogorov_smirnov(first, second)
    # The value is that of scipy, method "exact".
    assert exact.exact
    assert exact.p == pytest.approx(0.0868, abs=0.0005)
