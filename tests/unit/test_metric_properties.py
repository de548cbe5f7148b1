"""What holds for every ranked list and every set of grades."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rag_gate import metrics
from rag_gate.config_models import RetrievalConfig
from rag_gate.retrieval.scoring import rank_scores

IDS = [f"d{number}" for number in range(9)]
KS = (1, 2, 3, 5, 10)


@dataclass(frozen=True)
class Case:
    ranked: list[str]
    grades: dict[str, int]

    @property
    def relevant(self) -> set[str]:
        return metrics.relevant_ids(self.grades)


def _case(ranked: list[str], grades: dict[str, int], best: str) -> Case:
    return Case(ranked, {**grades, best: max(1, grades.get(best, 0))})


cases = st.builds(
    _case,
    st.lists(st.sampled_from(IDS), max_size=12),
    st.dictionaries(st.sampled_from(IDS), st.integers(-1, 4), max_size=6),
    st.sampled_from(IDS),
)
cut_offs = st.sampled_from(KS)


def at(case: Case, k: int) -> dict[str, float]:
    """All @k values of the single functions."""
    ranked, grades = case.ranked, case.grades
    return {
        "recall": metrics.recall_at_k(ranked, grades, k),
        "hit": metrics.hit_at_k(ranked, grades, k),
        "precision": metrics.precision_at_k(ranked, grades, k),
        "mrr": metrics.reciprocal_rank(ranked, grades, k),
        "ndcg": metrics.ndcg_at_k(ranked, grades, k),
        "judged": metrics.judged_at_k(ranked, grades, k),
        "complete": metrics.complete_at_k(ranked, [{item} for item in case.relevant], k),
        "map": metrics.average_precision(ranked, grades, k),
    }


def one_pass(case: Case, ks: Sequence[int] = KS, groups: Sequence[set[str]] = ()) -> dict[str, float]:
    config = RetrievalConfig(k_values=tuple(ks))
    return rank_scores(case.ranked, case.grades, groups, config)[0]


@given(cases)
def test_every_value_lies_between_zero_and_one(case: Case) -> None:
    assert all(0 <= value <= 1 for k in KS for value in at(case, k).values())
    assert all(0 <= value <= 1 for value in one_pass(case).values())


@given(cases)
def test_the_one_pass_of_the_stage_equals_the_single_functions(case: Case) -> None:
    found = one_pass(case)
    wanted = {f"{name}@{k}": value for k in KS for name, value in at(case, k).items() if name != "map"}
    wanted["mrr"] = metrics.reciprocal_rank(case.ranked, case.grades)
    wanted["map"] = metrics.average_precision(case.ranked, case.grades)
    assert found == wanted


@given(cases, st.integers(1, 3))
def test_the_one_pass_equals_the_single_functions_at_another_relevance_level(case: Case, level: int) -> None:
    case = Case(case.ranked, {**case.grades, "d0": max(level, case.grades.get("d0", 0))})
    config = RetrievalConfig(k_values=KS, min_grade=level)
    found = rank_scores(case.ranked, case.grades, (), config)[0]
    for k in KS:
        assert found[f"recall@{k}"] == metrics.recall_at_k(case.ranked, case.grades, k, level)
        assert found[f"precision@{k}"] == metrics.precision_at_k(case.ranked, case.grades, k, level)
        assert found[f"mrr@{k}"] == metrics.reciprocal_rank(case.ranked, case.grades, k, level)
        assert found[f"ndcg@{k}"] == metrics.ndcg_at_k(case.ranked, case.grades, k)
    assert found["map"] == metrics.average_precision(case.ranked, case.grades, min_grade=level)


@given(cases, st.lists(st.sets(st.sampled_from(IDS), min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_one_pass_equals_the_single_functions_for_evidence_groups(
    case: Case, groups: list[set[str]]
) -> None:
    case = Case(case.ranked, {**{member: 1 for group in groups for member in group}, **case.grades})
    found = one_pass(case, groups=groups)
    for k in KS:
        assert found[f"coverage@{k}"] == metrics.coverage_at_k(case.ranked, groups, k)
        assert found[f"complete@{k}"] == metrics.complete_at_k(case.ranked, groups, k)


@given(cases)
def test_recall_and_hit_never_fall_when_k_grows(case: Case) -> None:
    for name in ("recall", "hit", "complete"):
        values = [at(case, k)[name] for k in KS]
        assert values == sorted(values)


@given(cases, cut_offs)
def test_precision_recall_hit_complete_and_mrr_agree(case: Case, k: int) -> None:
    values, total = at(case, k), len(case.relevant)
    assert isclose(values["precision"] * k, values["recall"] * total, abs_tol=1e-12)
    assert (values["hit"] == 1) == (values["recall"] > 0)
    assert (values["complete"] == 1) == (values["recall"] == 1)
    first = at(case, 1)
    assert first["mrr"] == first["hit"]
    if total == 1:
        assert first["recall"] == first["hit"]


@given(cases, cut_offs, st.randoms(use_true_random=False), st.sampled_from(IDS))
def test_results_below_rank_k_change_no_value_at_k(case: Case, k: int, random: Random, more: str) -> None:
    below = case.ranked[k:]
    random.shuffle(below)
    assert at(Case(case.ranked[:k] + below, case.grades), k) == at(case, k)
    if len(case.ranked) >= k:
        assert at(Case([*case.ranked, more], case.grades), k) == at(case, k)


@given(cases, st.permutations(IDS))
def test_renaming_documents_changes_no_value(case: Case, names: list[str]) -> None:
    new = dict(zip(IDS, names, strict=True))
    renamed = Case([new[d] for d in case.ranked], {new[d]: grade for d, grade in case.grades.items()})
    assert one_pass(renamed) == one_pass(case)


@given(cases, st.randoms(use_true_random=False))
def test_the_order_of_gold_documents_changes_no_value(case: Case, random: Random) -> None:
    items = list(case.grades.items())
    random.shuffle(items)
    assert one_pass(Case(case.ranked, dict(items))) == one_pass(case)


@given(cases, cut_offs)
def test_ndcg_is_one_exactly_for_the_best_grades_in_falling_order(case: Case, k: int) -> None:
    best = sorted((grade for grade in case.grades.values() if grade > 0), reverse=True)
    seen: set[str] = set()
    shown = []
    for item in case.ranked[:k]:
        shown.append(0 if item in seen else max(0, case.grades.get(item, 0)))
        seen.add(item)
    ideal = best[:k]
    perfect = shown[: len(ideal)] == ideal
    assert (metrics.ndcg_at_k(case.ranked, case.grades, k) == 1.0) == perfect


@given(st.lists(st.integers(1, 100), min_size=1, max_size=40), st.integers(1, 50))
def test_a_perfect_list_of_any_grades_has_ndcg_exactly_one(grades: list[int], k: int) -> None:
    best = {f"d{number}": grade for number, grade in enumerate(sorted(grades, reverse=True))}
    assert metrics.ndcg_at_k(list(best), best, k) == 1.0
    assert one_pass(Case(list(best), best), ks=(k,))[f"ndcg@{k}"] == 1.0


@given(cases, cut_offs, st.integers(2, 20))
def test_grades_times_a_constant_leave_ndcg(case: Case, k: int, factor: int) -> None:
    scaled = {item: grade * factor for item, grade in case.grades.items()}
    assert isclose(
        metrics.ndcg_at_k(case.ranked, scaled, k),
        metrics.ndcg_at_k(case.ranked, case.grades, k),
        abs_tol=1e-12,
    )


@given(cases, cut_offs)
def test_losing_one_relevant_result_lowers_recall_by_its_share(case: Case, k: int) -> None:
    found = [item for item in dict.fromkeys(case.ranked[:k]) if item in case.relevant]
    for lost in found:
        fewer = Case([f"x{n}" if d == lost else d for n, d in enumerate(case.ranked)], case.grades)
        drop = at(case, k)["recall"] - at(fewer, k)["recall"]
        assert isclose(drop, 1 / len(case.relevant), abs_tol=1e-12)
