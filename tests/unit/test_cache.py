"""The cache gives back what was put, or nothing: never something else, never an exception."""

import os
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.cache.entry import MAX_ENTRY, Entry, decode, encode
from rag_gate.judge.llm.backend import Reply, Usage

KEY, OTHER = "ab" * 32, "cd" * 32
REPLY = Reply('{"claims": ["返金は5営業日以内"]}', Usage(2, 1200, 80), "gpt-4o-2024-11-20")
DAY = 86_400
NOW = 1_780_000_000.0


def opened(folder: Path, now: float = NOW, max_bytes: int = 10**6) -> ReplyCache:
    return ReplyCache(folder, timedelta(days=30), max_bytes, lambda: now)


def path_of(folder: Path, key: str = KEY) -> Path:
    return folder / "v1" / key[:2] / key[2:]


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    opened(tmp_path).put(KEY, REPLY)
    return tmp_path


def test_a_reply_comes_back_whole_in_another_run(filled: Path) -> None:
    cache = opened(filled)
    assert cache.get(KEY) == REPLY
    assert cache.get(OTHER) is None
    assert (cache.counters.hits, cache.counters.misses, cache.counters.damaged) == (1, 1, 0)
    assert cache.saved == REPLY.usage
    assert cache.warnings == []


def test_an_empty_cache_creates_nothing(tmp_path: Path) -> None:
    cache = opened(tmp_path / "cache")
    assert cache.get(KEY) is None
    cache.finish()
    assert list(tmp_path.iterdir()) == []
    assert cache.warnings == []


def test_what_is_written_is_for_its_owner_only(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        opened(tmp_path / "cache").put(KEY, REPLY)
    finally:
        os.umask(previous)
    path = path_of(tmp_path / "cache")
    modes = [stat.S_IMODE(place.stat().st_mode) for place in (path, *path.parents[:3])]
    assert [oct(mode) for mode in modes] == ["0o600", "0o700", "0o700", "0o700"]
    assert [item.name for item in path.parent.iterdir()] == [path.name]


@given(st.integers(min_value=0), st.integers(min_value=0, max_value=255))
def test_an_entry_with_any_byte_changed_or_cut_off_is_none(place: int, byte: int) -> None:
    data = encode(Entry(key=KEY, kind="reply", stored=1, model="m", value={"text": "返金", "n": 0.1}))
    place %= len(data)
    changed = data[:place] + bytes([byte]) + data[place + 1 :]
    assert (decode(changed) is None) == (changed != data)
    assert decode(data[:place]) is None
    assert decode(data + data[:place]) is None or place == 0


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 4096, b"null\n", b"[]", b'"', b"{" * 5000, b"[" * 100_000, b"\xff\xfe", b"x" * MAX_ENTRY],
)
def test_a_file_that_is_no_entry_is_a_miss_and_is_replaced(filled: Path, content: bytes) -> None:
    path_of(filled).write_bytes(content)
    cache = opened(filled)
    assert cache.get(KEY) is None
    assert (cache.counters.hits, cache.counters.misses, cache.counters.damaged) == (0, 1, 1)
    cache.put(KEY, REPLY)
    assert cache.get(KEY) == REPLY


def test_an_entry_moved_to_another_key_is_a_miss(filled: Path) -> None:
    target = path_of(filled, OTHER)
    target.parent.mkdir(mode=0o700)
    path_of(filled).rename(target)
    assert opened(filled).get(OTHER) is None


@pytest.mark.parametrize(
    "value",
    [
        {
            "text": "",
            "served_model": None,
            "usage": {"requests": 1, "prompt_tokens": 1, "completion_tokens": 1},
        },
        {
            "text": "a",
            "served_model": None,
            "usage": {"requests": -1, "prompt_tokens": 1, "completion_tokens": 1},
        },
        {"text": "a", "served_model": None},
        {},
    ],
)
def test_a_sealed_entry_that_is_no_reply_is_a_miss(filled: Path, value: dict[str, object]) -> None:
    path_of(filled).write_bytes(
        encode(Entry(key=KEY, kind="reply", stored=int(NOW), model=None, value=value))
    )
    cache = opened(filled)
    assert cache.get(KEY) is None
    assert cache.counters.damaged == 1


