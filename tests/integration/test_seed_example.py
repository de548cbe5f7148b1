"""The short form, value for value: equal aggregates, different failures."""

import json
from typing import Any

import pytest
from cli_runner import rag_gate
from material import SEED_ROWS, lines


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("seed")
    dataset = lines(folder / "golden.jsonl", SEED_ROWS)
    scored = rag_gate("retrieval", "--dataset", dataset, "--k-values", "2", "--output", folder / "r.json")
    assert scored.code == 0, scored.err
    merged = rag_gate(
        "merge", folder / "r.json", "--stages", "retrieval", "--output", folder / "results.json", cwd=folder
    )
    assert merged.code == 0, merged.err
    assert "3 cases: 1 generation failure, 1 passed, 1 retrieval failure" in merged.err
    document: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return document


def case(results: dict[str, Any], gold_id: str) -> dict[str, Any]:
    (found,) = (row for row in results["cases"] if gold_id in row["detail"]["retrieval"]["gold_ranks"])
    assert isinstance(found, dict)
    return found


def test_a_right_answer_does_not_excuse_lost_retrieval(results: dict[str, Any]) -> None:
    found = case(results, "expense-policy")
    assert (found["scores"]["recall@2"], found["scores"]["answer_match"]) == (0.0, 1.0)
    assert (found["status"], found["answered_without_evidence"]) == ("retrieval_failure", True)
    assert (found["retrieval_ok"], found["answer_ok"]) == (False, True)


def test_a_wrong_answer_from_the_right_document_is_the_generators_failure(results: dict[str, Any]) -> None:
    found = case(results, "travel-policy")
    assert (found["scores"]["recall@2"], found["scores"]["answer_match"]) == (1.0, 0.0)
    assert (found["status"], found["answered_without_evidence"]) == ("generation_failure", False)
    assert (found["retrieval_ok"], found["answer_ok"]) == (True, False)


def test_a_right_answer_from_the_right_document_passes(results: dict[str, Any]) -> None:
    found = case(results, "purchase-policy")
    assert (found["scores"]["recall@2"], found["scores"]["answer_match"]) == (1.0, 1.0)
    assert found["status"] == "passed"


def test_the_aggregates_are_equal_and_the_statuses_tell_the_failures_apart(results: dict[str, Any]) -> None:
    assert (results["scores"]["recall@2"], results["scores"]["answer_match"]) == (2 / 3, 2 / 3)
    assert results["statuses"] == {"generation_failure": 1, "passed": 1, "retrieval_failure": 1}
    assert results["metrics"]["recall@2"]["n_scored"] == 3
