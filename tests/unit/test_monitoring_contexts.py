"""Requests that end elsewhere, later or badly: no bot breaks over them, and nothing is lost or counted twice."""

import asyncio
import contextvars
import uuid
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unittest.mock import Mock

import pytest
from monitored import count, finding, fresh, samples, saying

from rag_gate.errors import ConfigError
from rag_gate.monitoring import Monitor, QualityMiddleware, SignalLog

EMPTY = "rag_retrieval_empty_total"


def test_a_request_inside_a_generator_may_be_read_by_a_pool_of_threads() -> None:
    monitor = fresh()

    def answer() -> Iterator[str]:
        with monitor.request():
            yield "a"
            yield "b"

    stream = answer()
    # As frameworks do: each step in a context of its own.
    assert [contextvars.copy_context().run(next, stream, None) for _ in range(3)] == ["a", "b", None]


def test_a_request_inside_an_async_generator_may_be_closed_by_another_task() -> None:
    monitor = fresh()

    async def answer() -> AsyncIterator[str]:
        with monitor.request():
            yield "a"
            yield "b"

    async def left_early() -> None:
        stream: Any = answer()
        assert await asyncio.create_task(anext(stream)) == "a"
        await asyncio.create_task(stream.aclose())

    asyncio.run(left_early())


def test_a_stream_that_is_read_after_its_request_counts_alone() -> None:
    monitor = fresh()

    @monitor.generator
    def generate(question: str) -> Iterator[str]:
        del question
        yield "500円です。[1]"

    with monitor.request():
        stream = generate("q")
    assert list(stream) == ["500円です。[1]"]
    assert count(monitor, "generation") == 1
    assert samples(monitor)["rag_citation_rate"] == 1


class _ModelStream:
    """A stream as clients of models give it: an iterator and a context manager in one."""

    def __init__(self) -> None:
        self._pieces = iter(["Yes ", "[1]"])
        self.closed = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        return next(self._pieces)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.closed = True

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.closed = True


class _PlainModelStream(_ModelStream):
    __aiter__ = None  # type: ignore[assignment]


def test_a_stream_that_is_a_context_manager_remains_one() -> None:
    monitor, source = fresh(), _PlainModelStream()
    with monitor.generator(lambda: source)() as stream:
        assert "".join(stream) == "Yes [1]"
    assert source.closed
    assert samples(monitor)["rag_citation_rate"] == 1


def test_an_async_stream_that_is_a_context_manager_remains_one() -> None:
    monitor, source = fresh(), _ModelStream()

    async def read() -> list[str]:
        async with monitor.generator(lambda: source)() as stream:
            return [piece async for piece in stream]

    assert asyncio.run(read()) == ["Yes ", "[1]"]
    assert source.closed
    assert samples(monitor)["rag_citation_rate"] == 1


def test_futures_are_passed_on_as_they_are_and_counted_when_done() -> None:
    monitor = fresh()
    made: list[Any] = []

    @monitor.retriever
    def retrieve(pool: ThreadPoolExecutor | None) -> Any:
        made.append(pool.submit(finding(), "q") if pool else asyncio.ensure_future(asyncio.sleep(0, [])))
        return made[-1]

    async def ask() -> None:
        task: Any = retrieve(None)
        assert task is made[0]
        assert await task == []

    asyncio.run(ask())
    with ThreadPoolExecutor(1) as pool:
        future = retrieve(pool)
        assert future is made[1]
    assert samples(monitor)[EMPTY] == 2


def test_a_piece_that_cannot_be_read_does_not_cost_the_answer() -> None:
    monitor = fresh()

    @monitor.generator(text=lambda piece: piece["choices"][0])
    def generate() -> Iterator[dict[str, list[str]]]:
        yield {"choices": []}  # some services begin so
        yield {"choices": ["Yes [1]"]}
        yield {"choices": []}  # and end with what it cost

    with monitor.request():
        assert len(list(generate())) == 3
    assert count(monitor, "generation") == 1
    assert samples(monitor)["rag_citation_rate"] == 1


def test_an_answer_without_readable_text_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    monitor = fresh()

    @monitor.generator
    def bytes_only() -> Iterator[bytes]:
        yield b"Yes"

    list(bytes_only())
    list(bytes_only())
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert "gave a bytes without text; give text=" in told[0]
    assert count(monitor, "generation") == 2


def test_several_retrievals_of_a_request_are_empty_only_together() -> None:
    monitor = fresh()

    @monitor.retriever
    async def retrieve(size: int) -> list[object]:
        await asyncio.sleep(size / 1000)
        return [object()] if size == 1 else []

    async def fan_out() -> None:
        with monitor.request():
            await asyncio.gather(*map(retrieve, (1, 2, 3)))

    asyncio.run(fan_out())
    assert samples(monitor)[EMPTY] == 0
    assert count(monitor, "retrieval") == 1


def test_a_retriever_that_calls_another_counts_once() -> None:
    monitor = fresh()
    inner = monitor.retriever(finding())

    @monitor.retriever
    def outer(question: str) -> list[object]:
        return [*inner(question), *inner(question)]

    @monitor.retriever
    async def later(question: str) -> list[object]:
        return inner(question)

    outer("q")
    asyncio.run(later("q"))
    assert count(monitor, "retrieval") == 2
    assert samples(monitor)[EMPTY] == 2


@pytest.mark.parametrize("category", [None, ["wrong"], {}, 5, "x" * 10_000, "wrong\n"])
def test_a_category_of_any_kind_counts_as_other(category: Any) -> None:
    monitor = fresh()
    monitor.thumbs_down(category)
    assert samples(monitor)['rag_thumbs_down_total{category="other"}'] == 1


def test_a_score_that_no_float_can_hold_is_none() -> None:
    monitor = fresh()
    with monitor.request():
        monitor.retriever(finding({"score": 10**400}))("q")
    assert count(monitor, "retrieval") == 1


def test_free_text_in_the_place_of_an_id_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "signals.jsonl"
    monitor, known = fresh(log=SignalLog(path)), uuid.uuid4()
    monitor.thumbs_down("wrong", "my name is Alice Smith")
    monitor.thumbs_down("wrong", known)  # type: ignore[arg-type] # as callers do
    with monitor.request("what is my salary?"):
        monitor.generator(saying("1"))("q")
    written = path.read_text(encoding="utf-8")
    assert "Alice" not in written
    assert "salary" not in written
    assert str(known) in written


def test_a_response_that_says_it_failed_has_no_total() -> None:
    monitor = fresh()
    retrieve = monitor.retriever(finding())

    async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001 - as ASGI calls it
        retrieve("q")
        await send({"type": "http.response.start", "status": 503, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        del message

    asyncio.run(QualityMiddleware(app, monitor)({"type": "http"}, send, send))  # type: ignore[arg-type] # receives nothing
    assert count(monitor, "retrieval") == 1
    assert count(monitor, "total") == 0


def test_a_folder_that_is_named_too_late_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    with pytest.raises(ConfigError, match="set it before the server starts"):
        Monitor()


def test_a_log_that_fails_leaves_the_metrics() -> None:
    full = Mock()
    full.request.side_effect = full.feedback.side_effect = OSError(28, "No space left on device")
    monitor = fresh(log=full)
    with monitor.request():
        monitor.retriever(finding())("q")
    monitor.thumbs_down()
    assert full.request.called
    assert full.feedback.called
    assert count(monitor, "total") == 1
    assert samples(monitor)['rag_thumbs_down_total{category="other"}'] == 1
