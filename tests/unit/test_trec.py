"""TREC qrels and runs, as trec_eval reads them."""

import json
from pathlib import Path

import pytest
from material import Row

from rag_gate.dataset import load_golden
from rag_gate.errors import InputError
from rag_gate.formats.trec import import_qrels, import_run


def imported_run(folder: Path, text: str) -> tuple[dict[str, list[str]], int]:
    (folder / "run.txt").write_text(text, encoding="utf-8")
    found = import_run(folder / "run.txt", folder / "run.jsonl")
    rows: list[Row] = [
        json.loads(line) for line in (folder / "run.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return {row["question_id"]: [item["id"] for item in row["retrieved"]] for row in rows}, found.tied


def imported_grades(folder: Path, text: str) -> dict[str, dict[str, int]]:
    (folder / "qrels.txt").write_text(text, encoding="utf-8")
    import_qrels(folder / "qrels.txt", folder / "gold.jsonl")
    return {key: case.grades for key, case in load_golden(str(folder / "gold.jsonl")).cases.items()}


def test_scores_and_not_ranks_order_a_run(tmp_path: Path) -> None:
    text = "q Q0 low 1 0.5 tag\nq Q0 high 2 9.5 tag\nq Q0 mid 3 1e0 tag\n"
    assert imported_run(tmp_path, text) == ({"q": ["high", "mid", "low"]}, 0)


def test_ties_fall_in_order_of_falling_document_id_and_are_counted(tmp_path: Path) -> None:
    text = "q Q0 a 1 1.0 t\nq Q0 c 2 1.0 t\nq Q0 b 3 1.00 t\np Q0 a 1 2 t\n"
    assert imported_run(tmp_path, text) == ({"p": ["a"], "q": ["c", "b", "a"]}, 1)


def test_order_and_line_ends_of_the_file_do_not_matter(tmp_path: Path) -> None:
    text = "q Q0 a 1 1 t\r\n\r\nq\tQ0\tb 2 2 t\r\n"
    assert imported_run(tmp_path, f"\ufeff{text}") == ({"q": ["b", "a"]}, 0)


def test_ideographic_spaces_belong_to_an_id(tmp_path: Path) -> None:
    assert imported_run(tmp_path, "q Q0 返品　規程 1 1 t\n")[0] == {"q": ["返品　規程"]}
    assert imported_grades(tmp_path, "q 0 返品　規程 1\n") == {"q": {"返品　規程": 1}}


def test_grades_are_kept_also_those_that_are_not_relevant(tmp_path: Path) -> None:
    text = "q 0 a 3\nq 0 b 0\nq 0 c -2\nq 0 d +1\nq 0 a 3\nnone 0 a 0\n"
    assert imported_grades(tmp_path, text) == {"q": {"a": 3, "b": 0, "c": -2, "d": 1}, "none": {"a": 0}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 0 a", r"needs 4 fields \(query iteration document grade\), found 3"),
        ("q 0 a 1 1", "needs 4 fields .*, found 5"),
        ("q 0 a 0.5", "grade must be a whole number up to 100, found '0.5'"),
        ("q 0 a high", "found 'high'"),
        ("q 0 a --5", "found '--5'"),
        ("q 0 a ³", "found '³'"),
        ("q 0 a 101", "found '101'"),
        ("q 0 a " + "9" * 5000, "grade must be a whole number up to 100"),
        ("q 0 fine 2", "document 'fine' of query 'q' has two grades; keep one"),
    ],
)
def test_a_wrong_qrels_line_is_refused_and_nothing_is_written(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(InputError, match=rf"qrels\.txt:2: .*{message}"):
        imported_grades(tmp_path, f"q 0 fine 1\n{line}\n")
    assert not (tmp_path / "gold.jsonl").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 a 1 1.0", r"needs 6 fields \(query Q0 document rank score tag\), found 5"),
        ("q Q0 a 1 NaN t", "score must be a finite number, found 'NaN'"),
        ("q Q0 a 1 inf t", "found 'inf'"),
        ("q Q0 a 1 1e999 t", "found '1e999'"),
        ("q Q0 a 1 high t", "found 'high'"),
        ("q Q0 a 1 1_0 t", "found '1_0'"),
        ("q Q0 a 1 １ t", "found '１'"),
        ("q Q0 a 1 1,5 t", "found '1,5'"),
        ("q Q0 a 1 --1 t", "found '--1'"),
        ("q Q0 fine 2 0.5 t", "document 'fine' is listed twice for query 'q'; keep one"),
    ],
)
def test_a_wrong_run_line_is_refused_and_nothing_is_written(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"run\.txt:2: .*{message}"):
        imported_run(tmp_path, f"q Q0 fine 1 1.0 t\n{line}\n")
    assert not (tmp_path / "run.jsonl").exists()


def test_a_line_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes("q Q0 返 1 1 t\n".encode("cp932"))
    with pytest.raises(InputError, match=r"run\.txt:1: is not UTF-8"):
        import_run(tmp_path / "run.txt", tmp_path / "run.jsonl")


@pytest.mark.parametrize("convert", [import_qrels, import_run])
def test_a_file_without_lines_is_refused(tmp_path: Path, convert: object) -> None:
    assert callable(convert)
    (tmp_path / "x.txt").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.txt: holds no line"):
        convert(tmp_path / "x.txt", tmp_path / "out.jsonl")
