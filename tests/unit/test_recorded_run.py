"""A recorded run: its shapes, its manifest, its joins."""

import json
from pathlib import Path
from typing import Any

import pytest
from material import Row, lines

from rag_gate.dataset import GoldenSet, Joined, JoinedRun, load_golden, open_run
from rag_gate.errors import InputError
from rag_gate.records.partial import Shard
from rag_gate.records.run import RunRecord


@pytest.fixture
def golden(tmp_path: Path) -> GoldenSet:
    rows: list[Row] = [{"id": f"q{n}", "relevant": ["a"]} for n in range(4)]
    return load_golden(
        lines(tmp_path / "g.jsonl", [*rows, {"id": "ext", "relevant": ["a"], "tier": "extended"}])
    )


def join(
    golden: GoldenSet, folder: Path, *rows: object, shard: Shard | None = None
) -> tuple[JoinedRun, list[Joined]]:
    run = open_run(golden, lines(folder / "run.jsonl", rows), shard)
    return run, list(run)


def record(golden: GoldenSet, folder: Path, row: Row) -> RunRecord:
    found = join(golden, folder, {"id": "q0", **row})[1][0].record
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("row", "ids", "texts"),
    [
        ({"retrieved": ["a", "b"]}, ["a", "b"], [None, None]),
        ({"retrieved": [1, 2]}, ["1", "2"], [None, None]),
        ({"retrieved": [{"id": "a", "text": "x"}, {"id": 2, "page_content": "y"}]}, ["a", "2"], ["x", "y"]),
        ({"retrieved": [{"chunk_id": "a", "content": "x"}, {"doc_id": "d"}]}, ["a", "d"], ["x", None]),
        ({"retrieved_ids": ["a"], "retrieved": None}, ["a"], [None]),
        ({"retrieved_doc_ids": ["a"]}, ["a"], [None]),
        ({"retrieved_contexts": ["x", "y"]}, [None, None], ["x", "y"]),
        ({"contexts": [{"id": "a", "text": "x"}]}, ["a"], ["x"]),
        ({"retrieval_context": ["x"]}, [None], ["x"]),
        ({"retrieved_context_ids": ["a", 2], "retrieved_contexts": ["x", "y"]}, ["a", "2"], ["x", "y"]),
        ({"retrieved": ["a"], "contexts": [{"title": "t", "content": "x"}]}, ["a"], ["x"]),
        ({"retrieved": []}, [], []),
    ],
)
def test_shapes_of_results(
    golden: GoldenSet, tmp_path: Path, row: Row, ids: list[Any], texts: list[Any]
) -> None:
    found = record(golden, tmp_path, row)
    assert (list(found.ids), found.texts()) == (ids, texts)


@pytest.mark.parametrize("key", ["answer", "actual", "response", "actual_output"])
def test_aliases_of_the_answer(golden: GoldenSet, tmp_path: Path, key: str) -> None:
    assert record(golden, tmp_path, {"retrieved": [], key: "はい"}).answer == "はい"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"retrieved": "a"}, "retrieved must be a list in rank order, found str"),
        ({"retrieved": {"a": 1.0}}, "retrieved must be a list in rank order, found dict"),
        ({"contexts": "x"}, "the list of contexts must be a list, found str"),
        ({"retrieved": ["a", None]}, "result 2 must be an id or an object with an id, found None"),
        ({"retrieved": [1.5]}, "result 1 must be an id or an object"),
        ({"retrieved": [""]}, "result 1 must be an id or an object"),
        ({"retrieved": [{"id": ""}]}, "result 1: id must be a non-empty text"),
        ({"retrieved": [{"id": ["a"]}]}, "result 1: id must be a non-empty text"),
        ({"retrieved": ["a"], "contexts": ["x", "y"]}, "retrieved has 1 entries and the list of contexts 2"),
        ({"answer": 5}, "answer must be text, found int"),
        ({"citations": [[]]}, "citations must be a list of ids"),
    ],
)
def test_a_wrong_row_is_refused_with_line_and_key(
    golden: GoldenSet, tmp_path: Path, row: Row, message: str
) -> None:
    with pytest.raises(InputError, match=rf"run\.jsonl:2: {message}"):
        join(golden, tmp_path, {"id": "q1", "retrieved": []}, {"id": "q0", **row})


