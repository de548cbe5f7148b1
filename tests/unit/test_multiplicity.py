from hypothesis import given
from hypothesis import strategies as st

from rag_gate.statistics import benjamini_hochberg, holm

p_values = st.lists(st.floats(0, 1), max_size=30)


def test_nothing_to_correct() -> None:
    assert holm([]) == []
    assert benjamini_hochberg([]) == []


def test_one_test_needs_no_correction() -> None:
    assert holm([0.04]) == [0.04]
    assert benjamini_hochberg([0.04]) == [0.04]


def test_textbook_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    assert benjamini_hochberg([0.01, 0.04, 0.03, 0.005]) == [0.02, 0.04, 0.04, 0.02]


@given(p_values)
def test_holm_is_never_below_raw_or_bh_nor_above_one(raw: list[float]) -> None:
    strict, loose = holm(raw), benjamini_hochberg(raw)
    for p, family, rate in zip(raw, strict, loose, strict=True):
        assert p <= rate <= 1
        assert p <= family <= 1
        assert rate <= family + 1e-12


@given(p_values)
def test_the_order_of_the_p_values_is_kept(raw: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        by_rank = [adjusted for _, adjusted in sorted(zip(raw, adjust(raw), strict=True))]
        assert by_rank == sorted(by_rank)


@given(p_values)
def test_each_test_gets_the_same_result_in_any_order(raw: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        assert adjust(raw[::-1]) == adjust(raw)[::-1]
