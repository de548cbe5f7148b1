"""Archives and results from outside: whatever they hold, they are read or refused, and nothing else happens."""

import io
import json
import zipfile
from typing import Any

import pytest
from comment_material import case, results
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.ci.claims import read_claims
from rag_gate.errors import RagGateError
from rag_gate.github.archive import MOST_ENTRIES, read_from_archive

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


def _valid() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(results([case("a"), case("b", found=False)]).model_dump_json())
    return found


def _paths(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [way, *(path for key in keys for path in _paths(value[key], (*way, key)))]


PATHS = [path for path in _paths(_valid()) if path]


def test_whole_results_are_taken() -> None:
    assert [row.question_id for row in read_claims(json.dumps(_valid()).encode()).cases] == ["a", "b"]


@given(st.sampled_from(PATHS), JSON)
def test_any_change_of_results_is_taken_or_refused(path: tuple[Any, ...], value: object) -> None:
    document = _valid()
    found: Any = document
    for key in path[:-1]:
        found = found[key]
    found[path[-1]] = value
    try:
        taken = read_claims(json.dumps(document).encode())
    except RagGateError:
        return
    for name, summary in taken.metrics.items():
        assert taken.scores[name] == summary.mean


@given(JSON)
def test_any_other_document_is_refused(document: object) -> None:
    with pytest.raises(RagGateError):
        read_claims(json.dumps(document).encode())


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_as_results_and_as_an_archive(data: bytes) -> None:
    with pytest.raises(RagGateError):
        read_claims(data)
    with pytest.raises(RagGateError):
        read_from_archive(data, "results.json")


def _archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("out/results.json", "{}" * 50)
        archive.writestr("out/comment.md", "x")
    return buffer.getvalue()


ARCHIVE = _archive()


def test_a_whole_archive_gives_the_one_file() -> None:
    assert read_from_archive(ARCHIVE, "results.json") == b"{}" * 50


@settings(max_examples=400)
@given(st.integers(0, len(ARCHIVE) - 1), st.integers(0, 255))
def test_any_broken_archive_gives_the_file_or_is_refused(place: int, value: int) -> None:
    data = bytearray(ARCHIVE)
    data[place] = value
    refused = None
    try:
        assert isinstance(read_from_archive(bytes(data), "results.json"), bytes)
    except RagGateError as error:
        refused = error.problems[0]
    assert refused is None or "artifact of the first stage" in refused


def test_more_entries_than_any_run_writes_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(MOST_ENTRIES + 1):
            archive.writestr(f"{number}", "")
    with pytest.raises(RagGateError, match="more than 200 entries"):
        read_from_archive(buffer.getvalue(), "results.json")
