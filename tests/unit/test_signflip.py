import itertools
import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.statistics import sign_flip
from rag_gate.statistics.few_sizes import few_sizes_tails

small = st.lists(st.integers(-1000, 1000), max_size=12)


def enumerate_signs(deltas: list[int]) -> tuple[Fraction, Fraction, Fraction]:
    sizes = [abs(delta) for delta in deltas]
    loss = -sum(delta for delta in deltas if delta < 0)
    sums = [sum(chosen) for chosen in itertools.product(*((0, size) for size in sizes))]
    reach = Fraction(sum(total >= loss for total in sums), len(sums))
    above = Fraction(sum(total > loss for total in sums), len(sums))
    return reach, (reach + above) / 2, 1 - above


@settings(deadline=None)
@given(small)
def test_p_equals_enumeration(deltas: list[int]) -> None:
    found = sign_flip(deltas)
    if not any(deltas):
        assert (found.p, found.mid_p, found.p_up) == (1.0, 1.0, 1.0)
        return
    p, mid_p, p_up = enumerate_signs(deltas)
    assert Fraction(found.numerator, found.denominator) == p
    assert (found.p, found.mid_p, found.p_up) == (float(p), float(mid_p), float(p_up))
    assert found.exact


@settings(deadline=None)
@given(st.lists(st.integers(-300, 300), max_size=40))
def test_p_is_a_probability_and_both_sides_cover_everything(deltas: list[int]) -> None:
    found = sign_flip(deltas)
    assert 0 < found.mid_p <= found.p <= 1
    assert 0 < found.p_up <= 1
    assert found.p + found.p_up >= 1
    assert found.wins + found.losses + found.ties == len(deltas)
    assert found.n_changed == found.wins + found.losses


@settings(deadline=None)
@given(st.lists(st.integers(-300, 300), max_size=30), st.randoms(use_true_random=False), st.integers(1, 50))
def test_order_and_unit_do_not_matter(deltas: list[int], shuffler: random.Random, unit: int) -> None:
    shuffled = [delta * unit for delta in deltas]
    shuffler.shuffle(shuffled)
    assert sign_flip(shuffled) == sign_flip(deltas)


@settings(deadline=None)
@given(st.lists(st.integers(-300, 300), max_size=30))
def test_reversing_the_signs_swaps_the_sides(deltas: list[int]) -> None:
    found, reversed_ = sign_flip(deltas), sign_flip([-delta for delta in deltas])
    assert (found.p, found.p_up) == (reversed_.p_up, reversed_.p)


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_equal_sizes_give_the_binomial(losses: int, wins: int) -> None:
    found = sign_flip([-1000] * losses + [1000] * wins)
    changed = losses + wins
    tail = sum(comb(changed, k) for k in range(losses, changed + 1))
    assert found.p == tail / 2**changed


def test_a_worse_case_makes_p_smaller() -> None:
    deltas = [-100, 200, -300, 50, -70]
    assert sign_flip([*deltas, -500]).p < sign_flip(deltas).p


def test_no_p_is_zero_even_where_a_float_would_be() -> None:
    found = sign_flip([-1] * 5000)
    assert 0 < found.p < 1e-300
    assert found.denominator == 2**5000


def test_five_thousand_binary_changes_stay_exact() -> None:
    found = sign_flip([-1] * 2550 + [1] * 2450)
    assert found.exact
    assert found.p == pytest.approx(0.0807, abs=1e-4)


def graded(count: int, largest: int) -> list[int]:
    return [(-1) ** (i * i // 3) * (1 + i * 7919 % largest) for i in range(count)]


def test_large_inputs_are_approximated_closely() -> None:
    exact = sign_flip(graded(300, 1000))
    wide = sign_flip([1000 * delta for delta in graded(299, 1000)] + [graded(300, 1000)[-1] * 1000 + 1])
    assert exact.exact
    assert not wide.exact
    assert wide.p == pytest.approx(exact.p, abs=1e-4)


def test_one_giant_among_many_decides() -> None:
    # The normal law would say 0.2: here the sign of the giant alone settles the sum.
    lost, won = sign_flip([-60_000_000, *[1] * 50]), sign_flip([60_000_000, *[-1] * 50])
    assert not lost.exact
    assert lost.p == pytest.approx(0.5, abs=1e-9)
    assert won.p == pytest.approx(0.5, abs=1e-9)


def test_thousands_of_graded_changes_are_answered() -> None:
    found = sign_flip(graded(5000, 1000))
    assert 0 < found.p <= 1
    assert found.n_changed == 5000


@pytest.mark.parametrize("sizes", [(667, 1000), (333, 500, 667, 1000), (250, 999)])
def test_many_changes_of_a_few_sizes_are_as_good_as_enumerated(sizes: tuple[int, ...]) -> None:
    changes = [size * sign for size in sizes for sign in [-1] * 45 + [1] * 35]
    enumerated = sign_flip(changes)
    lost = -sum(change for change in changes if change < 0)
    assert enumerated.exact
    tails = few_sizes_tails([abs(change) for change in changes], [lost])
    assert tails is not None
    assert tails[0] == pytest.approx(enumerated.p, abs=1e-12)


def test_five_hundred_changes_of_two_sizes_match_their_convolution() -> None:
    """P(1000 X + 999 Y >= bound) with X, Y ~ Bin(250, 1/2), summed up directly."""
    lost, other = 140, 110
    bound = 1000 * lost + 999 * other
    total = sum(
        comb(250, x) * comb(250, y) for x in range(251) for y in range(251) if 1000 * x + 999 * y >= bound
    )
    found = sign_flip([-1000] * lost + [1000] * (250 - lost) + [-999] * other + [999] * (250 - other))
    assert found.p == pytest.approx(total / 2**500, abs=1e-12)
    assert not found.exact


def test_many_different_sizes_are_left_to_the_expansion() -> None:
    assert few_sizes_tails(range(1, 1001), [1000]) is None
