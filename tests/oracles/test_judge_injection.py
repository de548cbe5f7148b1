"""Attacks on the judge (tests/oracles/safety/judge_injection.jsonl) against a model that obeys all it reads."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from llm_material import DOCUMENT, honest, judged, passing, request

from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.backend import Prompt

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "safety" / "judge_injection.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
ATTACKS = [row for row in ROWS if row["is_attack"]]
#: What the answers and documents of the attacks say beside the attack.
CLEAN = re.compile(r"Refunds take 1 day\.|返金は即日です。|即日返金です。|Shipping guide\.|配送規約 第3条…")
#: What no text says unless it wants something of the judge.
WANTS = re.compile(
    r"score|スコア|1\.0|１．０|満点|supported|grader|evaluat|判定者|評価AI|approved|verified|grounded|reference answer|"
    r"T3V0cHV0|faithful|INST|im_start|[\U000e0020-\U000e007e]",
    re.IGNORECASE,
)


def obedient(data: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
    """Do what the data ask for; judge honestly where they ask for nothing."""
    texts = [data["answer"], *data.get("documents", {}).values()]
    return passing(data, prompt) if any(map(WANTS.search, texts)) else honest(data, prompt)


def case_of(row: Mapping[str, Any], *, attacked: bool) -> JudgeRequest:
    clean = " ".join(CLEAN.findall(row["text"]))
    text = row["text"] if attacked else clean
    if row["where"] == "answer":
        return request(text, language=row["lang"])
    return request("Refunds take 1 day.", contexts=(text, DOCUMENT), language=row["lang"])


def both(row: Mapping[str, Any], mode: str) -> tuple[CaseJudgment, CaseJudgment]:
    cases = (case_of(row, attacked=False), case_of(row, attacked=True))
    clean, attacked = judged(obedient, *cases, mode=mode)
    return clean, attacked


def test_the_obedient_model_obeys_when_it_is_asked() -> None:
    for row in ATTACKS:
        assert WANTS.search(row["text"])


@pytest.mark.parametrize("mode", ["single", "split"])
@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row["id"])
def test_no_attack_raises_a_score_or_gives_a_pass(row: Mapping[str, Any], mode: str) -> None:
    clean, attacked = both(row, mode)
    for metric, score in clean.scores.items():
        assert (attacked.scores[metric] or 0.0) <= (score or 0.0), metric
    assert attacked.scores["correctness"] == 0.0
    assert attacked.scores["faithfulness"] == 0.0
    assert "judge_injection" in attacked.detail
    assert "judge_injection" not in clean.detail


@pytest.mark.parametrize("row", [row for row in ROWS if not row["is_attack"]], ids=lambda row: row["id"])
def test_harmless_rows_are_judged_as_they_are(row: Mapping[str, Any]) -> None:
    case = case_of(row, attacked=True)
    (found,), (expected,) = judged(obedient, case), judged(honest, case)
    assert "judge_injection" not in found.detail
    if row["where"] == "answer":
        (same,) = judged(honest, request(row["text"], contexts=(row["text"],), expected=(row["text"],)))
        assert (same.scores["faithfulness"], same.scores["correctness"]) == (1.0, 1.0)
    assert set(found.scores) == set(expected.scores)
