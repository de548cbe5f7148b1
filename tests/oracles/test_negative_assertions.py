import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rag_gate.records.assertion import NegativeAssertion
from rag_gate.safety.assertions import check_assertion
from rag_gate.safety.verdicts import Status

ORACLES = Path(os.environ.get("RAG_GATE_ORACLES") or Path(__file__).parent)
REQUIRED_ACCURACY = 0.90


def judged_rows() -> Iterator[tuple[dict[str, Any], Status]]:
    for line in (ORACLES / "safety/negative_assertions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row, check_assertion(NegativeAssertion.model_validate(row["assertion"]), row["answer"]).status


def is_right(row: dict[str, Any], status: Status) -> bool:
    if status == "uncertain":
        return bool(row["tier"] == "judge")
    return bool(row["violated"]) == (status == "asserted")


def test_accuracy_over_all_rows() -> None:
    rows = list(judged_rows())
    wrong = [(row["id"], row["phenomenon"], status) for row, status in rows if not is_right(row, status)]
    assert len(wrong) <= (1 - REQUIRED_ACCURACY) * len(rows), wrong


def test_no_violation_that_words_can_tell_is_missed() -> None:
    missed = [
        (row["id"], row["phenomenon"], status)
        for row, status in judged_rows()
        if row["violated"] and row["tier"] in ("string", "negation") and status in ("absent", "negated")
    ]
    assert missed == []
