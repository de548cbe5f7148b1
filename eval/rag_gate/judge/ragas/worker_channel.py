"""How the process of ragas talks with its parent: a JSON object per line, ASCII."""

import asyncio
import itertools
import json
import os
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any


class Unanswered(Exception):  # noqa: N818 - what happened, not a mistake of ours
    """The parent has no usable reply to a question.

    Attributes:
        reason: what kind of failure; stands beside the null score.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Channel:
    """Questions and scores out, replies in.

    Args:
        out: where lines go.
    """

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Mapping[str, Any]]] = {}

    def first_line(self) -> Mapping[str, Any]:
        """Return the job."""
        job: Mapping[str, Any] = json.loads(sys.stdin.buffer.readline())
        return job

    def send(self, message: Mapping[str, Any]) -> None:
        """Write one line."""
        self._out.write(json.dumps(message, allow_nan=False) + "\n")
        self._out.flush()

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take replies from now on, in a thread: ragas blocks the loop at times."""
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(self._settle, json.loads(line))
        os._exit(1)  # the parent is gone, so nobody pays for or reads what follows

    def _settle(self, reply: Mapping[str, Any]) -> None:
        waiting = self._waiting.pop(reply["id"], None)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    async def ask(self, name: str, schema: Mapping[str, Any], prompt: str) -> str:
        """Return the model's reply to a prompt, a JSON text.

        Raises:
            Unanswered: if there is none.
        """
        text = await self._reply({"type": "ask", "name": name, "schema": schema, "prompt": prompt})
        return str(text)

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text.

        Raises:
            Unanswered: if there are none.
        """
        vectors: list[list[float]] = await self._reply({"type": "embed", "texts": texts})
        return vectors

    async def _reply(self, question: Mapping[str, Any]) -> Any:  # noqa: ANN401 - text or vectors
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send({"id": number, **question})
        reply = await self._waiting[number]
        if "reason" in reply:
            raise Unanswered(reply["reason"], reply["message"])
        return reply["value"]
