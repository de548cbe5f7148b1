from typing import Any

import pytest

from rag_gate.dataset import Joined
from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import parse_run_record
from rag_gate.retrieval.order import retrieved_fingerprint

CASE = GoldenCase(question_id="q1", question="How long?", answerable=False)


def of(row: dict[str, Any], state: Any = "ok") -> str | None:
    return retrieved_fingerprint(Joined(CASE, "fp", parse_run_record(row, "q1"), state))


def test_the_order_and_every_id_count() -> None:
    ids = ["a", "b", "c"]
    found = of({"retrieved": ids})
    assert found == of({"retrieved": [{"id": item, "text": "other", "score": 0.5} for item in ids]})
    assert found is not None
    assert len(found) == 16
    others = [["b", "a", "c"], ["a", "b"], ["a", "b", "c", "d"], ["ab", "c"], []]
    assert len({found, *(of({"retrieved": other}) for other in others)}) == 1 + len(others)


def test_a_result_without_an_id_stands_with_its_text() -> None:
    assert of({"contexts": ["one", "two"]}) != of({"contexts": ["one", "three"]})
    assert of({"contexts": ["one", "two"]}) == of({"contexts": [{"text": "one"}, {"text": "two"}]})
    assert of({"retrieved": [{"score": 1}]}) != of({"retrieved": []})


@pytest.mark.parametrize(("row", "state"), [({"answer": "x"}, "ok"), ({"retrieved": ["a"]}, "error")])
def test_nothing_is_known_of_what_was_not_recorded_or_not_executed(row: dict[str, Any], state: str) -> None:
    assert of(row, state) is None


def test_nothing_is_known_of_a_case_that_is_not_in_the_run() -> None:
    assert retrieved_fingerprint(Joined(CASE, "fp", None, "missing")) is None
