"""The retrieval stage on whole files: order, means, and what has no score."""

import json
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from material import Row, lines, scored

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import load_golden
from rag_gate.errors import ConfigError, InputError
from rag_gate.retrieval import evaluate_retrieval

GOLD: list[Row] = [
    {"id": "q2", "relevant": [{"id": "a", "grade": 2}, {"id": "b", "grade": 1}, "c"], "expected": "x"},
    {"id": "q1", "evidence_groups": [["a", "b"], ["c"]], "evidence": ["needle one", "needle two"]},
    {"id": "q10", "relevant": ["z", "y"], "tags": ["t2", "t1"]},
]
RUN: list[Row] = [
    {"id": "q1", "retrieved": [{"id": "b", "text": "has needle two"}, {"id": "u", "text": "needle one"}]},
    {"id": "q2", "retrieved": ["c", "a", "a", "u"], "answer": "x"},
    {"id": "q10", "retrieved": []},
]


@given(
    st.permutations(GOLD),
    st.permutations(RUN),
    st.permutations(GOLD[0]["relevant"]),
    st.sampled_from([1, -1]),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_cases_and_gold_ids_changes_no_byte(
    tmp_path: Path, gold: list[Row], run: list[Row], relevant: list[Any], step: int
) -> None:
    scored(tmp_path, GOLD, RUN)
    wanted = (tmp_path / "retrieval.json").read_bytes()
    turn = {key: GOLD[1][key][::step] for key in ("evidence", "evidence_groups")}
    changed = [{**row, "relevant": relevant} if row["id"] == "q2" else row for row in gold]
    changed = [{**row, **turn} if row["id"] == "q1" else row for row in changed]
    changed = [dict(reversed(row.items())) for row in changed]
    scored(tmp_path, changed, run)
    assert (tmp_path / "retrieval.json").read_bytes() == wanted


@pytest.mark.parametrize("order", [1, -1])
def test_the_short_form_without_ids_gives_the_same_bytes_in_any_order(tmp_path: Path, order: int) -> None:
    row = {"question": "same", "gold_ids": ["a"]}
    rows = [
        {**row, "retrieved": ["a"], "category": "faq"},
        {**row, "retrieved": ["b"]},
        {**row, "retrieved": []},
    ]
    first = [case.model_dump() for case in scored(tmp_path, rows).cases]
    again = [case.model_dump() for case in scored(tmp_path, rows[::order]).cases]
    assert again == first
    assert len({case["question_id"] for case in first}) == 3


def test_the_mean_is_the_exact_sum_over_the_number_of_scored_cases(tmp_path: Path) -> None:
    gold: list[Row] = [{"id": f"q{n}", "relevant": [f"g{m}" for m in range(1 + n % 7)]} for n in range(50)]
    run = [{"id": f"q{n}", "retrieved": [f"g{m}" for m in range(n % 5)]} for n in range(50)]
    found = scored(tmp_path, gold, run)
    for name in ("recall@3", "ndcg@5", "map", "mrr"):
        values = [value for case in found.cases if (value := case.scores[name]) is not None]
        summary = found.metrics[name]
        assert summary.n_scored == len(values) == 50
        assert summary.mean == fsum(values) / 50


def test_removing_one_relevant_result_lowers_the_mean_by_its_share(tmp_path: Path) -> None:
    gold = [{"id": "q1", "relevant": ["a", "b"]}, {"id": "q2", "relevant": ["c"]}]
    whole = scored(tmp_path, gold, [{"id": "q1", "retrieved": ["a", "b"]}, {"id": "q2", "retrieved": ["c"]}])
    fewer = scored(tmp_path, gold, [{"id": "q1", "retrieved": ["a", "u"]}, {"id": "q2", "retrieved": ["c"]}])
    before, after = whole.metrics["recall@3"].mean, fewer.metrics["recall@3"].mean
    assert before is not None
    assert after is not None
    assert before - after == pytest.approx(1 / (2 * 2), abs=1e-12)


@pytest.mark.parametrize("state", ["executed", "missing", "error"])
@pytest.mark.parametrize(
    ("extra", "applies"),
    [
        ({"relevant": [{"id": "a", "grade": 0}]}, set()),
        ({"answerable": False}, set()),
        ({"evidence": ["needle"]}, {"evidence"}),
        ({"relevant": ["a"]}, {"recall", "mrr"}),
        ({"evidence_groups": [["a"]]}, {"recall", "mrr", "coverage"}),
    ],
)
def test_a_case_stays_out_of_the_means_that_do_not_apply_to_it(
    tmp_path: Path, extra: Row, applies: set[str], state: str
) -> None:
    """Also when it was not executed: a missing case may count as 0 only where it would have counted."""
    full = {"relevant": ["a"], "evidence_groups": [["a"]], "evidence": ["needle"]}
    results = [{"id": "a", "text": "needle"}]
    row: Row = (
        {"id": "odd", "retrieved": results} if state == "executed" else {"id": "odd", "error": "timeout"}
    )
    run: list[Row] = [{"id": "full", "retrieved": results}, *([] if state == "missing" else [row])]
    found = scored(tmp_path, [{"id": "full", **full}, {"id": "odd", **extra}], run)
    for name, family in [
        ("recall@3", "recall"),
        ("mrr", "mrr"),
        ("coverage@3", "coverage"),
        ("evidence@3", "evidence"),
    ]:
        summary = found.metrics[name]
        due = family in applies
        assert summary.n_excluded == (0 if due else 1), name
        assert summary.n_missing == (1 if due and state == "missing" else 0), name
        assert summary.n_unscored == (1 if due and state == "error" else 0), name
        assert summary.mean == (0.5 if due and state == "missing" else 1.0), name


def test_a_missing_case_counts_zero_and_an_error_stays_unscored(tmp_path: Path) -> None:
    gold = [{"id": f"q{n}", "relevant": ["a"]} for n in range(4)]
    run = [
        {"id": "q0", "retrieved": ["a"]},
        {"id": "q1", "error": "HTTP 500", "retrieved": []},
        {"id": "q2", "retrieved": []},
        {"id": "other", "retrieved": ["a"]},
    ]
    found = scored(tmp_path, gold, run)
    assert found.counts == {"cases": 4, "executed": 2, "empty": 1, "missing": 1, "error": 1, "unknown": 1}
    recall = found.metrics["recall@3"]
    assert (recall.mean, recall.n_scored, recall.n_unscored, recall.n_missing) == (1 / 3, 3, 1, 1)
    assert recall.reasons == {"missing_from_run": 1, "run_error": 1}
    assert [case.scores["recall@3"] for case in found.cases] == [1.0, None, 0.0, None]


def test_a_row_without_results_is_unscored_and_not_empty(tmp_path: Path) -> None:
    gold = [{"id": "q1", "relevant": ["a"]}, {"id": "q2", "relevant": ["a"]}]
    found = scored(tmp_path, gold, [{"id": "q1", "answer": "x"}, {"id": "q2", "retrieved": ["a"]}])
    assert found.cases[0].reasons["recall@3"] == "no_results_recorded"
    assert found.metrics["recall@3"].mean == 1.0
    assert found.metrics["recall@3"].n_unscored == 1


@pytest.mark.parametrize("nameless", [{"text": "x"}, {"id": "", "text": "x"}, {"id": None, "text": "x"}])
def test_results_without_an_id_are_never_compared(tmp_path: Path, nameless: Row) -> None:
    with pytest.raises(InputError, match=r"no result carries an id|must be a non-empty text"):
        scored(tmp_path, [{"id": "q", "relevant": ["a"]}], [{"id": "q", "retrieved": [nameless, nameless]}])


def test_one_result_without_an_id_leaves_its_case_unscored_and_is_warned_about(tmp_path: Path) -> None:
    golden = load_golden(lines(tmp_path / "g.jsonl", [{"id": f"q{n}", "relevant": ["a"]} for n in (1, 2)]))
    run = [{"id": "q1", "retrieved": ["a"]}, {"id": "q2", "retrieved": ["a", {"text": "x"}]}]
    output = tmp_path / "out.json"
    warnings = evaluate_retrieval(golden, lines(tmp_path / "r.jsonl", run), RetrievalConfig(), output)
    assert any("without an id" in line for line in warnings)
    cases = json.loads(output.read_text(encoding="utf-8"))["cases"]
    assert [case["reasons"].get("mrr") for case in cases] == [None, "result_without_id"]


def test_the_ranks_of_gold_ids_stand_in_the_detail_in_order_of_id(tmp_path: Path) -> None:
    found = scored(
        tmp_path, [{"id": "q", "relevant": ["z", "a", "m"]}], [{"id": "q", "retrieved": ["m", "z"]}]
    )
    assert list(found.cases[0].detail["gold_ranks"].items()) == [("a", None), ("m", 1), ("z", 2)]


def test_answer_match_is_only_measured_where_an_answer_is_expected(tmp_path: Path) -> None:
    gold: list[Row] = [
        {"id": "q1", "relevant": ["a"], "expected": "翌月５日"},
        {"id": "q2", "relevant": ["a"]},
        {"id": "q3", "answerable": False, "expected": "分かりません"},
        {"id": "q4", "relevant": ["a"], "expected": ["x", "y"]},
        {"id": "q5", "relevant": ["a"], "expected": " "},
    ]
    answers = {"q1": "翌月5日。", "q2": "x", "q3": "分かりません", "q4": "Y", "q5": ""}
    run: list[Row] = [{"id": key, "retrieved": ["a"], "answer": answer} for key, answer in answers.items()]
    found = scored(tmp_path, gold, run)
    assert [case.scores["answer_match"] for case in found.cases] == [1.0, None, None, 1.0, None]
    assert found.metrics["answer_match"].reasons == {"no_expected_answer": 2, "unanswerable": 1}


def test_the_groups_rule_needs_groups_in_each_answerable_case(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"success\.rule.*'q' has none"):
        scored(
            tmp_path,
            [{"id": "q", "relevant": ["a"]}],
            [{"id": "q", "retrieved": ["a"]}],
            success={"rule": "groups"},
        )
