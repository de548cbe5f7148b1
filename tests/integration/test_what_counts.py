"""Which cases count: incomplete runs, cases of one document, citations of a document."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runner import rag_gate

SETTINGS = "dataset: golden.jsonl\nrun: run.jsonl\nbaseline: baseline.json\n"
Row = dict[str, Any]


def write(folder: Path, **files: list[Row] | str) -> None:
    for name, content in files.items():
        if isinstance(content, str):
            (folder / f"{name}.yml").write_text(content, encoding="utf-8")
        else:
            lines = "".join(json.dumps(row) + "\n" for row in content)
            (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


def golden(count: int, documents: int) -> list[Row]:
    return [
        {"question_id": f"q{n:02}", "question": "How long?", "gold_ids": [f"doc-{n % documents}"]}
        for n in range(count)
    ]


def right(case: Row) -> Row:
    return {"question_id": case["question_id"], "retrieved": case["gold_ids"], "answer": "5 days"}


@pytest.mark.parametrize(
    ("lost", "code"), [(0, 0), (2, 0), (3, 3), (40, 3)], ids=["none", "5 %", "more than 5 %", "all"]
)
@pytest.mark.parametrize("how", ["error", "missing"])
def test_a_run_of_which_much_is_missing_is_no_first_baseline(
    lost: int, code: int, how: str, tmp_path: Path
) -> None:
    cases = golden(40, 40)
    rows = [right(case) for case in cases[lost:]]
    if how == "error" or lost == 40:
        rows += [{"question_id": case["question_id"], "error": "timeout"} for case in cases[:lost]]
    write(tmp_path, golden=cases, run=rows, **{"rag-gate": SETTINGS})
    ended = rag_gate("run", cwd=tmp_path)
    assert ended.code == code, ended.err
    promoted = rag_gate("promote", "eval_results/results.json", "--config", "rag-gate.yml", cwd=tmp_path)
    assert promoted.code == code
    assert (tmp_path / "baseline.json").exists() is (code == 0)


def test_a_run_of_which_much_is_missing_is_said_to_be_incomplete(tmp_path: Path) -> None:
    cases = golden(40, 40)
    write(tmp_path, golden=cases, run=[right(case) for case in cases[8:]], **{"rag-gate": SETTINGS})
    ended = rag_gate("run", cwd=tmp_path)
    assert "8 of 40 cases were not executed or are missing from the run; complete it" in ended.err


@pytest.mark.parametrize(("cluster", "overall"), [("false", "regressed"), ("true", "inconclusive")])
def test_cases_of_one_document_can_count_as_one(cluster: str, overall: str, tmp_path: Path) -> None:
    settings = (
        f"{SETTINGS}tolerances:\n  recall@5: {{tolerance: 0.03, cluster: {cluster}}}\ngate: {{alpha: 0.05}}\n"
    )
    cases = golden(40, 8)
    write(tmp_path, golden=cases, run=[right(case) for case in cases], **{"rag-gate": settings})
    rag_gate("run", cwd=tmp_path)
    rag_gate("promote", "eval_results/results.json", "--config", "rag-gate.yml", cwd=tmp_path)
    changed = [
        right(case) | ({"retrieved": ["x"]} if case["gold_ids"] == ["doc-3"] else {}) for case in cases
    ]
    write(tmp_path, run=changed)
    rag_gate("run", cwd=tmp_path)
    verdict = json.loads((tmp_path / "eval_results" / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["overall"] == overall
    assert verdict["metrics"]["recall@5"]["n_units"] == (8 if cluster == "true" else 40)


@pytest.mark.parametrize("key", ["doc_id", "document_id", "doc"])
def test_citing_the_document_of_a_chunk_is_citing_what_was_retrieved(key: str, tmp_path: Path) -> None:
    case = {"question_id": "q1", "question": "How long?", "gold_ids": ["7"]}
    run = {"question_id": "q1", "retrieved": [{"id": "c1", key: 7}], "answer": "5 days [source: 7]"}
    write(tmp_path, golden=[case], run=[run])
    ended = rag_gate(
        "safety", "--dataset", "golden.jsonl", "--run", "run.jsonl", "--output", "s.json", cwd=tmp_path
    )
    assert ended.code == 0, ended.err
    found = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["cases"][0]
    assert found["scores"]["citation_precision"] == 1.0
    assert found["detail"]["unknown_citations"] == []
