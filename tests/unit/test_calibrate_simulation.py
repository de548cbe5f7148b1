from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.calibrate.detection import drops_of_interest, simulate_detection
from rag_gate.calibrate.draws import draws
from rag_gate.calibrate.false_alarms import simulate_false_alarms
from rag_gate.calibrate.material import Cell
from rag_gate.calibrate.quick_test import quick_p
from rag_gate.calibrate.resampling import drawn, resamples
from rag_gate.statistics import SCALE, sign_flip

Units = list[tuple[Cell, ...]]


def zero_or_one(n: int, flips: int) -> Units:
    """Return n cases of which some flip between two runs, as they are and swapped."""
    lost: Units = [((-SCALE, 0),) if i < flips else ((0, SCALE),) for i in range(n)]
    won: Units = [((SCALE, SCALE),) if i < flips else ((0, SCALE),) for i in range(n)]
    return lost + won


def test_the_numbers_are_the_same_everywhere() -> None:
    assert draws("example", 0, 3) == (2696006238, 4210688998, 578835288)
    assert draws("example", 1, 3) != draws("example", 0, 3) != draws("other", 0, 3)


def test_the_numbers_are_evenly_spread() -> None:
    chosen = [place for number in range(100) for place in drawn("spread", number, 100, 10)]
    assert set(chosen) == set(range(10))
    assert all(chosen.count(place) == pytest.approx(1000, abs=130) for place in range(10))


def test_fewer_resamples_where_there_are_many_cases() -> None:
    assert [resamples(n) for n in (1, 250, 500, 5_000, 10**6)] == [2000, 2000, 1000, 200, 200]


@settings(deadline=None)
@given(st.lists(st.sampled_from([0, -1000, 1000, -500, 500]), max_size=40))
def test_the_quick_test_is_near_the_exact_one(deltas: list[int]) -> None:
    assert quick_p(deltas) == pytest.approx(sign_flip(deltas).p, abs=0.01)


@settings(deadline=None)
@given(st.lists(st.integers(-1000, 1000), max_size=30))
def test_the_quick_test_is_near_the_exact_one_for_graded_scores(deltas: list[int]) -> None:
    assert quick_p(deltas) == pytest.approx(sign_flip(deltas).p, abs=0.02)


@pytest.mark.parametrize("large", [-6, 6, -40, 1000])
def test_a_change_that_decides_alone_is_not_smoothed_away(large: int) -> None:
    deltas = [1] * 10 + [large]
    assert quick_p(deltas) == sign_flip(deltas).p


@given(st.lists(st.integers(-1000, 1000), max_size=10))
def test_the_quick_test_is_exact_for_few_changes(deltas: list[int]) -> None:
    assert quick_p(deltas) == pytest.approx(sign_flip(deltas).p)


def exceeding(n: int, flips: int, losses: int) -> float:
    """Return P(net loss of at least so many) for n draws, each lost or won with flips / 2n."""
    side = flips / n / 2
    return sum(
        comb(n, lost) * comb(n - lost, won) * side ** (lost + won) * (1 - 2 * side) ** (n - lost - won)
        for lost in range(n + 1)
        for won in range(n + 1 - lost)
        if lost - won >= losses
    )


def test_false_alarms_are_those_that_can_be_computed() -> None:
    found = simulate_false_alarms({"recall@5": zero_or_one(50, 5)}, {"recall@5": 30_000}, 50, 0.05)
    assert found.resamples == 2000
    assert found.naive["recall@5"] == pytest.approx(exceeding(50, 5, 2), abs=0.025)
    assert found.naive_any == found.naive["recall@5"]
    # Five lost and none won is the least that reaches 0.05.
    assert 0 < found.gate["recall@5"] < 0.05
    assert found.gate_any == found.gate["recall@5"]


def test_a_drop_as_large_as_the_tolerance_is_no_alarm() -> None:
    units = zero_or_one(2, 2)  # both cases flip: the mean difference is -1, 0 or 1
    beyond = simulate_false_alarms({"m": units}, {"m": SCALE - 1}, 2, 0.05)
    exact = simulate_false_alarms({"m": units}, {"m": SCALE}, 2, 0.05)
    assert beyond.naive["m"] == pytest.approx(0.25, abs=0.03)
    assert exact.naive["m"] == 0


def test_metrics_that_move_together_are_drawn_together() -> None:
    units = zero_or_one(50, 5)
    found = simulate_false_alarms({"a": units, "b": units}, {"a": 30_000, "b": 30_000}, 50, 0.05)
    assert found.naive_any == found.naive["a"] == found.naive["b"]


def test_no_metric_has_no_alarm() -> None:
    assert simulate_false_alarms({}, {}, 0, 0.05).gate_any == 0


def detected(drop: float, limit: float, *, n: int = 100, flips: int = 4) -> float:
    found = simulate_detection(
        zero_or_one(n, flips), drop=drop, typical=1.0, limit=int(limit * SCALE), units=n, alpha=0.05
    )
    assert found is not None
    assert 0 <= found.regressed <= found.regressed + found.inconclusive <= 1
    return found.regressed


def test_larger_drops_are_found_more_often() -> None:
    shares = [detected(drop, 0.03) for drop in (0.01, 0.05, 0.1, 0.2)]
    assert shares == sorted(shares)
    assert shares[0] < 0.1
    assert shares[-1] > 0.98


def test_a_drop_as_large_as_the_tolerance_is_beyond_it_half_the_time() -> None:
    found = simulate_detection(
        zero_or_one(400, 40), drop=0.1025, typical=1.0, limit=100_000, units=400, alpha=0.05
    )
    assert found is not None
    assert found.regressed + found.inconclusive == pytest.approx(0.5, abs=0.1)


def test_scores_cannot_lose_more_than_they_have() -> None:
    assert (
        simulate_detection(zero_or_one(10, 10), drop=0.9, typical=1.0, limit=0, units=10, alpha=0.05) is None
    )
    assert simulate_detection([()], drop=0.1, typical=1.0, limit=0, units=1, alpha=0.05) is None


def test_cases_of_a_cluster_fall_one_by_one() -> None:
    units: Units = [((0, SCALE), (0, SCALE))] * 40
    found = simulate_detection(units, drop=0.5, typical=1.0, limit=100_000, units=20, alpha=0.05)
    assert found is not None
    assert found.regressed > 0.99


def test_the_tried_drops_are_each_named_once() -> None:
    assert drops_of_interest(0.03) == [0.03, 0.05, 0.06, 0.1]
    assert drops_of_interest(0.05) == [0.05, 0.1]
    assert drops_of_interest(0.0) == [0.05, 0.1]
