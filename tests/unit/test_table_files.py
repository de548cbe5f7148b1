"""Tables (CSV, TSV, Parquet, Arrow) are read as the same cases as JSONL."""

import json
from pathlib import Path

import pytest

from rag_gate.dataset import load_golden
from rag_gate.dataset.rows import iter_rows
from rag_gate.errors import InputError

HEADER = ("question_id", "question", "expected_answer", "relevant_doc_ids", "answerable")
CELLS = (
    ("007", "When, exactly?", "5 days", "a;b", ""),
    ("8", "返金は？", "", '["a;b"]', "true"),
    ("9", "Bitcoin?", "", "", "false"),
)
AS_JSONL = (
    {"question_id": "007", "question": "When, exactly?", "expected_answer": "5 days", "gold_ids": ["a", "b"]},
    {"question_id": "8", "question": "返金は？", "gold_ids": ["a;b"]},
    {"question_id": "9", "question": "Bitcoin?", "answerable": False},
)


def table(separator: str) -> str:
    rows = [
        separator.join(f'"{cell}"'.replace('"["', '"[""').replace('"]"', '""]"') for cell in row)
        for row in CELLS
    ]
    return "\n".join([separator.join(HEADER), *rows, ""])


@pytest.fixture
def expected(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "golden.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in AS_JSONL), encoding="utf-8")
    return load_golden(str(path)).fingerprints


@pytest.mark.parametrize(
    ("name", "separator", "encoding"),
    [("g.csv", ",", "utf-8"), ("g.tsv", "\t", "utf-8"), ("excel.CSV", ",", "utf-8-sig")],
)
def test_a_table_of_text_holds_the_same_cases_as_jsonl(
    name: str, separator: str, encoding: str, expected: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(table(separator), encoding=encoding)
    assert load_golden(str(path)).fingerprints == expected


def test_parquet_holds_the_same_cases_as_jsonl(expected: dict[str, str], tmp_path: Path) -> None:
    import datasets

    path = tmp_path / "golden.parquet"
    keys = {key for row in AS_JSONL for key in row}
    datasets.Dataset.from_list([{key: row.get(key) for key in keys} for row in AS_JSONL]).to_parquet(
        str(path)
    )
    assert load_golden(str(path)).fingerprints == expected


def test_a_saved_dataset_holds_the_same_cases_and_its_splits_are_tiers(
    expected: dict[str, str], tmp_path: Path
) -> None:
    import datasets

    rows = [dict(row) for row in AS_JSONL]
    splits = {"core": datasets.Dataset.from_list(rows[:2]), "extended": datasets.Dataset.from_list(rows[2:])}
    datasets.DatasetDict(splits).save_to_disk(str(tmp_path / "saved"))
    assert load_golden(str(tmp_path / "saved"), "extended").fingerprints == expected
    assert sorted(load_golden(str(tmp_path / "saved")).cases) == ["007", "8"]


def test_a_cell_that_is_wrong_is_named_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text("question_id,relevant_doc_ids\n1,a\n2,[broken\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"golden\.csv: row 2: relevant_doc_ids: is not valid JSON"):
        list(iter_rows(str(path)))


def test_a_table_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_bytes("question_id,question\n1,返金\n".encode("shift_jis"))
    with pytest.raises(InputError, match=r"golden\.csv: cannot be loaded"):
        list(iter_rows(str(path)))
