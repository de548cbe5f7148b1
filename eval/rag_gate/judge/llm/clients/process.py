"""Running a program that is not trusted to end, to be brief, or to read what it is given."""

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

_CHUNK = 65_536


class TooLongError(Exception):
    """The program writes more than is read."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a program left behind.

    Attributes:
        code: its exit code; negative for a signal.
        out: all it wrote.
        err: the beginning of its complaints.
    """

    code: int
    out: bytes
    err: bytes


async def run_program(
    argv: tuple[str, ...], given: bytes, environ: Mapping[str, str], most_out: int, most_err: int
) -> Ended:
    """Run a program without a shell; whatever ends this ends its process group too.

    Args:
        argv: program and arguments.
        given: its standard input.
        environ: its environment.
        most_out: bytes of output that are read.
        most_err: bytes of complaints that are kept.

    Raises:
        OSError: if it cannot be started.
        TooLongError: if it writes more.
    """
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(environ),
        start_new_session=True,
    )
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_feed(process.stdin, given))
            out = tasks.create_task(_read(process.stdout, most_out))
            err = tasks.create_task(_skim(process.stderr, most_err))
        return Ended(await process.wait(), out.result(), err.result())
    except BaseException as error:
        _kill_group(process)
        await process.wait()
        if isinstance(error, BaseExceptionGroup):
            raise error.exceptions[0] from None
        raise


async def _feed(stream: asyncio.StreamWriter | None, given: bytes) -> None:
    if stream is None:
        return
    with suppress(BrokenPipeError, ConnectionResetError):  # it need not read
        stream.write(given)
        await stream.drain()
    stream.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await stream.wait_closed()


async def _read(stream: asyncio.StreamReader | None, most: int) -> bytes:
    data = bytearray()
    while stream is not None and (chunk := await stream.read(_CHUNK)):
        data += chunk
        if len(data) > most:
            raise TooLongError
    return bytes(data)


async def _skim(stream: asyncio.StreamReader | None, most: int) -> bytes:
    """Read to the end, so that the program never waits, and keep the beginning."""
    data = bytearray()
    while stream is not None and (chunk := await stream.read(_CHUNK)):
        data += chunk[: most - len(data)]
    return bytes(data)


def _kill_group(process: asyncio.subprocess.Process) -> None:
    """Kill a program and all it started, also where it has ended and they still run."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
