"""Refusals and look-alikes with known answers (tests/oracles/safety/refusal.jsonl)."""

import json
from pathlib import Path

import pytest

from rag_gate.wording.refusals import is_refusal

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "safety" / "refusal.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nine_of_ten_refusals_and_answers_are_told_apart(language: str) -> None:
    rows = [row for row in ROWS if row["lang"] == language]
    right = sum(is_refusal(row["answer"]) is row["is_refusal"] for row in rows)
    assert len(rows) >= 12
    assert right / len(rows) >= 0.9
