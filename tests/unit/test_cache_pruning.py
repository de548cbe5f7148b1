"""What leaves the cache at the end of a run, and what stays."""

import os
from datetime import timedelta
from pathlib import Path

from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.cache.folder import EntryFolder
from rag_gate.judge.cache.pruning import prune, remove_all
from rag_gate.judge.cache.statistics import statistics_of
from rag_gate.judge.llm.backend import Reply, Usage

DAY = 86_400
NOW = 1_780_000_000.0
MONTH = timedelta(days=30)


def key(number: int) -> str:
    return f"{number * 7:02x}{number:062x}"


def put(folder: Path, number: int, at: float, model: str = "m") -> Path:
    ReplyCache(folder, now=lambda: at).put(key(number), Reply("x" * 1000, Usage()), model)
    path = folder / "v1" / key(number)[:2] / key(number)[2:]
    os.utime(path, (at, at))
    return path


def finish(folder: Path, max_bytes: int = 10**6) -> int:
    cache = ReplyCache(folder, MONTH, max_bytes, lambda: NOW)
    cache.finish()
    return cache.counters.pruned


def left(folder: Path) -> list[int]:
    return [number for number in range(20) if (folder / "v1" / key(number)[:2] / key(number)[2:]).exists()]


def test_the_oldest_go_until_there_is_room(tmp_path: Path) -> None:
    for number in range(10):
        put(tmp_path, number, NOW - number * DAY)
    assert finish(tmp_path, max_bytes=9_000) > 0
    kept = left(tmp_path)
    assert kept == list(range(len(kept)))
    size = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    assert 6_500 < size <= 9_000
    assert finish(tmp_path, max_bytes=9_000) == 0


def test_entries_past_their_age_go_and_a_far_future_is_past_it(tmp_path: Path) -> None:
    for number, age in enumerate([0, 29, 31, -2]):
        put(tmp_path, number, NOW - age * DAY)
    assert finish(tmp_path) == 2
    assert left(tmp_path) == [0, 1]


def test_a_file_s_time_is_only_a_hint(tmp_path: Path) -> None:
    os.utime(put(tmp_path, 1, NOW - DAY), (0, 0))
    assert finish(tmp_path) == 0
    assert left(tmp_path) == [1]


def test_what_a_killed_writer_left_goes_after_an_hour(tmp_path: Path) -> None:
    folder = put(tmp_path, 1, NOW).parent
    for age in (60, 4000):
        left_over = folder / f".{key(1)[2:]}.{age:016x}.tmp"
        left_over.write_bytes(b"half")
        os.utime(left_over, (NOW - age, NOW - age))
    assert finish(tmp_path) == 1
    assert left(tmp_path) == [1]


def test_a_damaged_file_goes_once_no_writer_can_be_at_it(tmp_path: Path) -> None:
    for number, age in ((1, 60), (2, 4000)):
        path = put(tmp_path, number, NOW)
        path.write_bytes(b"torn")
        os.utime(path, (NOW - age, NOW - age))
    assert prune(EntryFolder(tmp_path), NOW, MONTH, 10**6).removed == 1
    assert left(tmp_path) == [1]


def test_files_of_others_stay_whatever_is_asked(tmp_path: Path) -> None:
    entry = put(tmp_path, 1, NOW)
    others = [
        tmp_path / "notes.txt",
        tmp_path / "v1" / "README",
        entry.parent / "notes.txt",
        tmp_path / "ab" / "c",
    ]
    for other in others:
        other.parent.mkdir(exist_ok=True)
        other.write_text("mine")
    assert finish(tmp_path, max_bytes=0) == 1
    put(tmp_path, 1, NOW)
    assert remove_all(EntryFolder(tmp_path)) == 1
    assert all(other.read_text() == "mine" for other in others)


def test_a_file_replaced_since_it_was_listed_stays(tmp_path: Path) -> None:
    put(tmp_path, 1, NOW - 40 * DAY)
    (listed,) = EntryFolder(tmp_path).files()
    put(tmp_path, 1, NOW)
    assert not listed.remove()
    assert left(tmp_path) == [1]


def test_statistics_tell_size_age_models_and_damage(tmp_path: Path) -> None:
    put(tmp_path, 1, NOW - DAY, "a")
    put(tmp_path, 2, NOW, "b")
    put(tmp_path, 3, NOW, "b").write_bytes(b"torn")
    found = statistics_of(EntryFolder(tmp_path))
    assert (found.entries, found.damaged) == (2, 1)
    assert {name: share.entries for name, share in found.models.items()} == {"a": 1, "b": 1}
    assert found.bytes == sum(share.bytes for share in found.models.values())
    assert (found.oldest, found.newest) == ("2026-05-27T20:26:40+00:00", "2026-05-28T20:26:40+00:00")
