import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.statistics import (
    agresti_min,
    beta_cdf,
    beta_quantile,
    clopper_pearson,
    clustered_t,
    paired_t,
    standard_deviation,
    t_cdf,
    t_quantile,
    upper_bound,
    wilson,
)

counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
deltas = st.lists(st.integers(-1000, 1000).map(lambda step: step / 1000), min_size=2, max_size=40)


@settings(deadline=None)
@given(counts)
def test_intervals_of_a_share_contain_it(count: tuple[int, int]) -> None:
    k, n = count
    for interval in (clopper_pearson(k, n), wilson(k, n)):
        assert 0 <= interval.low <= k / n <= interval.high <= 1
    assert k / n <= upper_bound(k, n) <= clopper_pearson(k, n).high


@settings(deadline=None)
@given(counts)
def test_intervals_mirror_when_successes_and_failures_swap(count: tuple[int, int]) -> None:
    k, n = count
    for interval, mirrored in ((clopper_pearson, clopper_pearson(n - k, n)), (wilson, wilson(n - k, n))):
        assert interval(k, n).low == pytest.approx(1 - mirrored.high, abs=1e-12)


def test_no_failure_in_25_leaves_room_for_eleven_percent() -> None:
    assert upper_bound(0, 25) == pytest.approx(1 - 0.05 ** (1 / 25), abs=1e-12)
    assert upper_bound(25, 25) == 1.0


@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    for function in (clopper_pearson, wilson, upper_bound):
        with pytest.raises(ValueError, match="not a count"):
            function(k, n)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_paired_binary_interval_contains_the_difference(wins: int, losses: int, ties: int) -> None:
    n = wins + losses + ties
    if not n:
        return
    interval = agresti_min(wins, losses, n)
    assert -1 <= interval.low <= (wins - losses) / n <= interval.high <= 1


def test_paired_binary_interval_by_hand() -> None:
    # Cells 2.5 and 6.5 of 52; the half width is the normal quantile times sqrt(0.167160 / 52).
    interval = agresti_min(2, 6, 50)
    assert interval.low == pytest.approx(-4 / 52 - 0.0932592, abs=1e-6)
    assert interval.high == pytest.approx(-4 / 52 + 0.0932592, abs=1e-6)


def test_impossible_paired_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="not a count"):
        agresti_min(3, 3, 5)
    with pytest.raises(ValueError, match="negative"):
        agresti_min(-1, 3, 5)


@settings(deadline=None)
@given(deltas)
def test_t_interval_contains_the_mean_and_is_symmetric(values: list[float]) -> None:
    found = paired_t(values)
    assert found.interval.low <= found.delta <= found.interval.high
    assert found.delta - found.interval.low == pytest.approx(found.interval.high - found.delta, abs=1e-12)
    assert found.sd == standard_deviation(values)


def test_equal_differences_have_no_t() -> None:
    found = paired_t([-0.03] * 10)
    assert found.delta == pytest.approx(-0.03)
    assert (found.sd, found.t, found.p_less) == (0.0, None, None)


def test_one_difference_has_no_spread() -> None:
    with pytest.raises(ValueError, match="two"):
        paired_t([0.1])
    with pytest.raises(ValueError, match="two"):
        clustered_t([0.1, 0.2], ["a", "a"])


@settings(deadline=None)
@given(deltas)
def test_clusters_of_one_are_the_plain_interval(values: list[float]) -> None:
    plain, clustered = paired_t(values), clustered_t(values, range(len(values)))
    assert clustered.se == pytest.approx(plain.se, abs=1e-12)
    assert clustered.interval == pytest.approx(plain.interval, abs=1e-12)


def test_copies_in_a_cluster_add_no_certainty() -> None:
    values = [0.1, -0.2, 0.3, 0.0, -0.1]
    copied = clustered_t(values * 4, list(range(5)) * 4)
    assert copied.se == pytest.approx(paired_t(values).se, abs=1e-12)
    assert copied.interval == pytest.approx(paired_t(values).interval, abs=1e-12)


def test_every_difference_needs_its_cluster() -> None:
    with pytest.raises(ValueError, match="cluster"):
        clustered_t([0.1, 0.2], ["a"])


@pytest.mark.parametrize(
    ("q", "df", "expected"),
    [
        (0.95, 1, 6.313751514675043),
        (0.975, 2, 4.302652729696142),
        (0.95, 49, 1.6765508926168529),
        (0.05, 49, -1.6765508926168529),
        (0.995, 10, 3.1692726726169505),
        (0.5, 7, 0.0),
        (0.999999, 1, 318309.8861827),
    ],
)
def test_t_quantiles_match_the_tables(q: float, df: float, expected: float) -> None:
    assert t_quantile(q, df) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@settings(deadline=None)
@given(st.floats(0.001, 0.999), st.integers(1, 1000))
def test_t_quantile_inverts_the_distribution(q: float, df: int) -> None:
    assert t_cdf(t_quantile(q, df), df) == pytest.approx(q, abs=1e-10)


@pytest.mark.parametrize("q", [0.0, 1.0, -0.1])
def test_t_quantile_of_certainty_is_refused(q: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(q, 5)


@settings(deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0.5, 300), st.floats(0.5, 300))
def test_beta_quantile_inverts_the_distribution(q: float, a: float, b: float) -> None:
    assert beta_cdf(beta_quantile(q, a, b), a, b) == pytest.approx(q, abs=1e-9)


def test_beta_distribution_ends_at_0_and_1() -> None:
    assert beta_cdf(0.0, 2, 3) == 0.0
    assert beta_cdf(1.0, 2, 3) == 1.0
    assert beta_cdf(0.25, 1, 1) == pytest.approx(0.25, abs=1e-14)
