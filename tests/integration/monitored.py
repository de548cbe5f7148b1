"""A monitor with a registry of its own, and its samples."""

import re
from collections.abc import Callable

from prometheus_client import CollectorRegistry

from rag_gate.monitoring import Monitor

Ask = Callable[[object], list[object]]
Say = Callable[[object], str]
_SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)


def fresh(**options: object) -> Monitor:
    return Monitor(registry=CollectorRegistry(), **options)  # type: ignore[arg-type]


def finding(*found: object) -> Ask:
    """Return a retriever that always finds the same."""

    def retrieve(question: object) -> list[object]:
        del question
        return list(found)

    return retrieve


def finding_as_many(size: object) -> list[object]:
    """Find as many results as the question says."""
    assert isinstance(size, int)
    return [None] * size


def saying(answer: str) -> Say:
    """Return a generator that always says the same."""

    def generate(question: object) -> str:
        del question
        return answer

    return generate


def samples(monitor: Monitor) -> dict[str, float]:
    """Return name and labels -> value, as Prometheus would read them."""
    return samples_of(monitor.metrics.exposition().decode())


def samples_of(text: str) -> dict[str, float]:
    return {
        (f"{name}{{{labels}}}" if labels else name): float(value)
        for name, labels, value in _SAMPLE.findall(text)
    }


def count(monitor: Monitor, stage: str) -> float:
    return samples(monitor)[f'rag_response_latency_seconds_count{{pipeline_stage="{stage}"}}']
