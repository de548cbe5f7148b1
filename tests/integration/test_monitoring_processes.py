"""Several processes of one bot: their metrics are one, and the citation window is shared."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ROOT
from monitored import samples_of

_WORKER = """
import sys
from rag_gate.monitoring import Monitor, QualitySignals
monitor = Monitor()
cited, answers = int(sys.argv[1]), int(sys.argv[2])
for number in range(answers):
    monitor.metrics.record(
        QualitySignals("r", number % 2, 100.0, None, 50.0, 5, has_citation=number < cited), total_ms=200.0
    )
monitor.thumbs_down("wrong")
"""
_FORKING = """
import os
from rag_gate.monitoring import Monitor, QualitySignals
monitor = Monitor()
def work(cited):
    for _ in range(2000):
        monitor.metrics.record(QualitySignals("r", has_citation=cited), total_ms=1.0)
children = []
for number in range(4):
    child = os.fork()
    if child == 0:
        work(number % 2 == 0)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
work(True)
"""
_READ = "import sys; from rag_gate.monitoring import Monitor; sys.stdout.buffer.write(Monitor().metrics.exposition())"
TOTAL = 'rag_response_latency_seconds_count{pipeline_stage="total"}'


def command(code: str, *args: str) -> list[str]:
    return [sys.executable, "-c", code, *args]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "eval"), "PROMETHEUS_MULTIPROC_DIR": str(folder)}


def read(folder: Path) -> dict[str, float]:
    done = subprocess.run(command(_READ), env=environment(folder), capture_output=True, check=True)
    return samples_of(done.stdout.decode())


def test_all_processes_are_counted_together(tmp_path: Path) -> None:
    workers = [subprocess.Popen(command(_WORKER, "0", "300"), env=environment(tmp_path)) for _ in range(3)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    found = read(tmp_path)
    assert found[TOTAL] == 900
    assert found['rag_response_latency_seconds_bucket{le="0.25",pipeline_stage="total"}'] == 900
    assert found["rag_retrieval_empty_total"] == 450
    assert found['rag_thumbs_down_total{category="wrong"}'] == 3
    assert found['rag_thumbs_down_total{category="other"}'] == 0
    assert found["rag_citation_rate"] == 0.0


def test_the_citation_rate_is_that_of_the_last_hundred_answers_of_all_processes(tmp_path: Path) -> None:
    for cited, answers in (("80", "80"), ("0", "40"), ("20", "20")):
        subprocess.run(command(_WORKER, cited, answers), env=environment(tmp_path), check=True)
    # Of the last hundred, 40 of the first process were cited, none of the second, all 20 of the third.
    assert read(tmp_path)["rag_citation_rate"] == pytest.approx(0.6)


def test_before_the_first_answer_no_process_shows_a_rate(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert "rag_citation_rate" not in found
    assert found["rag_retrieval_empty_total"] == 0


def test_forked_workers_share_the_window_and_lose_no_count(tmp_path: Path) -> None:
    subprocess.run(command(_FORKING), env=environment(tmp_path), check=True, timeout=60)
    found = read(tmp_path)
    assert found[TOTAL] == 10_000
    assert found["rag_citation_rate"] == 1.0
    ring = (tmp_path / "rag_citation_window.ring").read_bytes()
    assert int.from_bytes(ring[:8], "little") == 10_000
    assert ring[8:] == b"\1" * 100


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = subprocess.run(
        command(_READ), env=environment(tmp_path / "absent"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "ConfigError: PROMETHEUS_MULTIPROC_DIR: " in last
    assert "name a folder that is there" in last
