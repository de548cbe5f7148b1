"""Writing that never leaves half a file, and one text per JSON value."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.errors import InputError
from rag_gate.files import (
    atomic_writer,
    canonical_json,
    fingerprint,
    iter_lines,
    parse_json,
    read_bytes,
    write_text,
)

SOURCES = Path(__file__).resolve().parents[2] / "eval"
KILLED_WHILE_WRITING = """
import os, pathlib, signal, sys
from rag_gate.files import atomic_writer
with atomic_writer(pathlib.Path(sys.argv[1])) as out:
    out.write(b"half a fi")
    out.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.json"
    write_text(path, "古い\n")
    write_text(path, "新しい\n")
    assert path.read_bytes() == "新しい\n".encode()
    assert [item.name for item in path.parent.iterdir()] == ["a.json"]


def write_half_and_raise(path: Path, failure: type[BaseException]) -> None:
    with atomic_writer(path) as out:
        out.write(b"half a fi")
        raise failure


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, OSError])
def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "a.json"
    write_text(path, "old")
    with pytest.raises(failure):
        write_half_and_raise(path, failure)
    assert path.read_text(encoding="utf-8") == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["a.json"]


def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_text(path, "old")
    ended = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_WRITING, path], env={"PYTHONPATH": str(SOURCES)}, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    assert path.read_text(encoding="utf-8") == "old"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    write_text(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text(encoding="utf-8") == "new"


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "text")
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("blocked", ["folder", "file/below"])
def test_a_path_that_cannot_be_written_is_an_input_error(tmp_path: Path, blocked: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=rf"{blocked}: cannot be written \(.*\); choose another output path"):
        write_text(tmp_path / blocked, "x")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def turned(value: object) -> object:
    """The same value with the keys of every object in the other order."""
    if isinstance(value, dict):
        return {key: turned(item) for key, item in reversed(value.items())}
    return [turned(item) for item in value] if isinstance(value, list) else value


@given(json_values)
def test_equal_values_have_one_text_and_one_fingerprint(value: object) -> None:
    assert canonical_json(turned(value)) == canonical_json(value)
    assert fingerprint(turned(value)) == fingerprint(value)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**60), 2**60)))
def test_what_is_written_can_be_read(value: dict[str, int]) -> None:
    assert parse_json(canonical_json(value).encode(), "x") == value


def test_canonical_json_is_readable_and_holds_no_number_that_is_none() -> None:
    assert canonical_json({"b": "日本", "a": [1.5, None]}) == '{"a":[1.5,null],"b":"日本"}'
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"a": float("nan")})


def test_different_values_have_different_fingerprints() -> None:
    assert len({fingerprint(value) for value in (1, "1", [1], {"1": 1}, None, 1.5, True)}) == 7


def test_lines_carry_their_number_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xef\xbb\xbfa\r\n\n  \nb")
    assert list(iter_lines(tmp_path / "x")) == [(1, b"a"), (4, b"b")]


@pytest.mark.parametrize("read", [read_bytes, lambda path: list(iter_lines(path))])
def test_reading_names_what_is_wrong_with_the_path(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with pytest.raises(InputError, match="no such file; check the path"):
        read(tmp_path / "missing")
    with pytest.raises(InputError, match="is a folder; name a file"):
        read(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "file" / "below")
