"""Recording keeps its workers busy, and no more of them than allowed."""

import asyncio
import sys
import time
from pathlib import Path

import pytest
from record_material import golden, rows, settings

from rag_gate.config import load_config
from rag_gate.dataset import load_golden
from rag_gate.record.job import Job, Place, Wishes

SLOW = """
import asyncio

PEAK = [0, 0]


async def answer(question):
    PEAK[0] += 1
    PEAK[1] = max(PEAK)
    await asyncio.sleep(0.1)
    PEAK[0] -= 1
    return {"retrieved": ["d1"], "answer": question}
"""


def test_five_hundred_cases_keep_sixteen_workers_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    golden(tmp_path, {f"q{number}": "why?" for number in range(500)})
    (tmp_path / "slow_bot.py").write_text(SLOW, encoding="utf-8")
    config = load_config(settings(tmp_path, "python: {answer: 'slow_bot:answer'}\nconcurrency: 16"))
    assert config.target is not None
    place = Place(tmp_path, tmp_path / "run.jsonl", tmp_path / "out")
    job = Job(load_golden(str(tmp_path / "golden.jsonl")), config.target, place, Wishes(), {})
    started = time.monotonic()
    found = asyncio.run(job.record(lambda _: None))
    took = time.monotonic() - started

    assert found.errors == []
    assert len(rows(tmp_path / "run.jsonl")) == 500
    assert sys.modules["slow_bot"].PEAK == [0, 16]
    assert 3.2 <= took < 2 * 3.2  # the benchmark promises 1.2
