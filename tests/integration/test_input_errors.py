"""Input that must be refused or reported, through the command: exit code, place, what to do."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Ended, rag_gate
from material import Row, lines

ORACLE = Path(__file__).resolve().parents[1] / "oracles/retrieval/dev-input-errors.json"
CASES: dict[str, Row] = {
    case["id"]: case["input"] for case in json.loads(ORACLE.read_text(encoding="utf-8"))["cases"]
}
FINE: list[Row] = [{"id": "q", "relevant": ["a"]}]
FINE_RUN: list[Row] = [{"id": "q", "retrieved": ["a"]}]


def retrieval(folder: Path, given: Row, *options: str) -> Ended:
    gold = lines(folder / "gold.jsonl", given.get("gold", FINE))
    run = lines(folder / "run.jsonl", given.get("run", FINE_RUN))
    return rag_gate("retrieval", "--dataset", gold, "--run", run, "--output", folder / "out.json", *options)


def recall(folder: Path) -> Any:
    return json.loads((folder / "out.json").read_text(encoding="utf-8"))["metrics"]["recall@3"]["mean"]


def refused(ended: Ended, folder: Path, *parts: str) -> None:
    assert ended.code == 2, ended.err
    assert "Traceback" not in ended.err
    assert all(part in ended.err for part in parts), ended.err
    assert not (folder / "out.json").exists()


def test_every_case_of_the_oracle_is_tested_here() -> None:
    assert list(CASES) == ["e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9"]


@pytest.mark.parametrize(
    ("k", "wrong"), [("0", "0"), ("3,0", "0"), ("-1", "-1"), ("2.5", "2.5"), ("x", "x"), ("", "")]
)
def test_e1_a_k_below_one_is_refused_with_its_value(tmp_path: Path, k: str, wrong: str) -> None:
    assert CASES["e1"] == {"k": 0}
    line = f"--k-values: each k must be a whole number from 1 to 99999, found '{wrong}'"
    refused(retrieval(tmp_path, {}, "--k-values", k), tmp_path, line)


def test_e2_the_same_case_twice_in_the_golden_set(tmp_path: Path) -> None:
    refused(retrieval(tmp_path, CASES["e2"]), tmp_path, "gold.jsonl:2: question_id 'q'", "gold.jsonl:1")


def test_e3_the_same_case_twice_in_the_run(tmp_path: Path) -> None:
    refused(
        retrieval(tmp_path, CASES["e3"]), tmp_path, "run.jsonl:2: question_id 'q'", "run.jsonl:1", "keep one"
    )


def test_e4_one_document_with_two_grades(tmp_path: Path) -> None:
    refused(
        retrieval(tmp_path, CASES["e4"]),
        tmp_path,
        "gold.jsonl:1:",
        "'a' stands twice with grades 1 and 0",
        "keep one",
    )


def test_e5_one_document_twice_with_one_grade_counts_once_and_is_warned_about(tmp_path: Path) -> None:
    ended = retrieval(tmp_path, CASES["e5"])
    assert ended.code == 0, ended.err
    assert "gold.jsonl:1: gold id 'a' is repeated; counted once" in ended.err
    assert recall(tmp_path) == 1.0


@pytest.mark.parametrize("score", ["NaN", "inf", "-Infinity", "high"])
def test_e6_a_score_that_is_no_number(tmp_path: Path, score: str) -> None:
    assert CASES["e6"]["run_scores"]["q"]["a"] == "NaN"
    (tmp_path / "run.txt").write_text(f"q Q0 b 1 1.0 t\nq Q0 a 2 {score} t\n", encoding="utf-8")
    ended = rag_gate("import", "trec-run", tmp_path / "run.txt", tmp_path / "out.json")
    refused(ended, tmp_path, "run.txt:2: score must be a finite number", f"'{score}'")


def test_e7_numbers_and_texts_are_the_same_ids(tmp_path: Path) -> None:
    assert retrieval(tmp_path, CASES["e7"]).code == 0
    assert recall(tmp_path) == 1.0


def test_e8_a_run_of_other_cases(tmp_path: Path) -> None:
    refused(
        retrieval(tmp_path, CASES["e8"]),
        tmp_path,
        "run.jsonl: 0 of 1 gold cases found",
        "'q2'",
        "must be equal",
    )


def test_e9_results_without_the_field_that_is_compared(tmp_path: Path) -> None:
    refused(
        retrieval(tmp_path, CASES["e9"]),
        tmp_path,
        "run.jsonl: no result carries an id",
        "record results with id",
    )


def test_an_unreadable_line_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id": "q", "retrieved": ["a"]}\n{"id": ', encoding="utf-8")
    gold = lines(tmp_path / "gold.jsonl", FINE)
    ended = rag_gate(
        "retrieval", "--dataset", gold, "--run", tmp_path / "broken.jsonl", "--output", tmp_path / "out.json"
    )
    refused(ended, tmp_path, "broken.jsonl:2: is not valid JSON", "fix the file")


def test_without_a_golden_set_the_command_says_how_to_name_one(tmp_path: Path) -> None:
    refused(rag_gate("retrieval", cwd=tmp_path), tmp_path, "no golden set is named; use --dataset FILE")