def test_a_row_without_question_id_is_refused(golden: GoldenSet, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.jsonl:1: no question_id"):
        join(golden, tmp_path, {"retrieved": ["a"]})


def test_a_case_recorded_twice_names_both_lines(golden: GoldenSet, tmp_path: Path) -> None:
    rows = [
        {"id": "q0", "retrieved": ["a"]},
        {"id": "q1", "retrieved": []},
        {"question_id": "q0", "retrieved": ["b"]},
    ]
    with pytest.raises(
        InputError, match=r"run\.jsonl:3: question_id 'q0' was already recorded at .*run\.jsonl:1"
    ):
        join(golden, tmp_path, *rows)


def test_states_and_counts(golden: GoldenSet, tmp_path: Path) -> None:
    run, joined = join(
        golden,
        tmp_path,
        {"id": "q0", "retrieved": ["a"], "error": ""},
        {"id": "q1", "retrieved": []},
        {"id": "q2", "error": {"code": 500}},
        {"id": "ext", "retrieved": ["a"]},
        {"id": "u1", "retrieved": ["a"]},
    )
    assert [(item.case.question_id, item.state) for item in joined] == [
        ("q0", "ok"),
        ("q1", "empty"),
        ("q2", "error"),
        ("q3", "missing"),
    ]
    assert dict(run.counts) == {"cases": 4, "executed": 2, "empty": 1, "missing": 1, "error": 1, "unknown": 1}
    assert run.unknown == ["u1"]


@pytest.mark.parametrize("rows", [[], [{"id": "u", "retrieved": ["a"]}], [{"id": "ext", "retrieved": ["a"]}]])
def test_a_run_without_any_evaluated_case_is_an_error(
    golden: GoldenSet, tmp_path: Path, rows: list[Row]
) -> None:
    with pytest.raises(InputError, match=r"run\.jsonl: 0 of 4 gold cases found in the run.*must be equal"):
        join(golden, tmp_path, *rows)


def test_golden_rows_without_results_need_a_run(golden: GoldenSet) -> None:
    with pytest.raises(InputError, match=r"g\.jsonl: holds no results; name a recorded run with --run"):
        open_run(golden, None)


def fingerprint(golden: GoldenSet, folder: Path, *rows: object, shard: Shard | None = None) -> str:
    return join(golden, folder, *rows, shard=shard)[0].info().fingerprint


def test_the_fingerprint_is_of_all_rows_in_any_order(golden: GoldenSet, tmp_path: Path) -> None:
    rows = [{"id": f"q{n}", "retrieved": ["a"]} for n in range(4)]
    whole = fingerprint(golden, tmp_path, *rows)
    assert fingerprint(golden, tmp_path, *reversed(rows)) == whole
    assert fingerprint(golden, tmp_path, *rows, shard=Shard(index=2, total=3)) == whole
    assert fingerprint(golden, tmp_path, *rows[:3]) != whole
    assert fingerprint(golden, tmp_path, *rows[:3], {"id": "q3", "retrieved": ["b"]}) != whole


MANIFEST: Row = {"commit": "abc", "model": "m", "k": 5, "temperature": 0.5}


def test_the_manifest_is_the_first_line_or_a_file_beside_the_run(golden: GoldenSet, tmp_path: Path) -> None:
    row = {"id": "q0", "retrieved": ["a"]}
    inside = join(golden, tmp_path, {"manifest": MANIFEST}, row)[0].info()
    (tmp_path / "run.meta.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    beside = join(golden, tmp_path, row)[0].info()
    assert inside == beside
    assert inside.manifest is not None
    assert inside.manifest.model_dump(exclude_none=True) == {"schema_version": 1, **MANIFEST}


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ({"k": 0}, "k: Input should be greater than or equal to 1"),
        ({"commit": 5}, "commit: Input should be a valid string"),
        ({"schema_version": 2}, "schema_version: Input should be 1"),
        ([1], "must be a table of keys"),
    ],
)
def test_a_wrong_manifest_is_refused(
    golden: GoldenSet, tmp_path: Path, manifest: object, message: str
) -> None:
    with pytest.raises(InputError, match=rf"run\.jsonl:1: .*{message}"):
        join(golden, tmp_path, {"manifest": manifest}, {"id": "q0", "retrieved": ["a"]})
    (tmp_path / "run.meta.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match=rf"run\.meta\.json: .*{message}"):
        join(golden, tmp_path, {"id": "q0", "retrieved": ["a"]})


def test_a_number_beyond_all_bounds_in_the_manifest_is_refused(golden: GoldenSet, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(
        '{"manifest": {"temperature": 1e999}}\n{"id": "q0", "retrieved": ["a"]}\n', encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"run\.jsonl:1: manifest\.temperature: must be a finite number"):
        list(open_run(golden, str(path)))