def test_an_entry_of_another_kind_is_a_miss(filled: Path) -> None:
    path_of(filled).write_bytes(encode(Entry(key=KEY, kind="ragas", stored=int(NOW), model=None, value={})))
    assert opened(filled).get(KEY) is None


@pytest.mark.parametrize(
    ("later", "found"), [(29 * DAY, True), (30 * DAY, False), (-DAY + 1, True), (-DAY - 1, False)]
)
def test_an_entry_counts_for_thirty_days_and_a_clock_may_be_a_day_off(
    filled: Path, later: float, *, found: bool
) -> None:
    cache = opened(filled, NOW + later)
    assert (cache.get(KEY) is not None) == found
    assert cache.counters.expired == (not found)


def as_link(path: Path) -> None:
    path.rename(outside := path.parents[2] / "outside")
    path.symlink_to(outside)


def as_linked_folder(path: Path) -> None:
    path.parent.rename(outside := path.parents[2] / "outside")
    path.parent.symlink_to(outside)


def as_linked_root(path: Path) -> None:
    path.parents[1].rename(outside := path.parents[2] / "outside")
    path.parents[1].symlink_to(outside)


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def open_to_others(path: Path) -> None:
    path.parents[1].chmod(0o777)


@pytest.mark.parametrize(
    "spoil", [as_link, as_linked_folder, as_linked_root, as_pipe, as_folder, open_to_others]
)
def test_what_is_not_a_plain_file_in_folders_of_ours_is_not_read(
    filled: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(path_of(filled))
    cache = opened(filled)
    assert cache.get(KEY) is None
    assert cache.counters.damaged == 1
    assert len(cache.warnings) == 1


@pytest.mark.parametrize("spoil", [as_linked_folder, as_linked_root, as_folder, open_to_others])
def test_nothing_is_written_or_removed_beyond_a_link(filled: Path, spoil: Callable[[Path], None]) -> None:
    spoil(path_of(filled))
    before = sorted((str(path), path.lstat().st_mtime_ns) for path in (filled / "outside").rglob("*"))
    cache = opened(filled, max_bytes=0)
    cache.put(KEY, REPLY)
    cache.finish()
    assert (cache.counters.stored, cache.counters.not_stored) == (0, 1)
    assert cache.warnings
    assert sorted((str(path), path.lstat().st_mtime_ns) for path in (filled / "outside").rglob("*")) == before


def test_a_link_in_place_of_an_entry_is_replaced_not_followed(filled: Path) -> None:
    as_link(path_of(filled))
    before = (filled / "outside").read_bytes()
    cache = opened(filled)
    cache.put(KEY, Reply("new", Usage()))
    assert not path_of(filled).is_symlink()
    assert (filled / "outside").read_bytes() == before
    assert cache.get(KEY) == Reply("new", Usage())


def test_a_folder_that_cannot_be_written_is_one_warning_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = opened(tmp_path / "file" / "cache")
    for key in (KEY, OTHER):
        assert cache.get(key) is None
        cache.put(key, REPLY)
    cache.finish()
    assert cache.counters.not_stored == 2
    assert any("cannot be written" in line and "RAG_GATE_CACHE_DIR" in line for line in cache.warnings)
    assert len(cache.warnings) == len(set(cache.warnings)) <= 3


@pytest.mark.parametrize("text", ["\ud800", "x" * MAX_ENTRY])
def test_a_reply_that_cannot_be_kept_is_counted(tmp_path: Path, text: str) -> None:
    cache = opened(tmp_path)
    cache.put(KEY, Reply(text, Usage()))
    assert cache.counters.not_stored == 1
    assert cache.get(KEY) is None


def test_a_key_is_no_path(tmp_path: Path) -> None:
    for key in ("../" * 20 + "x" * 4, "", "AB" * 32, "ab" * 31):
        with pytest.raises(ValueError, match=r"hexadecimal|pattern"):
            opened(tmp_path).put(key, REPLY)
        with pytest.raises(ValueError, match="hexadecimal"):
            opened(tmp_path).get(key)
