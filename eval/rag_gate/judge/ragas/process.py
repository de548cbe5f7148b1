"""One conversation with the process of ragas: start it, answer it, take its scores, end it."""

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rag_gate.errors import ConfigError, MissingExtraError
from rag_gate.judge.ragas.isolation import environment_of
from rag_gate.judge.ragas.messages import MESSAGES, Ask, Done, Embed, Failed, Message, Ready, Scored, Unscored

#: Longest line in bytes: a prompt holds all texts of a case.
_LONGEST_LINE = 64 * 2**20
_LAST_WORDS = 300
Answering = Callable[[Ask | Embed], Awaitable[Mapping[str, Any]]]
Taking = Callable[[Scored | Unscored], None]


class WorkerDied(Exception):  # noqa: N818 - what happened
    """The process ended, fell silent, or said what it may not; what it had told before stands."""


async def converse(
    command: Sequence[str], job: Mapping[str, Any], answer: Answering, take: Taking, start_s: float
) -> None:
    """Run the worker to its end.

    Args:
        command: starts it.
        job: what it is to do.
        answer: replies to one question.
        take: receives each score as it comes.
        start_s: limit for its first words, in seconds.

    Raises:
        WorkerDied: if it ends early.
        ConfigError: if ragas is missing or broken.
    """
    with tempfile.TemporaryDirectory(prefix="rag-gate-ragas-") as home, tempfile.TemporaryFile() as words:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=words,
            cwd=home,
            env=environment_of(os.environ, Path(home)),
            start_new_session=True,
            limit=_LONGEST_LINE,
        )
        try:
            await _Conversation(process, answer, take, words).run(job, start_s)
        finally:
            _kill(process)
            await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    """End the worker and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class _Conversation:
    def __init__(
        self, process: asyncio.subprocess.Process, answer: Answering, take: Taking, words: IO[bytes]
    ) -> None:
        self._process = process
        self._answer = answer
        self._take = take
        self._words = words
        self._replies: set[asyncio.Task[None]] = set()

    async def run(self, job: Mapping[str, Any], start_s: float) -> None:
        try:
            await self._start(job, start_s)
            while not isinstance(message := await self._receive(), Done):
                self._act(message)
        finally:
            for task in self._replies:
                task.cancel()
            await asyncio.gather(*self._replies, return_exceptions=True)

    async def _start(self, job: Mapping[str, Any], start_s: float) -> None:
        try:
            async with asyncio.timeout(start_s):
                await self._send(job)
                message = await self._receive()
        except TimeoutError:
            raise WorkerDied(f"ragas did not start within {start_s:g} s") from None
        if isinstance(message, Failed):
            if message.missing:
                raise MissingExtraError("judge.engine: ragas", "rag-gate[ragas]")
            raise ConfigError(message.message)
        if not isinstance(message, Ready):
            raise WorkerDied(f"ragas said '{message.type}' before it was ready")

    def _act(self, message: Message) -> None:
        if isinstance(message, Ask | Embed):
            task = asyncio.create_task(self._reply(message))
            self._replies.add(task)
            task.add_done_callback(self._replies.discard)
        elif isinstance(message, Scored | Unscored):
            self._take(message)
        else:
            raise WorkerDied(f"ragas said '{message.type}' out of turn")

    async def _reply(self, question: Ask | Embed) -> None:
        await self._send({"id": question.id, **await self._answer(question)})

    async def _send(self, message: Mapping[str, Any]) -> None:
        stdin = self._process.stdin
        if stdin is not None:
            with suppress(ConnectionError):  # it is gone, which reading tells
                stdin.write(json.dumps(message, allow_nan=False).encode() + b"\n")
                await stdin.drain()

    async def _receive(self) -> Message:
        stdout = self._process.stdout
        try:
            line = await stdout.readline() if stdout is not None else b""
            if line.endswith(b"\n"):
                return MESSAGES.validate_json(line)
        except ValueError:
            raise WorkerDied("the process of ragas wrote what it may not") from None
        code = await self._process.wait()
        raise WorkerDied(f"the process of ragas ended with {code}{self._last_words()}")

    def _last_words(self) -> str:
        size = self._words.seek(0, os.SEEK_END)
        self._words.seek(max(0, size - 4096))
        lines = self._words.read().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1][:_LAST_WORDS]}" if lines else ""
