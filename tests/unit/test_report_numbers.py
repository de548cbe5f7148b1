from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from rag_gate.regression.comparison import is_beyond
from rag_gate.report.numbers import change, exact, interval, number, p_value


@given(st.integers(-(10**6), 10**6), st.integers(0, 10**6), st.integers(1, 7))
@example(total=-1, tolerance=0, pairs=3)  # less than the check can tell from 0
def test_a_shown_drop_is_larger_than_the_tolerance_exactly_if_it_decided_so(
    total: int, tolerance: int, pairs: int
) -> None:
    delta, allowed = total / pairs / 10**6, tolerance / 10**6
    beyond = is_beyond([delta] * pairs, allowed)
    shown = Decimal(change(delta, "higher", allowed, beyond=beyond))
    assert (shown < -Decimal(exact(allowed))) == beyond
    assert abs(shown - Decimal(repr(delta))) <= Decimal("0.0005")


@given(st.floats(0, 1), st.sampled_from([0.01, 0.05, 0.1]))
def test_a_shown_p_is_at_most_alpha_exactly_if_it_is(p: float, alpha: float) -> None:
    shown = p_value(p, alpha)
    assert shown == "p < 0.001" or (Decimal(shown.removeprefix("p = ")) <= Decimal(str(alpha))) == (
        p <= alpha
    )


@given(st.floats(0, 1))
def test_only_a_whole_share_is_shown_as_whole(value: float) -> None:
    shown = Decimal(number(value))
    rounded = round(value, 12)
    assert (shown == 1) == (rounded == 1)
    assert (shown == 0) == (rounded == 0)


def test_numbers_have_three_decimals_and_more_only_where_they_would_mislead() -> None:
    assert number(2 / 3) == "0.667"
    assert number(0.99996) == "0.99996"
    assert number(1.5, "seconds") == "1.500 s"
    assert change(-0.03, "higher", 0.03, beyond=False) == "-0.030"
    assert change(0.85 - 0.88, "higher", 0.03, beyond=False) == "-0.030"
    assert change(-0.0304, "higher", 0.03, beyond=True) == "-0.0304"
    assert change(-0.0296, "higher", 0.0295, beyond=True) == "-0.030"
    assert change(0.0, "higher", 0.03, beyond=False) == "0"
    assert change(-0.0001, "higher", 0.03, beyond=False) == "-0.0001"
    assert p_value(0.0502, 0.05) == "p = 0.0502"
    assert exact(1e-07) == "0.0000001"
    assert exact(0.0) == "0"
    assert exact(100.0) == "100"


def test_where_lower_is_better_signs_are_as_read_and_the_sense_is_said() -> None:
    assert change(-0.2, "lower", 0.1, beyond=True) == "+0.200 (worse)"
    assert change(0.2, "lower", 0.1, beyond=False) == "-0.200 (better)"
    assert interval(-0.3, -0.1, "lower") == "+0.100 to +0.300"
    assert interval(-0.3, 0.0, "higher") == "-0.300 to 0"


def test_the_interval_of_a_share_ends_where_shares_do() -> None:
    assert interval(-1.067, 0.2, "higher", of_share=True) == "-1.000 to +0.200"
    assert interval(-1.067, 1.3, "lower", of_share=True) == "-1.000 to +1.000"
    assert interval(-1.067, 0.2, "higher") == "-1.067 to +0.200"
