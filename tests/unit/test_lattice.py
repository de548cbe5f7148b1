import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.statistics import P_SCALE, SCALE, mean, to_lattice


@pytest.mark.parametrize(
    ("x", "scale", "expected"),
    [
        (0.30000000000000004, SCALE, 300_000),
        (0.85 - 0.88, SCALE, -30_000),
        (0.82 - 0.87, SCALE, -50_000),
        (0.8889 - 0.5714, P_SCALE, 318),
        (0.5714 - 0.8889, P_SCALE, -318),
        (1 / 3, P_SCALE, 333),
        (0.0005, P_SCALE, 1),
        (-0.0005, P_SCALE, -1),
        (0.00049, P_SCALE, 0),
        (123_456.789, P_SCALE, 123_456_789),
        (-0.0, SCALE, 0),
        (1, SCALE, 1_000_000),
    ],
)
def test_numbers_meet_their_step(x: float, scale: int, expected: int) -> None:
    assert to_lattice(x, scale) == expected


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_numbers_without_a_place_are_refused(x: float) -> None:
    with pytest.raises(ValueError, match="no place"):
        to_lattice(x)


@given(st.integers(-2_000_000, 2_000_000), st.integers(-2_000_000, 2_000_000))
def test_a_difference_of_lattice_points_is_exact(a: int, b: int) -> None:
    assert to_lattice(a / SCALE - b / SCALE) == a - b


@given(st.floats(-1e6, 1e6))
def test_rounding_is_symmetric(x: float) -> None:
    assert to_lattice(-x) == -to_lattice(x)


@given(st.lists(st.floats(0, 1), min_size=1))
def test_mean_is_independent_of_order(values: list[float]) -> None:
    assert mean(values) == mean(sorted(values)) == mean(values[::-1])


def test_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean([])
