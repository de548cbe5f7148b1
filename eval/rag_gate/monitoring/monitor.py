"""One object for a bot: decorators, requests, feedback, metrics."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.monitoring.calls import Call, watched
from rag_gate.monitoring.language import UNKNOWN, detect_language
from rag_gate.monitoring.metrics import OTHER, Metrics
from rag_gate.monitoring.phrases import Phrases
from rag_gate.monitoring.request import CURRENT, Request, leave, new_id, plain_id
from rag_gate.monitoring.safely import safely, warn_once
from rag_gate.monitoring.signals import Detector, QualitySignals, collect
from rag_gate.monitoring.texts import answer_of, citations_of, results_of, text_of

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

Function = TypeVar("Function", bound=Callable[..., Any])
Results = Callable[[Any], Sequence[Any] | None]
Text = Callable[[Any], str | None]


class Log(Protocol):
    """Where signals are written beside the metrics."""

    def request(self, signals: QualitySignals, request: Request, total_ms: float | None) -> None:
        """Write one request. ``request`` still holds its texts; they are gone afterwards."""

    def feedback(self, category: str, request_id: str | None) -> None:
        """Write that a user marked an answer as bad."""


class Monitor:
    """Watches a bot's retriever and generator and counts what they do. It never breaks a request.

    Args:
        config: markers, phrases and feedback categories; the usual ones by default.
        registry: where the metrics are registered; prometheus_client's own by default.
        detector: tells the language of a text as an ISO 639-1 code.
        log: also gets the signals of each request.

    Raises:
        MissingExtraError: if prometheus_client is not installed.
        ConfigError: if several processes cannot share what they count.
    """

    def __init__(
        self,
        config: MonitoringConfig | None = None,
        *,
        registry: "CollectorRegistry | None" = None,
        detector: Detector = detect_language,
        log: Log | None = None,
    ) -> None:
        config = config or MonitoringConfig()
        self.metrics = Metrics(registry, config.feedback_categories)
        self._phrases, self._log = Phrases(config), log
        self._detector = detector if detector is detect_language else _forgiving(detector)

    @classmethod
    def from_file(cls, path: str | Path, **options: Any) -> "Monitor":  # noqa: ANN401 - those of the class
        """Return a monitor with the part ``monitoring`` of a rag-gate.yml.

        Raises:
            ConfigError: as ``load_config``, and as the class.
        """
        from rag_gate.config import load_config

        return cls(load_config(Path(path)).monitoring, **options)

    @overload
    def retriever(self, function: Function, *, results: Results = ...) -> Function: ...
    @overload
    def retriever(self, *, results: Results) -> Callable[[Function], Function]: ...
    def retriever(self, function: Function | None = None, *, results: Results = results_of) -> Any:
        """Return the retriever, watched. Use it as a decorator, also on ``async`` functions and on methods.

        Args:
            function: returns the results.
            results: finds the list of results in what it returns, where that is not a list itself.
        """
        if function is None:
            return partial(self.retriever, results=results)
        name = getattr(function, "__qualname__", "retriever")

        @safely
        def seen(call: Call) -> None:
            found = results(call.value)
            if found is None:
                warn_once(name, f"returned a {type(call.value).__name__} without a list; give results=")
                return
            request = call.request
            if request is None or request.finished:
                self.metrics.retrieved(len(found), call.seconds)
                return
            request.retrieved.extend(found)
            request.searched = True
            request.retrieval_ms += call.seconds * 1000
            request.question = request.question or call.question

        return watched(function, seen, streams=False)

    @overload
    def generator(self, function: Function, *, text: Text = ...) -> Function: ...
    @overload
    def generator(self, *, text: Text) -> Callable[[Function], Function]: ...
    def generator(self, function: Function | None = None, *, text: Text = text_of) -> Any:
        """Return the generator, watched. Use it as a decorator, also on ``async`` and streaming functions.

        An answer that is streamed is counted when it has reached its end.

        Args:
            function: returns or yields the answer.
            text: finds the text in what it returns, or in each piece that it yields.
        """
        if function is None:
            return partial(self.generator, text=text)
        name = getattr(function, "__qualname__", "generator")

        @safely
        def seen(call: Call) -> None:
            value, request = call.value, call.request
            # At once where there is nothing to find, as with most.
            plain = type(value) is str and text is text_of
            answer = value if plain else answer_of(value if call.in_pieces else (value,), text, name)
            if request is None or request.finished:
                self.metrics.generated(call.seconds, cited=self._signals(Request(answer=answer)).has_citation)
                return
            request.answer, request.generated = answer, True
            request.citations = None if plain or call.in_pieces else citations_of(value)
            request.generation_ms += call.seconds * 1000
            request.question = request.question or call.question

        return watched(function, seen, streams=True)

    @contextmanager
    def request(self, request_id: str | None = None) -> Iterator[Request]:
        """Watch one request: what decorated functions do inside the block belongs together.

        The ASGI middleware does this for each HTTP request. What ends later, such as a stream that is read after the block,
        counts alone.

        Args:
            request_id: names it in logs; a random one by default, and where it is not plain (up to 100 letters, digits
                and ``._:/+=-``).
        """
        request = Request(plain_id(request_id) or new_id())
        token, began = CURRENT.set(request), perf_counter()
        try:
            yield request
        except BaseException:
            self.finish(request, None)
            raise
        else:
            self.finish(request, perf_counter() - began)
        finally:
            leave(CURRENT, token)

    @staticmethod
    def request_id() -> str | None:
        """Return the id of the request that is being answered, to send along for feedback; None outside of one."""
        request = CURRENT.get()
        return None if request is None else request.request_id

    @safely
    def finish(self, request: Request, seconds: float | None) -> None:
        """Count a request that is over; one in which nothing was retrieved or generated does not count.

        Args:
            request: what was gathered.
            seconds: how long it took; None = it was not answered to its end.
        """
        request.finished = True
        if request.is_empty:
            return
        signals = self._signals(request)
        total_ms = None if seconds is None else seconds * 1000
        self.metrics.record(signals, total_ms)
        if self._log is not None:
            self._log.request(signals, request, total_ms)

    @safely
    def thumbs_down(self, category: str = OTHER, request_id: str | None = None) -> None:
        """Count an answer that a user marked as bad.

        Args:
            category: one of the configured ones; any other counts as ``other``.
            request_id: names the request, for the log; one that is not plain (it comes from outside) is left out.
        """
        self.metrics.thumbs_down(category)
        if self._log is not None:
            self._log.feedback(self.metrics.known_category(category), plain_id(request_id))

    def _signals(self, request: Request) -> QualitySignals:
        return collect(
            request_id=request.request_id,
            retrieved=request.retrieved if request.searched else None,
            retrieval_latency_ms=request.retrieval_ms if request.searched else None,
            answer=request.answer,
            generation_latency_ms=request.generation_ms if request.generated else None,
            citations=request.citations,
            phrases=self._phrases,
            detector=self._detector,
        )


def _forgiving(detector: Detector) -> Detector:
    """Return a detector that fails or says nothing without taking the other signals along."""

    def language(text: str) -> str:
        try:
            found: object = detector(text)
        except Exception as error:  # noqa: BLE001 - of the user's own function, which may do anything
            warn_once("detector", f"failed with {type(error).__name__}; the language is unknown")
            return UNKNOWN
        return found if isinstance(found, str) else UNKNOWN

    return language
