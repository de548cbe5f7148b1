"""The quick reader of ranks and the general reader of rows agree on every row."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from material import Row, lines

from rag_gate.dataset import load_golden, open_run
from rag_gate.dataset.ranks import ranked_record
from rag_gate.errors import InputError
from rag_gate.records.run import RunRecord, id_of, parse_run_record

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(-2, 2)
    | st.sampled_from(["", "a", "質問", "b#1"])
)
results = st.one_of(
    st.dictionaries(
        st.sampled_from(["id", "doc_id", "document_id", "doc", "chunk_id", "text", "score", "metadata"]),
        scalars,
    ),
    st.fixed_dictionaries(
        {"id": st.sampled_from(["a", "b#1", "質問"]), "score": st.floats(0, 1), "text": st.text(max_size=4)}
    ),
    scalars,
)
KEYS = [
    "answer",
    "actual",
    "citations",
    "error",
    "latency_ms",
    "usage",
    "retrieved_contexts",
    "retrieved_ids",
    "manifest",
    "x",
]
rows = st.builds(
    lambda ids, listed, more: {**ids, **listed, **more},
    st.dictionaries(st.sampled_from(["question_id", "id"]), scalars),
    st.one_of(st.just({}), st.fixed_dictionaries({"retrieved": st.lists(results, max_size=3) | scalars})),
    st.dictionaries(st.sampled_from(KEYS), scalars | st.lists(scalars, max_size=2) | st.just({}), max_size=2),
)
plain = st.fixed_dictionaries(
    {"question_id": st.sampled_from(["q", "質問"]), "retrieved": st.lists(results.filter(bool), max_size=3)},
    optional={
        "answer": st.text(max_size=3),
        "error": st.sampled_from(["", "timeout", None]),
        "citations": st.just(["a"]),
    },
)


def general(row: Row) -> RunRecord | str:
    try:
        return parse_run_record(row, id_of(row))
    except ValueError as error:
        return str(error)


@given(rows | plain, st.booleans())
def test_what_the_quick_reader_takes_the_general_one_reads_alike(row: Row, escape: bool) -> None:  # noqa: FBT001 - drawn
    quick = ranked_record(json.dumps(row, ensure_ascii=escape).encode())
    if quick is None:
        return
    full = general(row)
    assert isinstance(full, RunRecord), full
    assert (quick.question_id, list(quick.ids), quick.answer, quick.error, quick.has_results) == (
        full.question_id,
        list(full.ids),
        full.answer,
        full.error,
        full.has_results,
    )


def test_the_plain_shape_is_taken() -> None:
    row = {
        "question_id": "q",
        "retrieved": [{"id": "a", "text": "本文", "score": 1}],
        "answer": "x",
        "latency_ms": 5,
    }
    found = ranked_record(json.dumps(row).encode())
    assert found is not None
    assert (found.question_id, list(found.ids), found.answer) == ("q", ["a"], "x")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "q", "retrieved": [{"id": "a", "text": "\xff"}]}', "is not UTF-8"),
        (b'{"id": "q", "retrieved": [{"id": "a", "score": NaN}]}', "is not valid JSON"),
        (b'{"id": "q", "retrieved": [{"id": "a", "text": "\\ud800"}]}', "is not valid JSON"),
        (b'{"id": "q", "retrieved": [{"id": "a", "x": 01}]}', "is not valid JSON"),
        (b'{"id": "q", "retrieved": [{"id": "a"}]', "is not valid JSON"),
        (b'{"id": "q", "retrieved": [{"id": "a"}]} {}', "is not valid JSON"),
        (
            b'{"question_id": "", "id": "q", "retrieved": [{"id": "a"}]}',
            "question_id must be a non-empty text",
        ),
        (b'{"id": "q", "retrieved": [{"id": ""}]}', "result 1: id must be a non-empty text"),
    ],
)
def test_a_wrong_row_is_refused_whatever_is_read_of_it(tmp_path: Path, line: bytes, message: str) -> None:
    golden = load_golden(lines(tmp_path / "g.jsonl", [{"id": "q", "relevant": ["a"]}]))
    (tmp_path / "run.jsonl").write_bytes(line)
    for ranks_only in (True, False):
        with pytest.raises(InputError, match=rf"run\.jsonl:1: {message}"):
            list(open_run(golden, str(tmp_path / "run.jsonl"), ranks_only=ranks_only))


def test_the_fingerprint_is_the_same_whatever_is_read(tmp_path: Path) -> None:
    golden = load_golden(lines(tmp_path / "g.jsonl", [{"id": "q", "relevant": ["a"]}]))
    run = lines(
        tmp_path / "run.jsonl", [{"manifest": {"k": 3}}, {"id": "q", "retrieved": [{"id": "a", "text": "x"}]}]
    )
    infos: list[Any] = []
    for ranks_only in (True, False):
        joined = open_run(golden, run, ranks_only=ranks_only)
        assert [item.state for item in joined] == ["ok"]
        infos.append(joined.info())
    assert infos[0] == infos[1]
