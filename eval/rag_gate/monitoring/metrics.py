"""The Prometheus metrics. Names, labels and buckets are fixed: rules and dashboards rest on them."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rag_gate.config_monitoring import CATEGORIES
from rag_gate.errors import ConfigError, MissingExtraError
from rag_gate.monitoring.signals import QualitySignals
from rag_gate.monitoring.window import LocalWindow, SharedWindow, Window

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Metric

Stage = Literal["retrieval", "generation", "total"]
STAGES: tuple[Stage, ...] = ("retrieval", "generation", "total")
BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
LATENCY = "rag_response_latency_seconds"
EMPTY = "rag_retrieval_empty_total"
CITATIONS = "rag_citation_rate"
THUMBS_DOWN = "rag_thumbs_down_total"
OTHER = "other"
_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_CITATIONS_HELP = "Share of answers with a citation among the last 100"


class Metrics:
    """The four metrics, in a registry.

    Where ``PROMETHEUS_MULTIPROC_DIR`` is set, all processes that name that folder write one set of metrics, and
    ``rag_citation_rate`` is the share among the last 100 answers of all of them together.

    Args:
        registry: where they are registered; prometheus_client's own by default. Not used with several processes.
        categories: values of the label ``category``; ``other`` is always one.

    Raises:
        MissingExtraError: if prometheus_client is not installed.
        ConfigError: if several processes cannot share what they count, or the registry has these metrics already.
    """

    def __init__(
        self, registry: "CollectorRegistry | None" = None, categories: Iterable[str] = CATEGORIES
    ) -> None:
        client = _client()
        folder = os.environ.get(_FOLDER)
        window: Window = SharedWindow(Path(folder)) if folder else LocalWindow()
        self.registry: Any = None if folder else (registry or client.REGISTRY)
        names = {"registry": self.registry}
        help_text, labels = "How long the stages of an answer took", ["pipeline_stage"]
        try:
            latency = client.Histogram(LATENCY, help_text, labels, buckets=BUCKETS, **names)
        except ValueError:  # of the first metric, so that none is left registered
            raise ConfigError(
                "the metrics are registered already; make one Monitor for each process and share it"
            ) from None
        self._latency = {stage: latency.labels(stage).observe for stage in STAGES}
        self._empty = client.Counter(EMPTY, "Requests for which nothing was retrieved", **names)
        thumbs = client.Counter(THUMBS_DOWN, "Answers that a user marked as bad", ["category"], **names)
        # Made at once: a series that begins at 1 has lost its first increase.
        self._thumbs = {category: thumbs.labels(category) for category in dict.fromkeys((*categories, OTHER))}
        self._window, self._publish = window, _publisher(client, window, self.registry)

    def retrieved(self, count: int, seconds: float) -> None:
        """Count one retrieval."""
        self._latency["retrieval"](seconds)
        if count == 0:
            self._empty.inc()

    def generated(self, seconds: float, *, cited: bool | None) -> None:
        """Count one generation; ``cited`` is None where the answer's text is not known."""
        self._latency["generation"](seconds)
        if cited is not None:
            self.answered(cited=cited)

    def answered(self, *, cited: bool) -> None:
        """Count one answer in the window of the last 100."""
        self._publish(self._window.add(cited=cited))

    def took(self, seconds: float) -> None:
        """Count how long a whole request took."""
        self._latency["total"](seconds)

    def record(self, signals: QualitySignals, total_ms: float | None = None) -> None:
        """Count one request.

        A retrieval without its latency is not counted: the rate of empty ones is one among those that were timed.

        Args:
            signals: of the request.
            total_ms: how long the whole request took; None = not known.
        """
        if signals.retrieval_latency_ms is not None and signals.retrieval_count is not None:
            self.retrieved(signals.retrieval_count, signals.retrieval_latency_ms / 1000)
        if signals.generation_latency_ms is not None:
            self.generated(signals.generation_latency_ms / 1000, cited=signals.has_citation)
        elif signals.has_citation is not None:
            self.answered(cited=signals.has_citation)
        if total_ms is not None:
            self.took(total_ms / 1000)

    def thumbs_down(self, category: str = OTHER) -> None:
        """Count an answer that a user marked as bad; a category that is not configured counts as ``other``."""
        self._thumbs[self.known_category(category)].inc()

    def known_category(self, category: str) -> str:
        """Return a category, or ``other`` for one that is not configured."""
        return category if category in self._thumbs else OTHER

    def exposition(self) -> bytes:
        """Return the metrics in Prometheus' text format: of this process, or of all that share the folder."""
        client = _client()
        if self.registry is not None:
            return bytes(client.generate_latest(self.registry))
        from prometheus_client import multiprocess

        registry = client.CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # of the library
        return bytes(client.generate_latest(registry))


class _LocalGauge:
    """Shows the window of one process; no sample before the first answer, since 0 would be a false alarm."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def describe(self) -> "Iterator[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        yield GaugeMetricFamily(CITATIONS, _CITATIONS_HELP)

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        rate = self._window.rate()
        gauge = GaugeMetricFamily(CITATIONS, _CITATIONS_HELP)
        if rate is not None:
            gauge.add_metric([], rate)
        yield gauge


def _publisher(client: Any, window: Window, registry: Any) -> Callable[[float], object]:  # noqa: ANN401 - a module, and an object that the library does not type
    """Return what shows a new share; the window of one process is read when the metrics are."""
    if registry is not None:
        registry.register(_LocalGauge(window))
        return lambda _: None
    # Each process writes the share of all of them, so the newest is the right one, also of a process that is gone.
    gauge = client.Gauge(CITATIONS, _CITATIONS_HELP, registry=None, multiprocess_mode="mostrecent")
    return gauge.set  # type: ignore[no-any-return] # of an untyped module


def _client() -> Any:  # noqa: ANN401 - the module
    try:
        import prometheus_client
    except ImportError:
        raise MissingExtraError("Prometheus metrics", "rag-gate[monitoring]") from None
    return prometheus_client
