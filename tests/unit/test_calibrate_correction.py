import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.calibrate.prediction_powered import corrected_mean
from rag_gate.statistics import t_quantile


def test_the_correction_by_hand() -> None:
    labels, judged, rest = [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    found = corrected_mean(labels, judged, rest)
    assert found is not None
    # Errors 0, -1, 0, 1: mean 0, variance 2/3. The rest: mean 5/6, variance (5/36 + 25/36) / 5 = 1/6.
    half = t_quantile(0.975, 3) * math.sqrt((1 / 6) / 6 + (2 / 3) / 4)
    assert found.prediction_powered.value == pytest.approx(5 / 6)
    assert found.prediction_powered.interval.low == pytest.approx(max(0.0, 5 / 6 - half))
    assert found.labels_only.value == 0.75
    assert not found.worth_it
    assert "fewer than 20 labels" in found.reason


def test_a_judge_that_flatters_is_put_right() -> None:
    labels = [1.0, 0.0] * 25
    judged = [1.0, 0.0] * 20 + [1.0, 1.0] * 5
    found = corrected_mean(labels, judged, [1.0] * 270 + [0.0] * 180)
    assert found is not None
    assert found.prediction_powered.value == pytest.approx(0.6 - 0.1)
    assert found.worth_it
    low, high = found.prediction_powered.interval
    assert high - low < found.labels_only.interval.high - found.labels_only.interval.low


def test_few_unlabelled_cases_do_not_help() -> None:
    labels = [1.0, 0.0, 1.0] * 10
    judged = [1.0, 0.0, 0.0] * 10
    found = corrected_mean(labels, judged, [1.0, 0.0] * 10)
    assert found is not None
    assert not found.worth_it
    assert "not narrower" in found.reason


def test_a_judge_never_seen_to_err_is_not_trusted_blindly() -> None:
    found = corrected_mean([1.0, 0.0] * 10, [1.0, 0.0] * 10, [1.0, 0.0] * 100)
    assert found is not None
    assert not found.worth_it
    assert "not known" in found.reason


@pytest.mark.parametrize(("labels", "rest"), [([], [1.0, 0.0]), ([1.0], [1.0, 0.0]), ([1.0, 0.0], [1.0])])
def test_too_few_cases_have_no_correction(labels: list[float], rest: list[float]) -> None:
    assert corrected_mean(labels, labels, rest) is None


unit = st.sampled_from([0.0, 1.0])


@given(st.lists(st.tuples(unit, unit), min_size=2, max_size=30), st.lists(unit, min_size=2, max_size=30))
def test_the_estimate_lies_in_its_interval_whatever_the_order(
    pairs: list[tuple[float, float]], rest: list[float]
) -> None:
    labels, judged = [a for a, _ in pairs], [b for _, b in pairs]
    found = corrected_mean(labels, judged, rest)
    assert found is not None
    for estimate in (found.labels_only, found.prediction_powered):
        assert 0 <= estimate.interval.low <= estimate.value <= estimate.interval.high <= 1
    assert found == corrected_mean(labels[::-1], judged[::-1], sorted(rest))
