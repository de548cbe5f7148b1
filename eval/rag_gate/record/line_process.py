"""A program that stays and answers line by line."""

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rag_gate.record.targets import LARGEST_REPLY, TargetError

_MOST_COMPLAINT = 4_000
_GRACE_S = 2.0


class LineProcess:
    """One program; one line is in work at a time. After any failure it is ended, and the next line starts it anew.

    Args:
        argv: program and arguments.
        environ: its environment.
        folder: where it runs.
    """

    def __init__(self, argv: tuple[str, ...], environ: Mapping[str, str], folder: Path) -> None:
        self._argv = argv
        self._environ = dict(environ)
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._complaint = bytearray()

    async def ask(self, line: bytes) -> bytes:
        """Write a line and read one.

        Raises:
            OSError: if the program cannot be started.
            TargetError: if it ends, or writes no line of a usable length.
        """
        try:
            process = await self._running()
            return await self._exchange(process, line)
        except BaseException:
            await self.end(at_once=True)
            raise

    @property
    def complaint(self) -> str:
        """The end of what the program wrote to its standard error since it was started."""
        return bytes(self._complaint).decode("utf-8", "replace")

    async def end(self, *, at_once: bool) -> None:
        """End the program: it may leave by itself when its input ends, unless that is to be at once."""
        process, listening = self._process, self._listening
        self._process = self._listening = None
        if process is None:
            return
        if not at_once and process.stdin is not None:
            process.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _GRACE_S)
        _kill_group(process)
        await process.wait()
        if listening is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(listening, _GRACE_S)

    async def _exchange(self, process: asyncio.subprocess.Process, line: bytes) -> bytes:
        if process.stdin is None or process.stdout is None:
            raise AssertionError("started with pipes")
        with suppress(ConnectionError):  # it has ended; what it left is read below
            process.stdin.write(line + b"\n")
            await process.stdin.drain()
        try:
            reply = await process.stdout.readuntil(b"\n")
        except asyncio.LimitOverrunError:
            raise TargetError(f"the reply is larger than {LARGEST_REPLY:,} bytes") from None
        except asyncio.IncompleteReadError as error:
            code = await process.wait()
            await self._heard()
            half = ", in the middle of a line" if error.partial else ""
            raise TargetError(f"the command ended with exit code {code}{half}") from None
        return reply

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._complaint.clear()
            self._process = await asyncio.create_subprocess_exec(
                *self._argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LARGEST_REPLY,
                env=self._environ,
                cwd=self._folder,
                start_new_session=True,
            )
            self._listening = asyncio.create_task(self._listen(self._process))
        return self._process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Read the standard error, so that the program never waits for a reader; keep its end."""
        while process.stderr is not None and (data := await process.stderr.read(65_536)):
            self._complaint += data
            del self._complaint[:-_MOST_COMPLAINT]

    async def _heard(self) -> None:
        if self._listening is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._listening), _GRACE_S)


def _kill_group(process: asyncio.subprocess.Process) -> None:
    """Kill a program and all it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
