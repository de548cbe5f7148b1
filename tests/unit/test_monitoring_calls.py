"""Decorators and requests: every kind of function is watched and does what it did before."""

# ruff: noqa: ARG001 - the signatures are those of bots and of ASGI

import asyncio
import inspect
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from monitored import count, finding, finding_as_many, fresh, samples, saying

from rag_gate.monitoring import Monitor, SignalLog

RATE = "rag_citation_rate"
EMPTY = "rag_retrieval_empty_total"


class BrokenError(Exception):
    pass


def test_a_plain_retriever_and_generator_are_watched() -> None:
    monitor = fresh()

    @monitor.retriever
    def retrieve(question: str, k: int = 2) -> list[str]:
        """Find documents."""
        return [question] * k

    @monitor.generator
    def generate(question: str, found: list[str]) -> str:
        return f"{question} {len(found)} [1]"

    with monitor.request("r-1"):
        assert generate("q", retrieve("q", k=0)) == "q 0 [1]"
    assert retrieve.__name__ == "retrieve"
    assert retrieve.__doc__ == "Find documents."
    assert [count(monitor, stage) for stage in ("retrieval", "generation", "total")] == [1, 1, 1]
    assert (samples(monitor)[EMPTY], samples(monitor)[RATE]) == (1, 1.0)


def test_methods_and_async_functions_are_watched() -> None:
    monitor = fresh()

    class Bot:
        @monitor.retriever
        async def retrieve(self, question: str) -> dict[str, Any]:
            await asyncio.sleep(0)
            return {"documents": [question]}

        @monitor.generator
        async def generate(self, question: str) -> dict[str, Any]:
            return {"answer": f"to {question}", "citations": ["a"]}

    async def ask() -> dict[str, Any]:
        with monitor.request():
            await Bot().retrieve("q")
            return await Bot().generate("q")

    assert inspect.iscoroutinefunction(Bot.retrieve)
    assert asyncio.run(ask()) == {"answer": "to q", "citations": ["a"]}
    assert [count(monitor, stage) for stage in ("retrieval", "generation", "total")] == [1, 1, 1]
    assert samples(monitor)[RATE] == 1.0
    assert samples(monitor)[EMPTY] == 0


def test_a_streamed_answer_counts_when_it_has_ended() -> None:
    monitor = fresh()

    @monitor.generator
    def generate(question: str) -> Iterator[str]:
        yield "答えは"
        yield "14日です。"
        yield "[出典: a]"

    with monitor.request():
        stream = generate("q")
        assert next(stream) == "答えは"
        assert count(monitor, "generation") == 0
        assert list(stream) == ["14日です。", "[出典: a]"]
    assert count(monitor, "generation") == 1
    assert samples(monitor)[RATE] == 1.0


def test_a_streamed_answer_may_be_asynchronous_and_made_of_objects() -> None:
    monitor = fresh()

    async def generate(question: str) -> AsyncIterator[dict[str, str]]:
        for piece in ("The answer ", "is 14 [1]."):
            await asyncio.sleep(0)
            yield {"delta": piece, "to": question}

    watched = monitor.generator(generate)

    async def ask() -> list[str]:
        with monitor.request():
            return [piece["delta"] async for piece in watched("q")]

    assert asyncio.run(ask()) == ["The answer ", "is 14 [1]."]
    assert samples(monitor)[RATE] == 1.0


def test_a_coroutine_may_return_a_stream_with_attributes_of_its_own() -> None:
    monitor = fresh()

    class Stream:
        status = 200

        def __init__(self) -> None:
            self._left = ["a", "b"]
            self.closed = False

        def __aiter__(self) -> "Stream":
            return self

        async def __anext__(self) -> Any:
            if not self._left:
                raise StopAsyncIteration
            return self._left.pop(0)

        async def close(self) -> None:
            self.closed = True

    source = Stream()

    async def create(question: str) -> Stream:
        return source

    async def ask() -> list[str]:
        with monitor.request():
            stream: Any = await monitor.generator(create, text=lambda piece: piece)("q")
            assert stream.status == 200
            pieces = [piece async for piece in stream]
            await stream.aclose()
            return pieces

    assert asyncio.run(ask()) == ["a", "b"]
    assert source.closed
    assert count(monitor, "generation") == 1


def test_a_stream_belongs_to_the_request_in_which_it_began(tmp_path: Path) -> None:
    path = tmp_path / "signals.jsonl"
    monitor = fresh(log=SignalLog(path))

    @monitor.generator(text=str)
    def generate() -> Iterator[int]:
        yield 1
        yield 2

    with monitor.request("r-1") as request:
        stream = generate()
        threading.Thread(target=lambda: list(stream)).start()
        while not request.generated:
            time.sleep(0.001)
    assert [line["request_id"] for line in logged(path)] == ["r-1"]
    assert logged(path)[0]["response_length_chars"] == 2


def test_a_request_has_a_name_that_can_be_sent_along() -> None:
    monitor = fresh()
    assert monitor.request_id() is None
    with monitor.request("r-1"):
        assert monitor.request_id() == "r-1"
    with monitor.request():
        first = monitor.request_id()
    with monitor.request():
        assert first != monitor.request_id()


def test_the_list_of_results_can_be_pointed_at() -> None:
    monitor = fresh()

    @monitor.retriever(results=lambda reply: reply["hits"]["list"])
    def retrieve(question: str) -> dict[str, dict[str, list[str]]]:
        return {"hits": {"list": []}}

    assert retrieve("q") == {"hits": {"list": []}}
    assert samples(monitor)[EMPTY] == 1


