import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.statistics import cases_needed, detectable_effect


def effect(n: float, *, sd0: float = 0.2, tolerance: float = 0.03, typical_drop: float = 0.5) -> float:
    return detectable_effect(
        sd0=sd0, typical_drop=typical_drop, n=n, alpha=0.05, power=0.8, tolerance=tolerance
    )


def test_more_cases_see_smaller_drops_but_never_below_the_tolerance() -> None:
    effects = [effect(n) for n in (10, 50, 500, 5_000, 10**9)]
    assert effects == sorted(effects, reverse=True)
    assert effects[-1] == pytest.approx(0.03, abs=1e-4)


def test_no_cases_see_nothing() -> None:
    with pytest.raises(ValueError, match="without pairs"):
        effect(0)


@settings(deadline=None)
@given(
    st.floats(0.005, 0.3),
    st.floats(0, 0.5),
    st.sampled_from([0.0, 0.02, 0.03, 0.05]),
    st.sampled_from([0.5, 1.0]),
)
def test_cases_needed_is_the_smallest_number_that_is_enough(
    drop: float, sd0: float, tolerance: float, typical_drop: float
) -> None:
    needed = cases_needed(
        drop=drop, sd0=sd0, typical_drop=typical_drop, alpha=0.05, power=0.8, tolerance=tolerance
    )
    if drop <= tolerance:
        assert needed is None
        return
    assert needed is not None
    assert effect(needed, sd0=sd0, tolerance=tolerance, typical_drop=typical_drop) <= drop + 1e-6
    if needed > 1:
        assert effect(needed - 1, sd0=sd0, tolerance=tolerance, typical_drop=typical_drop) > drop - 1e-6


def test_a_drop_at_the_tolerance_can_never_be_failed() -> None:
    assert cases_needed(drop=0.03, sd0=0.2, typical_drop=1, alpha=0.05, power=0.8, tolerance=0.03) is None


def test_stricter_levels_need_more_cases() -> None:
    usual = cases_needed(drop=0.05, sd0=0.2, typical_drop=0.5, alpha=0.05, power=0.8, tolerance=0.02)
    strict = cases_needed(drop=0.05, sd0=0.2, typical_drop=0.5, alpha=0.01, power=0.8, tolerance=0.02)
    assert usual is not None
    assert strict is not None
    assert strict > usual
