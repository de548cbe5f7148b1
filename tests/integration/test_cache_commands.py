"""rag-gate cache: statistics, pruning, and taking judgments to another machine."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Ended, new_process, rag_gate

from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.cache.entry import MAX_ENTRY, Entry, encode
from rag_gate.judge.llm.backend import Reply, Usage

KEYS = [f"{number:02x}" * 32 for number in (200, 3, 90)]
DAY = 86_400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for age, key in enumerate(KEYS):
        cache = ReplyCache(tmp_path / "cache", now=lambda age=age: time.time() - age * DAY)  # type: ignore[misc]
        cache.put(key, Reply(f"返金は{age}日", Usage(1, 100, 10)), "gpt-4o-mini" if age else "gpt-4o")
    return tmp_path / "cache"


def cache(*arguments: str | Path, folder: Path) -> Ended:
    return rag_gate("cache", *arguments, env={"RAG_GATE_CACHE_DIR": str(folder)})


def printed(ended: Ended, code: int = 0) -> dict[str, Any]:
    assert ended.code == code, ended.err
    found = json.loads(ended.out)
    assert isinstance(found, dict)
    return found


def entry(number: int, stored: float | None = None) -> bytes:
    value = {
        "text": "imported",
        "served_model": None,
        "usage": {"requests": 1, "prompt_tokens": 1, "completion_tokens": 1},
    }
    when = int(time.time() if stored is None else stored)
    return encode(Entry(key=f"{number:064x}", kind="reply", stored=when, model=None, value=value))


def test_stats_counts_entries_by_model(folder: Path) -> None:
    ended = cache("stats", folder=folder)
    found = printed(ended)
    assert found["entries"] == 3
    assert {name: share["entries"] for name, share in found["models"].items()} == {
        "gpt-4o": 1,
        "gpt-4o-mini": 2,
    }
    assert "3 entries" in ended.err


def test_stats_of_a_cache_that_is_not_there_are_zero(tmp_path: Path) -> None:
    assert printed(cache("stats", folder=tmp_path / "none"))["entries"] == 0
    assert list(tmp_path.iterdir()) == []


def test_prune_by_age_size_and_all(folder: Path) -> None:
    assert printed(cache("prune", folder=folder)) == {"removed": 0, "entries": 3, "bytes": size(folder)}
    assert printed(cache("prune", "--older-than", "36h", folder=folder))["removed"] == 1
    assert printed(cache("prune", "--max-mb", "0.0006", folder=folder))["entries"] == 1
    assert ReplyCache(folder).get(KEYS[0]) is not None
    assert printed(cache("prune", "--all", folder=folder))["removed"] == 1
    assert printed(cache("stats", folder=folder))["entries"] == 0


@pytest.mark.usefixtures("folder")
def test_the_settings_say_where_and_how_long(tmp_path: Path) -> None:
    (tmp_path / "rag-gate.yml").write_text("judge: {cache: {path: cache, ttl_days: 1.5, max_mb: 0.0006}}\n")
    ended = rag_gate("cache", "prune", "--config", tmp_path / "rag-gate.yml")
    assert printed(ended)["entries"] == 1
    other = new_process(
        "cache", "stats", "--config", tmp_path / "rag-gate.yml", "--folder", tmp_path / "none"
    )
    assert printed(other)["entries"] == 0


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1y", "1.5d", "999999d", ""])
def test_an_age_that_says_nothing_is_refused(folder: Path, age: str) -> None:
    ended = cache("prune", "--older-than", age, folder=folder)
    assert ended.code == 2
    assert "such as 12h, 30d or 4w" in ended.err


def test_an_exported_cache_is_whole_elsewhere_and_has_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert printed(cache("export", first, folder=folder)) == {"entries": 3}
    done = printed(cache("import", first, folder=tmp_path / "other"))
    assert done == {"added": 3, "known": 0, "expired": 0, "rejected": 0}
    printed(cache("export", second, folder=tmp_path / "other"))
    assert first.read_bytes() == second.read_bytes()
    for age, key in enumerate(KEYS):
        found = ReplyCache(tmp_path / "other").get(key)
        assert found is not None
        assert found.text == f"返金は{age}日"
    assert printed(cache("import", first, folder=folder))["known"] == 3


def test_only_whole_lines_of_the_right_age_are_imported(tmp_path: Path) -> None:
    good = entry(1)
    lines = [
        good,
        entry(2, time.time() - 40 * DAY),
        entry(3, time.time() + 40 * DAY),
        good.replace(b"imported", b"exported"),
        good[:50] + b"\n",
        b'{"sha256": "", "entry": {"key": "../../../../etc/passwd"}}\n',
        b"\n",
        b"x" * (3 * MAX_ENTRY) + b"\n",
        entry(4),
        entry(5).rstrip(b"\n"),
    ]
    (tmp_path / "in.jsonl").write_bytes(b"".join(lines))
    ended = cache("import", tmp_path / "in.jsonl", folder=tmp_path / "cache")
    found = printed(ended)
    assert (found["added"], found["expired"]) == (2, 2)
    assert found["rejected"] >= 6
    assert "lines rejected" in ended.err
    assert printed(cache("stats", folder=tmp_path / "cache"))["entries"] == 2
    assert sorted(item.name for item in tmp_path.iterdir()) == ["cache", "in.jsonl"]


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (b"question,answer\n", (), "holds no entry of a cache"),
        (b"\0" * 3_000_000, ("--max-mb", "1"), "larger than 1 MB"),
    ],
)
def test_a_file_that_is_no_export_is_refused(
    tmp_path: Path, content: bytes, options: tuple[str, ...], says: str
) -> None:
    (tmp_path / "in.jsonl").write_bytes(content)
    ended = cache("import", tmp_path / "in.jsonl", *options, folder=tmp_path / "cache")
    assert ended.code == 2
    assert says in ended.err
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("command", [("stats",), ("prune",), ("export", "out.jsonl"), ("import", "in.jsonl")])
def test_a_folder_that_is_none_is_one_line(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "v1").write_text("a file")
    (tmp_path / "in.jsonl").write_bytes(entry(1))
    environ = {"RAG_GATE_CACHE_DIR": str(tmp_path / "cache")}
    ended = rag_gate("cache", *command, cwd=tmp_path, env=environ)
    assert ended.code == 2
    assert "cannot be used as a cache (is not a folder)" in ended.err
    assert len(ended.err.splitlines()) == 1
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("command", ["prune", "import"])
@pytest.mark.parametrize("size", ["nan", "inf", "-1", "1e300", "many"])
def test_a_size_that_is_none_is_refused(tmp_path: Path, command: str, size: str) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"")
    arguments = [tmp_path / "in.jsonl"] if command == "import" else []
    ended = cache(command, *arguments, "--max-mb", size, folder=tmp_path / "cache")
    assert ended.code == 2
    assert "--max-mb" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(("number", "words"), [(1, "1 entry,"), (2, "2 entries,")])
def test_one_entry_is_not_several(tmp_path: Path, number: int, words: str) -> None:
    lines = b"".join(map(entry, range(number)))
    (tmp_path / "in.jsonl").write_bytes(lines)
    cache("import", tmp_path / "in.jsonl", folder=tmp_path / "cache")
    assert words in cache("stats", folder=tmp_path / "cache").err
    (tmp_path / "in.jsonl").write_bytes(lines + b"x\n")
    said = cache("import", tmp_path / "in.jsonl", folder=tmp_path / "cache").err
    assert "1 line rejected" in said
