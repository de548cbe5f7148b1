"""Monitoring for ASGI applications (FastAPI, Starlette, Litestar, Quart, plain ASGI)."""

import re
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from time import perf_counter
from typing import Any

from rag_gate.monitoring.monitor import Monitor
from rag_gate.monitoring.request import CURRENT, Request, new_id

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Coroutine[Any, Any, None]]
_ID_HEADER = b"x-request-id"
_ID = re.compile(rb"[A-Za-z0-9._-]{1,100}")
_CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"


class QualityMiddleware:
    """Counts each HTTP request in which a decorated retriever or generator ran.

    The total latency runs until the last byte of the response is handed to the server. A request that fails, or whose
    client leaves, keeps its stages and has no total.

    Args:
        app: the application.
        monitor: whose decorators the application uses.
    """

    def __init__(self, app: App, monitor: Monitor) -> None:
        self.app, self._monitor = app, monitor

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI calls it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request, ended = Request(_request_id(scope) or new_id()), None
        began = perf_counter()

        async def watched_send(message: Message) -> None:
            nonlocal ended
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                ended = perf_counter()

        token = CURRENT.set(request)
        try:
            await self.app(scope, receive, watched_send)
        finally:
            CURRENT.reset(token)
            self._monitor.finish(request, None if ended is None else ended - began)


def metrics_app(monitor: Monitor) -> App:
    """Return an application that answers every HTTP request with the metrics; mount it at ``/metrics``."""

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        del receive
        if scope["type"] != "http":
            raise RuntimeError("the metrics are served over HTTP only")
        headers = [(b"content-type", _CONTENT_TYPE)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": monitor.metrics.exposition()})

    return answer


def _request_id(scope: Message) -> str | None:
    """Return the id that the client or a proxy gave, if it is a plain one."""
    for name, value in scope.get("headers", ()):
        if name == _ID_HEADER and _ID.fullmatch(value):
            return str(value, "ascii")
    return None
