"""The offline judge with the file of ``rag-gate calibrate judge``: the results say on how many labels."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Ended, rag_gate

CASES = [
    ("q1", "5 days", "It takes 5 days."),
    ("q2", "9 days", "It takes 5 days."),
    ("q3", "5 days", "It takes 5 days."),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    golden = [
        {"question_id": key, "question": "How long?", "expected_answer": expected, "relevant_doc_ids": ["d"]}
        for key, expected, _ in CASES
    ]
    run = [
        {"question_id": key, "retrieved": [{"id": "d", "text": "It takes 5 days."}], "answer": answer}
        for key, _, answer in CASES
    ]
    labels = [{"question_id": "q1", "label": 1}, {"question_id": "q2", "label": 0}]
    for name, rows in (("golden", golden), ("run", run), ("labels", labels)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    settings(tmp_path, "")
    assert rag_gate("run", "--config", "rag-gate.yml", "--output", "out", cwd=tmp_path).code == 0
    calibrate(tmp_path)
    settings(tmp_path, "judge: {calibration: agreement.json}\n")
    return tmp_path


def settings(folder: Path, more: str) -> None:
    text = f"dataset: golden.jsonl\nrun: run.jsonl\nsafety: {{engine: none}}\n{more}"
    (folder / "rag-gate.yml").write_text(text, encoding="utf-8")


def calibrate(folder: Path) -> None:
    ended = rag_gate("calibrate", "judge", "labels.jsonl", "--results", "out/results.json", cwd=folder)
    assert ended.code == 0, ended.err


def judged(folder: Path) -> tuple[Ended, dict[str, Any]]:
    ended = rag_gate("judge", "--config", "rag-gate.yml", "--output", "judge.json", cwd=folder)
    found = json.loads((folder / "judge.json").read_text(encoding="utf-8")) if ended.code == 0 else {}
    return ended, found.get("evaluator", {})


def test_results_say_on_how_many_labels_the_judge_is_calibrated(folder: Path) -> None:
    ended, evaluator = judged(folder)
    assert ended.code == 0, ended.err
    assert evaluator["settings"]["calibrated"] == 2
    assert "calibration" not in ended.err


def test_a_calibration_changes_no_score_and_no_fingerprint_so_the_baseline_stays_comparable(
    folder: Path,
) -> None:
    before = json.loads((folder / "out/judge.json").read_text(encoding="utf-8"))
    judged(folder)
    after = json.loads((folder / "judge.json").read_text(encoding="utf-8"))
    assert before["cases"] == after["cases"]
    assert before["evaluator"]["fingerprint"] == after["evaluator"]["fingerprint"]
    assert (before["evaluator"]["settings"]["calibrated"], after["evaluator"]["settings"]["calibrated"]) == (
        False,
        2,
    )
    promoted = rag_gate(
        "promote", "out/results.json", "--baseline", "baseline.json", "--reason", "first", "--no-keep-answers", "--yes",
        cwd=folder,
    )  # fmt: skip
    assert promoted.code == 0, promoted.err
    settings(folder, "judge: {calibration: agreement.json}\nbaseline: baseline.json\n")
    ended = rag_gate("run", "--config", "rag-gate.yml", "--output", "again", cwd=folder)
    assert "cannot be compared" not in ended.err
    comment = (folder / "again/comment.md").read_text(encoding="utf-8")
    assert "its scores were compared with 2 labels of people" in comment


def test_the_calibration_of_another_judge_counts_for_nothing_and_the_command_says_so(folder: Path) -> None:
    path = folder / "agreement.json"
    agreement = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(
        json.dumps(agreement | {"judge": {**agreement["judge"], "fingerprint": "0" * 32}}), encoding="utf-8"
    )
    ended, evaluator = judged(folder)
    assert evaluator["settings"]["calibrated"] is False
    assert "judge.calibration: the file is of another judge" in ended.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "is not a agreement file"),
        ('{"schema_version": 1, "kind": "results"}', "kind 'results'"),
        (None, "agreement.json"),
    ],
)
def test_a_file_that_is_no_calibration_is_bad_input(folder: Path, text: str | None, said: str) -> None:
    path = folder / "agreement.json"
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    ended, _ = judged(folder)
    assert ended.code == 2
    assert said in ended.err


def test_a_calibration_is_for_the_offline_judge(folder: Path) -> None:
    settings(folder, "judge: {engine: none, calibration: agreement.json}\n")
    ended, _ = judged(folder)
    assert ended.code == 2
    assert "'calibration' is for engine lexical" in ended.err
