"""Running a program that is not trusted to end, to be brief, or to read what it is given."""

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PIPES = (0, 1, 2)


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
    argv: tuple[str, ...],
    given: bytes,
    environ: Mapping[str, str],
    most_out: int,
    most_err: int,
    cwd: Path | None = None,
) -> Ended:
    """Run a program without a shell; whatever ends this early ends its process group too.

    Args:
        argv: program and arguments.
        given: its standard input.
        environ: its environment.
        most_out: bytes of output that are read.
        most_err: bytes of complaints that are kept.
        cwd: folder to run in; by default the current one.

    Raises:
        OSError: if it cannot be started.
        TooLongError: if it writes more.
    """
    transport, heard = await asyncio.get_running_loop().subprocess_exec(
        lambda: _Heard(most_out, most_err), *argv, env=dict(environ), cwd=cwd, start_new_session=True
    )
    try:
        stdin = transport.get_pipe_transport(0)
        if isinstance(stdin, asyncio.WriteTransport):
            stdin.write(given)
            stdin.write_eof()
        await heard.enough
        code = transport.get_returncode()
        return Ended(code if code is not None else 0, bytes(heard.out), bytes(heard.err))
    except BaseException:
        _kill_group(transport)
        await heard.gone.wait()
        raise
    finally:
        transport.close()


class _Heard(asyncio.SubprocessProtocol):
    """Collects what a program writes.

    Attributes:
        enough: done when it has ended and closed its output, or has written too much.
        gone: set when nothing of it is left.
    """

    def __init__(self, most_out: int, most_err: int) -> None:
        self.enough: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.gone = asyncio.Event()
        self.out = bytearray()
        self.err = bytearray()
        self._most_out = most_out
        self._most_err = most_err

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd != 1:
            self.err += data[: self._most_err - len(self.err)]
            return
        self.out += data[: self._most_out + 1 - len(self.out)]
        if len(self.out) > self._most_out and not self.enough.done():
            self.enough.set_exception(TooLongError())

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # None: this tells of an end, not of a failure
        self.gone.set()
        if not self.enough.done():
            self.enough.set_result(None)


def _kill_group(transport: asyncio.SubprocessTransport) -> None:
    """Kill a program and all it started, also where it has ended and they still run."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(transport.get_pid(), signal.SIGKILL)
        else:
            transport.kill()
    for number in _PIPES:  # one that left the group may hold them open
        if pipe := transport.get_pipe_transport(number):
            pipe.close()
