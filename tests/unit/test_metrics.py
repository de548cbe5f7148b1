import pytest

from rag_gate import metrics

GRADES = {"a": 1, "b": 1, "c": 2, "x": 0}


def test_a_repeated_document_counts_once_at_its_first_slot() -> None:
    ranked = ["a", "a", "b"]
    assert metrics.recall_at_k(ranked, {"a": 1, "b": 1}, 2) == 0.5
    assert metrics.precision_at_k(ranked, {"a": 1, "b": 1}, 3) == pytest.approx(2 / 3)
    assert metrics.ndcg_at_k(["a", "a"], {"a": 1}, 2) == 1.0
    assert metrics.average_precision(["a", "a", "b"], {"a": 1, "b": 1}) == pytest.approx((1 + 2 / 3) / 2)


def test_recall_is_not_capped_at_what_k_could_hold() -> None:
    assert metrics.recall_at_k(["a", "b", "c"], GRADES, 1) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(["a", "b", "c"], GRADES, 1) == 1.0


def test_precision_divides_by_k_also_when_the_list_is_shorter() -> None:
    assert metrics.precision_at_k(["a"], GRADES, 5) == 0.2


def test_judged_counts_grades_of_zero_and_divides_by_what_is_shown() -> None:
    assert metrics.judged_at_k(["x", "unknown"], GRADES, 5) == 0.5
    assert metrics.judged_at_k([], GRADES, 5) == 0.0


def test_mrr_is_cut_at_k_only_when_asked() -> None:
    assert metrics.reciprocal_rank(["u", "v", "a"], GRADES) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(["u", "v", "a"], GRADES, 2) == 0.0


def test_the_whole_list_counts_where_no_k_is_given_beyond_the_table_of_discounts() -> None:
    long = {f"d{number}": 1 for number in range(2000)}
    assert metrics.ndcg_at_k(list(long), long) == 1.0
    assert metrics.discount(2047) == pytest.approx(1 / 11)


@pytest.mark.parametrize(
    "function", [metrics.recall_at_k, metrics.hit_at_k, metrics.precision_at_k, metrics.ndcg_at_k]
)
def test_no_relevant_id_is_not_defined_rather_than_zero_or_one(function: object) -> None:
    assert callable(function)
    with pytest.raises(ValueError, match="not defined"):
        function(["a"], {"a": 0}, 3)


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=f"at least 1, found {k}"):
        metrics.recall_at_k(["a"], GRADES, k)
    with pytest.raises(ValueError, match="at least 1"):
        metrics.judged_at_k(["a"], GRADES, k)
    with pytest.raises(ValueError, match="at least 1"):
        metrics.coverage_at_k(["a"], [{"a"}], k)


def test_coverage_without_groups_is_not_defined() -> None:
    with pytest.raises(ValueError, match="not defined"):
        metrics.coverage_at_k(["a"], [], 1)
