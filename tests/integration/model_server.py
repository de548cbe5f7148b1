"""A model service on loopback that follows a script: each request gets the next turn, the last turn repeats."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

from rag_gate.judge.llm.replies import schema_of

NONCE = "印-1"
VERDICT = f'{{"nonce": "{NONCE}", "correctness": "correct"}}'
SCHEMA: dict[str, Any] = schema_of(("correctness",), NONCE)


@dataclass(frozen=True)
class Turn:
    """What one request meets.

    Attributes:
        status: of the reply.
        body: of the reply; JSON unless it is text or bytes; None for a usable one.
        headers: of the reply, besides its length.
        after_s: how long the service thinks.
        ending: sent whole; cut by closing the connection, before the first byte or in the middle; never begun; sent a
            byte at a time without end.
    """

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0
    ending: Literal["whole", "close", "half", "hang", "drip"] = "whole"


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    target: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def chat(text: str | None = VERDICT, finish: str = "stop", **message: object) -> dict[str, Any]:
    """Return a reply of OpenAI's chat completions."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "judge-1-2026",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def messages(
    text: str = VERDICT, stop: str = "end_turn", content: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Return a reply of Anthropic's messages."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "judge-1-2026",
        "content": [{"type": "text", "text": text}] if content is None else content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 6, "output_tokens": 7},
    }


class ModelServer:
    """Serves the script while it is entered.

    Attributes:
        requests: in the order in which they came.
        peak: most requests that were in work at a time.
    """

    def __init__(self, *script: Turn) -> None:
        self._script: Sequence[Turn] = script or (Turn(),)
        self._at_work = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._arrival = asyncio.Condition()
        self.requests: list[Request] = []
        self.peak = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def arrived(self, number: int) -> None:
        """Wait until so many requests have come."""
        async with self._arrival:
            await self._arrival.wait_for(lambda: len(self.requests) >= number)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._serve(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; tell whether the connection stays."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
        target = head[0].split(" ")[1]
        turn = self._script[min(len(self.requests), len(self._script) - 1)]
        async with self._arrival:
            self.requests.append(Request(target, headers, body))
            self._arrival.notify_all()
        self._at_work += 1
        self.peak = max(self.peak, self._at_work)
        try:
            await asyncio.sleep(turn.after_s)
            await self._send(writer, turn, target)
        finally:
            self._at_work -= 1
        return turn.ending == "whole"

    async def _send(self, writer: asyncio.StreamWriter, turn: Turn, target: str) -> None:
        if turn.ending == "hang":
            await asyncio.Event().wait()
        if turn.ending == "close":
            return
        body = turn.body
        if body is None:
            body = messages() if "messages" in target else chat()
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        given = {"Content-Type": "application/json", "Content-Length": str(len(data)), **turn.headers}
        lines = [f"HTTP/1.1 {turn.status} Said", *(f"{key}: {value}" for key, value in given.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        for byte in data if turn.ending == "drip" else b"":
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.05)
        if turn.ending in {"whole", "half"}:
            writer.write(data if turn.ending == "whole" else data[: len(data) // 2])
        await writer.drain()
