"""A process that has imported rag-gate and starts each command as a copy of itself (``os.fork``).

A command that is started this way is a process like any other: with its own folder, environment, streams, exit code
and memory. Only importing and compiling, which take longer than most commands, were done before. What differs from a new
process: all copies share the seed of ``hash()``, and Python has read its own variables (``PYTHON*``, the locale)
already. Where that matters, `cli_runner.new_process` starts the command.

Started with the number of a socket. Each byte brings three files: where the request is read and answered, stdout and
stderr. The answer is the number of the process, then its exit status.
"""

import gc
import importlib
import json
import os
import pkgutil
import runpy
import secrets
import socket
import struct
import sys
import time
from typing import NoReturn

#: Process and exit status, as they are sent.
NUMBER = struct.Struct("<q")
_FILES = 3


def _import_all() -> None:
    """Import what commands import when they run."""
    import rag_gate

    for found in pkgutil.walk_packages(rag_gate.__path__, "rag_gate."):
        # The worker of ragas needs ragas; `__main__` runs.
        if not found.name.startswith(("rag_gate.judge.ragas.worker", "rag_gate.__main__")):
            importlib.import_module(found.name)
    importlib.import_module("httpx")


def _compile_all() -> None:
    """Compile the expressions and templates that commands compile when they first use them."""
    from rag_gate.late import Late
    from rag_gate.report import render
    from rag_gate.report.html import render as page

    for found in gc.get_objects():
        if isinstance(found, Late):
            found.search("")
    templates = page._environment()
    for name in templates.list_templates():
        templates.get_template(name)
    render._shipped()


def serve(requests: socket.socket) -> list[str] | None:
    """Start a copy for each request until nobody is left to ask.

    Returns:
        In a copy: the arguments of its command. In the process that was started: None, at the end.
    """
    while True:
        byte, files, *_ = socket.recv_fds(requests, 1, _FILES)
        while _ended_child():
            pass
        if not byte:
            return None
        if not os.fork():
            requests.close()
            return _answer(*files)
        for number in files:
            os.close(number)


def _ended_child() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _answer(channel: int, out: int, err: int) -> list[str]:
    """Read the request; return its arguments in the process of the command, wait for it in this one."""
    connection = socket.socket(fileno=channel)
    request = json.loads(connection.makefile(encoding="utf-8").readline())
    number = os.fork()
    if number:
        _report(connection, number)
    connection.close()
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.close(out)
    os.close(err)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.path[0] = request["folder"]
    arguments: list[str] = request["arguments"]
    return arguments


def _report(connection: socket.socket, number: int) -> NoReturn:
    connection.sendall(NUMBER.pack(number))
    status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    connection.sendall(NUMBER.pack(status))
    os._exit(0)


def _become_new() -> None:
    """Draw what each process draws for itself when it starts."""
    from rag_gate import masking

    masking._RANDOM_KEY = secrets.token_bytes(32)


if __name__ == "__main__":
    _import_all()
    _compile_all()
    gc.collect()
    gc.freeze()
    given = serve(socket.socket(fileno=int(sys.argv[1])))
    if given is not None:
        _become_new()
        sys.argv = ["rag_gate", *given]
        runpy.run_module("rag_gate", run_name="__main__", alter_sys=True)
