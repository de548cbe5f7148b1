"""Processes that share a cache, and one that is killed while it writes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.llm.backend import Reply, Usage

SOURCES = Path(__file__).resolve().parents[2] / "eval"
KEY = "ab" * 32
WRITES_AND_READS = """
import sys
from pathlib import Path
from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.llm.backend import Reply, Usage

cache = ReplyCache(Path(sys.argv[1]), max_bytes=int(sys.argv[3]))
letter = sys.argv[2]
sys.stdin.read(1)
for turn in range(150):
    key = f"{turn % 5:02x}" * 32
    cache.put(key, Reply(letter * (1000 + turn), Usage(1, 2, 3)))
    found = cache.get(key)
    assert found is None or len(set(found.text)) == 1, found
    cache.finish()
assert cache.counters.damaged == 0, cache.counters
assert cache.warnings == [], cache.warnings
print(cache.counters.hits)
"""
DIES_WHILE_WRITING = """
import os, pathlib, signal, sys
from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.llm.backend import Reply, Usage

class Dying(type(pathlib.Path())):
    def replace(self, target):
        os.truncate(self, os.stat(self).st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)

ReplyCache(Dying(sys.argv[1])).put("ab" * 32, Reply("never seen", Usage()))
"""


def started(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_together(folder: Path, max_bytes: int) -> list[int]:
    processes = [started(WRITES_AND_READS, folder, letter, max_bytes) for letter in "abc"]
    hits = []
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("g")
        process.stdin.flush()
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        hits.append(int(out))
    return hits


def test_writers_of_the_same_keys_never_see_half_an_entry_and_lose_none(tmp_path: Path) -> None:
    assert run_together(tmp_path, 10**6) == [150, 150, 150]
    cache = ReplyCache(tmp_path)
    for turn in range(145, 150):
        found = cache.get(f"{turn % 5:02x}" * 32)
        assert found is not None
        assert len(found.text) == 1000 + turn
    assert not list(tmp_path.rglob("*.tmp"))


def test_writers_may_prune_each_other_s_entries(tmp_path: Path) -> None:
    assert all(hits <= 150 for hits in run_together(tmp_path, 3000))
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 3000


def test_a_writer_killed_before_the_end_leaves_no_entry_and_the_next_one_writes_it(tmp_path: Path) -> None:
    process = started(DIES_WHILE_WRITING, tmp_path)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert len(list(tmp_path.rglob("*.tmp"))) == 1
    cache = ReplyCache(tmp_path)
    assert cache.get(KEY) is None
    cache.put(KEY, Reply("whole", Usage()))
    assert cache.get(KEY) == Reply("whole", Usage())
    assert cache.counters.damaged == 0


def test_a_killed_writer_leaves_the_entry_that_was_there(tmp_path: Path) -> None:
    ReplyCache(tmp_path).put(KEY, Reply("paid for", Usage(1, 10, 5)))
    started(DIES_WHILE_WRITING, tmp_path).communicate(timeout=60)
    assert ReplyCache(tmp_path).get(KEY) == Reply("paid for", Usage(1, 10, 5))
