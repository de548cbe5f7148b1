"""The middleware: transparent to the application, and each answered request counts once."""

# ruff: noqa: ARG001, ARG002 - the signatures are those of bots and of ASGI

import asyncio
from collections.abc import Callable, Coroutine, MutableMapping
from typing import Any

import pytest
from monitored import count, finding, finding_as_many, fresh, samples, samples_of, saying

from rag_gate.monitoring import Monitor, QualityMiddleware, metrics_app

Message = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]


async def nothing() -> Message:
    return {"type": "http.disconnect"}


def call(app: App, **scope: Any) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app({"type": "http", "path": "/ask", "headers": [], **scope}, nothing, send))
    return sent


def bot(monitor: Monitor) -> App:
    retrieve = monitor.retriever(finding())
    generate = monitor.generator(saying("I do not know."))

    async def app(scope: Message, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/ask":
            retrieve("q")
            await asyncio.to_thread(generate, "q")
        await send({"type": "http.response.body", "body": b"I do ", "more_body": True})
        await send({"type": "http.response.body", "body": b"not know."})
        await asyncio.sleep(0.3 if scope["path"] == "/ask" else 0)  # work in the background

    return app


def test_a_request_counts_once_with_all_its_stages_also_from_a_thread() -> None:
    monitor = fresh()
    sent = call(QualityMiddleware(bot(monitor), monitor))
    assert b"".join(message.get("body", b"") for message in sent) == b"I do not know."
    assert [count(monitor, stage) for stage in ("retrieval", "generation", "total")] == [1, 1, 1]
    assert samples(monitor)["rag_retrieval_empty_total"] == 1
    assert samples(monitor)["rag_citation_rate"] == 0.0


def test_work_after_the_response_is_not_part_of_the_total() -> None:
    monitor = fresh()
    call(QualityMiddleware(bot(monitor), monitor))
    assert samples(monitor)['rag_response_latency_seconds_sum{pipeline_stage="total"}'] < 0.3


def test_requests_that_answer_no_question_do_not_count() -> None:
    monitor = fresh()
    call(QualityMiddleware(bot(monitor), monitor), path="/health")
    assert count(monitor, "total") == 0


def test_other_protocols_pass_through() -> None:
    monitor = fresh()
    seen: list[str] = []

    async def app(scope: Message, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    call(QualityMiddleware(app, monitor), type="lifespan")
    call(QualityMiddleware(app, monitor), type="websocket")
    assert seen == ["lifespan", "websocket"]


def test_an_error_of_the_application_passes_through_and_has_no_total() -> None:
    monitor = fresh()
    retrieve = monitor.retriever(finding(1))
    error = RuntimeError("mine")

    async def app(scope: Message, receive: Any, send: Any) -> None:
        retrieve("q")
        raise error

    with pytest.raises(RuntimeError) as caught:
        call(QualityMiddleware(app, monitor))
    assert caught.value is error
    assert [count(monitor, stage) for stage in ("retrieval", "total")] == [1, 0]


def test_a_client_that_leaves_has_no_total() -> None:
    monitor = fresh()
    retrieve = monitor.retriever(finding(1))

    async def app(scope: Message, receive: Any, send: Any) -> None:
        retrieve("q")
        await asyncio.sleep(30)

    async def leave() -> None:
        scope = {"type": "http", "path": "/", "headers": []}
        task = asyncio.create_task(
            QualityMiddleware(app, monitor)(scope, nothing, lambda _: asyncio.sleep(0))
        )
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert [count(monitor, stage) for stage in ("retrieval", "total")] == [1, 0]


def test_a_request_id_is_taken_only_if_it_is_a_plain_one() -> None:
    ids: list[str] = []

    class Log:
        def request(self, signals: Any, request: Any, total_ms: float | None) -> None:
            ids.append(signals.request_id)

        def feedback(self, category: str, request_id: str | None) -> None:
            raise AssertionError

    monitor = fresh(log=Log())
    app = QualityMiddleware(bot(monitor), monitor)
    call(app, headers=[(b"x-request-id", b"abc-1")])
    call(app, headers=[(b"x-request-id", b"a\nb")])
    call(app, headers=[(b"x-request-id", b"x" * 1000)])
    assert ids[0] == "abc-1"
    assert all(len(found) == 32 and found.isalnum() for found in ids[1:])


def test_concurrent_requests_do_not_mix() -> None:
    monitor = fresh()
    retrieve = monitor.retriever(finding_as_many)

    @monitor.generator
    def generate(size: int) -> str:
        return "x [1]" if size else "x"

    async def app(scope: Message, receive: Any, send: Any) -> None:
        retrieve(scope["size"])
        await asyncio.sleep(0.01)
        generate(scope["size"])
        await send({"type": "http.response.body", "body": b""})

    wrapped = QualityMiddleware(app, monitor)

    async def send(message: Message) -> None:
        pass

    async def ask() -> None:
        scopes = ({"type": "http", "headers": [], "size": size % 2} for size in range(100))
        await asyncio.gather(*(wrapped(scope, nothing, send) for scope in scopes))

    asyncio.run(ask())
    assert samples(monitor)["rag_retrieval_empty_total"] == 50
    assert samples(monitor)["rag_citation_rate"] == 0.5


def test_the_metrics_are_served() -> None:
    monitor = fresh()
    monitor.thumbs_down("wrong")
    start, body = call(metrics_app(monitor))
    assert (start["status"], start["headers"]) == (
        200,
        [(b"content-type", b"text/plain; version=0.0.4; charset=utf-8")],
    )
    assert samples_of(body["body"].decode())['rag_thumbs_down_total{category="wrong"}'] == 1
