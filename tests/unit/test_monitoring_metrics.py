"""The metrics: exactly these names, labels and buckets, and what each of them counts."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from monitored import count, fresh, samples
from prometheus_client import CollectorRegistry

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.errors import ConfigError
from rag_gate.monitoring import Monitor, QualitySignals, collect

EMPTY = "rag_retrieval_empty_total"
RATE = "rag_citation_rate"


def test_names_labels_and_buckets_are_those_that_were_asked_for() -> None:
    monitor = fresh()
    monitor.metrics.record(
        collect(retrieved=[], retrieval_latency_ms=1, answer="x", generation_latency_ms=1), 2
    )
    text = monitor.metrics.exposition().decode()
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    created = {name for name in types if name.endswith("_created")}
    assert {name: kind for name, kind in types.items() if name not in created} == {
        "rag_response_latency_seconds": "histogram",
        "rag_retrieval_empty_total": "counter",
        "rag_citation_rate": "gauge",
        "rag_thumbs_down_total": "counter",
    }
    for stage in ("retrieval", "generation", "total"):
        bounds = re.findall(rf'_seconds_bucket{{le="([^"]+)",pipeline_stage="{stage}"}}', text)
        assert bounds == ["0.1", "0.25", "0.5", "1.0", "2.0", "5.0", "10.0", "+Inf"]
    assert set(re.findall(r'rag_thumbs_down_total{category="(\w+)"}', text)) == {
        "wrong",
        "unsupported",
        "incomplete",
        "irrelevant",
        "unsafe",
        "other",
    }


def test_before_the_first_answer_there_is_no_citation_rate() -> None:
    monitor = fresh()
    assert RATE not in samples(monitor)
    monitor.metrics.record(QualitySignals("r", retrieval_count=0, retrieval_latency_ms=5.0))
    assert RATE not in samples(monitor)
    assert samples(monitor)[EMPTY] == 1


def test_the_citation_rate_is_that_of_the_last_hundred_answers() -> None:
    monitor = fresh()
    for number in range(150):
        monitor.metrics.record(QualitySignals("r", has_citation=number >= 120))
    assert samples(monitor)[RATE] == pytest.approx(0.30)


def test_the_first_answers_are_a_share_of_themselves() -> None:
    monitor = fresh()
    for cited in (True, False, False, False):
        monitor.metrics.record(QualitySignals("r", has_citation=cited))
    assert samples(monitor)[RATE] == 0.25


def test_only_an_empty_retrieval_counts_as_empty() -> None:
    monitor = fresh()
    for size in (0, 3, 0, 1):
        monitor.metrics.record(QualitySignals("r", retrieval_count=size, retrieval_latency_ms=10.0))
    monitor.metrics.record(QualitySignals("r", generation_latency_ms=10.0))
    assert samples(monitor)[EMPTY] == 2
    assert count(monitor, "retrieval") == 4


def test_an_empty_retrieval_without_a_latency_does_not_count_since_its_rate_needs_both() -> None:
    monitor = fresh()
    monitor.metrics.record(QualitySignals("r", retrieval_count=0))
    assert samples(monitor)[EMPTY] == 0


def test_latencies_are_in_seconds() -> None:
    monitor = fresh()
    monitor.metrics.record(QualitySignals("r", generation_latency_ms=1500.0), total_ms=6000.0)
    found = samples(monitor)
    assert found['rag_response_latency_seconds_sum{pipeline_stage="generation"}'] == 1.5
    assert found['rag_response_latency_seconds_bucket{le="5.0",pipeline_stage="total"}'] == 0
    assert found['rag_response_latency_seconds_bucket{le="10.0",pipeline_stage="total"}'] == 1


def test_a_category_that_is_not_configured_counts_as_other() -> None:
    monitor = fresh(config=MonitoringConfig(feedback_categories=("rude",)))
    monitor.thumbs_down("rude")
    for number in range(1000):
        monitor.thumbs_down(f"my own words {number}")
    found = {key: value for key, value in samples(monitor).items() if key.startswith("rag_thumbs_down_total")}
    assert found == {
        'rag_thumbs_down_total{category="rude"}': 1,
        'rag_thumbs_down_total{category="other"}': 1000,
    }


def test_a_second_monitor_in_one_registry_is_refused_with_what_to_do() -> None:
    registry = CollectorRegistry()
    Monitor(registry=registry)
    with pytest.raises(ConfigError, match="make one Monitor for each process"):
        Monitor(registry=registry)


def test_threads_lose_no_count() -> None:
    monitor = fresh()

    def work() -> None:
        for _ in range(500):
            monitor.metrics.record(QualitySignals("r", 0, 1.0, None, 1.0, 5, has_citation=True), total_ms=2.0)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert samples(monitor)[EMPTY] == 4000
    assert count(monitor, "total") == 4000
    assert samples(monitor)[RATE] == 1.0


def test_without_prometheus_client_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "prometheus_client.py").write_text("raise ImportError('not here')\n")
    code = "from rag_gate.monitoring import Monitor, collect\ncollect(answer='x')\nMonitor()\n"
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{tmp_path}:{root / 'eval'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(
        'Prometheus metrics needs an optional dependency: pip install "rag-gate[monitoring]"'
    )


def test_importing_the_library_loads_no_heavy_module() -> None:
    code = (
        "import sys, rag_gate.monitoring\n"
        "print([name for name in ('prometheus_client', 'datasets', 'httpx', 'yaml', 'jinja2', 'phonenumbers') "
        "if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(root / "eval")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
