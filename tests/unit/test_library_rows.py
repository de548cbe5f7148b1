"""Golden sets and runs through the ``datasets`` library, offline."""

import datetime as dt
import os
from pathlib import Path

import pytest

from rag_gate.dataset import load_golden, open_run
from rag_gate.dataset.rows import iter_rows
from rag_gate.errors import InputError

os.environ.setdefault("HF_HUB_OFFLINE", "1")
CSV = """question_id,question,expected,gold_ids,evidence_groups,tags,answerable,must_pass,tier,evidence,error
q1,"締め切りは, いつ",翌月5日,"a; b",,x;y,true,TRUE,,,
2,,,,"[[""a"",""c""],[""d""]]",,1,0,extended,"[{""text"":""5日"",""doc_id"":""a""}]",
q3,,,,,,false,,core,,
"""


@pytest.mark.parametrize(("name", "separator"), [("g.csv", ","), ("g.tsv", "\t")])
def test_cells_of_a_table_stand_for_lists_as_json_or_with_semicolons(
    tmp_path: Path, name: str, separator: str
) -> None:
    content = CSV if separator == "," else CSV.replace("締め切りは, いつ", "締め切りは").replace(",", "\t")
    if separator == "\t":
        content = content.replace('["a"\t', '["a",').replace(
            '[[""a""\t""c""]\t[""d""]]', '[[""a"",""c""],[""d""]]'
        )
        content = content.replace('""5日""\t""doc', '""5日"",""doc')
    (tmp_path / name).write_text(content, encoding="utf-8")
    cases = load_golden(str(tmp_path / name), "extended").cases
    first, second, third = cases["q1"], cases["2"], cases["q3"]
    assert first.grades == {"a": 1, "b": 1}
    assert (first.tags, first.must_pass, first.tier, first.expected_answers) == (
        ("x", "y"),
        True,
        "core",
        ("翌月5日",),
    )
    assert second.evidence_groups == (("a", "c"), ("d",))
    assert (second.question, second.tier, second.evidence[0].text) == (None, "extended", "5日")
    assert (third.is_answerable, third.must_pass) == (False, False)


def test_a_broken_cell_is_named_with_row_and_column(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text('id,gold_ids\nq1,a\nq2,"[""a"""\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"g\.csv: row 2: gold_ids: is not valid JSON"):
        load_golden(str(tmp_path / "g.csv"))


@pytest.mark.parametrize("key", ["retrieved", "retrieved_ids", "retrieved_doc_ids", "retrieved_context_ids"])
def test_a_run_may_be_a_table(tmp_path: Path, key: str) -> None:
    (tmp_path / "g.csv").write_text("id,gold_ids\nq1,b\n", encoding="utf-8")
    (tmp_path / "run.csv").write_text(f"id,{key},answer\nq1,a;b,はい\n", encoding="utf-8")
    golden = load_golden(str(tmp_path / "g.csv"))
    joined = next(iter(open_run(golden, str(tmp_path / "run.csv"))))
    assert joined.record is not None
    assert (list(joined.record.ids), joined.record.answer) == (["a", "b"], "はい")


ROWS = {
    "question_id": ["q1", "q2"],
    "relevant": [[{"id": "a", "grade": 2}], [{"id": "b", "grade": None}]],
    "answerable": [None, True],
}


@pytest.mark.parametrize("kind", ["parquet", "arrow", "saved"])
def test_columns_of_lists_and_structs_keep_their_types(tmp_path: Path, kind: str) -> None:
    import datasets

    table = datasets.Dataset.from_dict(ROWS)
    path = tmp_path / f"g.{kind}"
    if kind == "parquet":
        table.to_parquet(str(path))
    else:
        table.save_to_disk(str(tmp_path / "g.saved"))
        path = tmp_path / "g.saved" if kind == "saved" else next((tmp_path / "g.saved").glob("*.arrow"))
    cases = load_golden(str(path)).cases
    assert {key: case.grades for key, case in cases.items()} == {"q1": {"a": 2}, "q2": {"b": 1}}


def test_splits_of_a_saved_set_are_tiers(tmp_path: Path) -> None:
    import datasets

    core, extended = (
        datasets.Dataset.from_dict(ROWS).select([0]),
        datasets.Dataset.from_dict(ROWS).select([1]),
    )
    datasets.DatasetDict({"core": core, "extended": extended}).save_to_disk(str(tmp_path / "g"))
    assert list(load_golden(str(tmp_path / "g")).cases) == ["q1"]
    assert {key: case.tier for key, case in load_golden(str(tmp_path / "g"), "extended").cases.items()} == {
        "q1": "core",
        "q2": "extended",
    }


def test_dates_are_taken_as_text_and_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    import datasets

    day = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    fine = {**ROWS, "reviewed": [day, day]}
    datasets.Dataset.from_dict(fine).to_parquet(str(tmp_path / "fine.parquet"))
    assert next(iter_rows(str(tmp_path / "fine.parquet"))).content["reviewed"].startswith("2026-01-02")
    datasets.Dataset.from_dict({**ROWS, "score": [1.0, float("nan")]}).to_parquet(
        str(tmp_path / "nan.parquet")
    )
    with pytest.raises(InputError, match=r"nan\.parquet: row 2: holds NaN"):
        load_golden(str(tmp_path / "nan.parquet"))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("g.parquet", b"no parquet", "Parquet"),
        ("g.arrow", b"no arrow", ""),
        ("g.csv", b"", "No columns to parse"),
        ("g.csv", "id,question\nq,質問\n".encode("cp932"), "codec can't decode"),
    ],
)
def test_a_damaged_file_is_an_input_error(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(
        InputError, match=rf"{name}: cannot be loaded by the datasets library \(.*{reason}.*\); check"
    ):
        load_golden(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "header", "message"),
    [
        ("g.csv", "id;question;gold_ids", "separated by semicolons; a .csv file needs commas"),
        ("g.csv", "id\tquestion", "separated by tabs; a .csv file needs commas"),
        ("g.tsv", "id,question", "separated by commas; a .tsv file needs tabs"),
    ],
)
def test_another_separator_is_named(tmp_path: Path, name: str, header: str, message: str) -> None:
    (tmp_path / name).write_text(f"{header}\nq1{header[2]}a\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"{name}:1: the columns are {message}"):
        load_golden(str(tmp_path / name))


def test_a_table_in_another_encoding_is_to_be_saved_as_utf8(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_bytes("id,質問\nq1,a\n".encode("cp932"))
    with pytest.raises(InputError, match=r"saved as UTF-8 \(a spreadsheet calls it CSV UTF-8\)"):
        load_golden(str(tmp_path / "g.csv"))


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.csv").write_text("id,gold_ids\nq1,a\n", encoding="utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    load_golden(str(tmp_path / "g.csv"))
    assert list(scratch.iterdir()) == []
