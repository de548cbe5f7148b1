"""Start the command as a user does: as a process of its own, from another folder."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import IO, NamedTuple

from forking import NUMBER

ROOT = Path(__file__).resolve().parents[2]
_LIMIT_S = 120
#: Variables that Python reads when it starts, and not again.
_READ_AT_START = ("PYTHON", "LC_", "LANG")
_SOURCES = {"PYTHONPATH": str(ROOT / "eval")}
_LOCK = Lock()


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def rag_gate(*args: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
    """Run ``rag-gate`` as a process of its own that need not import it any more (see `forking`)."""
    if any(name.startswith(_READ_AT_START) for name in env or {}):
        return new_process(*args, cwd=cwd, env=env)
    request = {
        "arguments": [str(part) for part in args],
        "folder": str(cwd or Path.cwd()),
        "environment": {**_inherited(), **_SOURCES, **(env or {})},
    }
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = _forked(request, out, err)
        return Ended(code, _text(out), _text(err))


def new_process(*args: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
    """Run ``rag-gate`` with a new Python: for what is drawn or read once when it starts."""
    return start(sys.executable, "-m", "rag_gate", *args, cwd=cwd, env={**_SOURCES, **(env or {})})


def start(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
    """Run any command and return how it ended."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**_inherited(), **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_LIMIT_S,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def _inherited() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "PYTHONWARNINGS"}}


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")  # as text=True reads it


@cache
def _server() -> socket.socket:
    """Start the process that commands are copied from; it ends when this one does."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("forking.py"), str(theirs.fileno())],
        env={**_inherited(), **_SOURCES},
        pass_fds=[theirs.fileno()],
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait(_LIMIT_S)

    atexit.register(end)
    return ours


def _forked(request: Mapping[str, object], out: IO[bytes], err: IO[bytes]) -> int:
    ours, theirs = socket.socketpair()
    with ours:
        ours.settimeout(_LIMIT_S)
        with theirs, _LOCK:
            socket.send_fds(_server(), [b"."], [theirs.fileno(), out.fileno(), err.fileno()])
        ours.sendall(json.dumps(request).encode() + b"\n")
        process = _number(ours)
        try:
            return _number(ours)
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise


def _number(connection: socket.socket) -> int:
    answer = connection.recv(NUMBER.size, socket.MSG_WAITALL)
    if len(answer) < NUMBER.size:
        raise RuntimeError("the process that commands are copied from has ended")
    number: int = NUMBER.unpack(answer)[0]
    return number