def test_a_stream_takes_values_and_exceptions_and_returns_as_before() -> None:
    monitor = fresh()

    @monitor.generator
    def generate() -> Any:
        got = yield "first"
        try:
            yield f"got {got}"
        except BrokenError:
            yield "saved"
        return "end"

    stream = generate()
    assert next(stream) == "first"
    assert stream.send("x") == "got x"
    assert stream.throw(BrokenError()) == "saved"
    with pytest.raises(StopIteration) as ended:
        next(stream)
    assert ended.value.value == "end"


def test_a_stream_that_is_left_early_is_closed_and_does_not_count() -> None:
    monitor = fresh()
    closed = []

    @monitor.generator
    def generate() -> Iterator[str]:
        try:
            yield "a"
            yield "b"
        finally:
            closed.append(True)

    with monitor.request():
        stream: Any = generate()
        next(stream)
        stream.close()
    assert closed == [True]
    assert count(monitor, "generation") == 0
    assert RATE not in samples(monitor)


def test_errors_of_the_bot_pass_through_untouched() -> None:
    monitor = fresh()
    error = BrokenError("mine")

    @monitor.retriever
    def retrieve(question: str) -> list[str]:
        raise error

    @monitor.generator
    async def generate(question: str) -> str:
        raise error

    @monitor.generator
    def stream(question: str) -> Iterator[str]:
        yield "a"
        raise error

    for call in (
        lambda: retrieve("q"),
        lambda: asyncio.run(generate("q")),
        lambda: list(stream("q")),
    ):
        with pytest.raises(BrokenError) as caught, monitor.request():
            call()
        assert caught.value is error
    assert [count(monitor, stage) for stage in ("retrieval", "generation", "total")] == [0, 0, 0]


def test_a_request_that_fails_keeps_its_stages_and_has_no_total() -> None:
    monitor = fresh()
    retrieve = monitor.retriever(finding("document"))

    def ask() -> None:
        with monitor.request():
            retrieve("q")
            raise BrokenError

    with pytest.raises(BrokenError):
        ask()
    assert (count(monitor, "retrieval"), count(monitor, "total")) == (1, 0)


def test_monitoring_that_fails_is_logged_without_texts_and_breaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def detector(text: str) -> str:
        raise ValueError(f"cannot read {text}")

    monitor = fresh(detector=detector)
    generate = monitor.generator(saying("secret answer"))
    with caplog.at_level(logging.WARNING, "rag_gate.monitoring"):
        for _ in range(3):
            with monitor.request():
                assert generate("q") == "secret answer"
    told = [record.getMessage() for record in caplog.records]
    assert told == ["Monitor.finish: failed with ValueError; the request went on, uncounted"]


def test_a_result_that_is_no_list_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    monitor = fresh()

    def odd_retriever(question: str) -> object:
        return object()

    watched = monitor.retriever(odd_retriever)
    with caplog.at_level(logging.WARNING, "rag_gate.monitoring"), monitor.request():
        watched("q")
        watched("q")
    assert len(caplog.records) == 1
    assert "odd_retriever" in caplog.text
    assert "give results=" in caplog.text


def test_outside_a_request_each_stage_counts_alone() -> None:
    monitor = fresh()
    monitor.retriever(finding())("q")
    monitor.generator(saying("x [1]"))("q")
    assert [count(monitor, stage) for stage in ("retrieval", "generation", "total")] == [1, 1, 0]
    assert (samples(monitor)[EMPTY], samples(monitor)[RATE]) == (1, 1.0)


def test_a_request_without_retrieval_or_generation_does_not_count() -> None:
    monitor = fresh()
    with monitor.request():
        pass
    assert count(monitor, "total") == 0


def test_requests_in_threads_do_not_mix() -> None:
    monitor = fresh()
    retrieve = monitor.retriever(finding_as_many)
    barrier = threading.Barrier(8)

    def ask(size: int) -> None:
        with monitor.request() as request:
            barrier.wait()
            retrieve(size)
            barrier.wait()
            assert len(request.retrieved) == size

    threads = [threading.Thread(target=ask, args=(size,)) for size in (0, 0, 0, 1, 2, 3, 4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert samples(monitor)[EMPTY] == 3


def logged(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answer_once(monitor: Monitor) -> None:
    retrieve = monitor.retriever(finding({"id": "d", "text": "document", "score": 0.5}))
    generate = monitor.generator(saying("答えです。[1]"))
    with monitor.request("r-1"):
        retrieve("質問は何ですか")
        generate("質問は何ですか")
    monitor.thumbs_down("wrong", "r-1")


def test_the_log_holds_signals_and_no_texts_by_default(tmp_path: Path) -> None:
    path = tmp_path / "signals.jsonl"
    answer_once(fresh(log=SignalLog(path)))
    request, feedback = logged(path)
    assert request["request_id"] == feedback["request_id"] == "r-1"
    assert (request["retrieval_count"], request["top_similarity_score"]) == (1, 0.5)
    assert (request["language_detected"], request["has_citation"]) == ("ja", True)
    assert request["total_latency_ms"] > 0
    assert (feedback["feedback"], feedback["feedback_category"]) == ("down", "wrong")
    raw = path.read_text(encoding="utf-8")
    assert not any(text in raw for text in ("質問", "答え", "document"))
    assert path.stat().st_mode & 0o077 == 0


def test_the_log_holds_texts_where_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "signals.jsonl"
    answer_once(fresh(log=SignalLog(path, with_texts=True)))
    assert logged(path)[0]["question"] == "質問は何ですか"
    assert logged(path)[0]["answer"] == "答えです。[1]"
