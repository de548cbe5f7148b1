"""What a model service saw, whether it is the own one or a foreign command."""

import json
import shlex
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from model_service import Service, served

_START_S = 10.0


@dataclass(frozen=True, slots=True)
class Counts:
    """What came since the last reset; embeddings are no calls, their tokens count."""

    calls: int
    prompt_tokens: int
    peak: int
    span_s: float


class Counted(Protocol):
    """A model service that counts.

    Attributes:
        url: up to and including ``/v1``.
    """

    @property
    def url(self) -> str:
        """Its address."""
        ...

    def reset(self) -> None:
        """Forget what came."""
        ...

    def counts(self) -> Counts:
        """Tell what came."""
        ...


@dataclass(frozen=True, slots=True)
class _Own:
    service: Service

    @property
    def url(self) -> str:
        return self.service.url

    def reset(self) -> None:
        self.service.reset()

    def counts(self) -> Counts:
        seen = self.service
        calls = sum(seen.forms.values()) - seen.forms["embeddings"]
        return Counts(calls, seen.prompt_tokens, seen.peak, seen.ended - seen.began)


@contextmanager
def own(latency_s: float) -> Iterator[Counted]:
    """Serve the own service."""
    with served() as service:
        service.latency_s = latency_s
        yield _Own(service)


@dataclass(frozen=True, slots=True)
class _Foreign:
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def reset(self) -> None:
        self._asked("/__reset", b"{}")

    def counts(self) -> Counts:
        found = self._asked("/__stats")
        return Counts(found["chat"], found["prompt_tokens"], found["peak"], found["span_s"])

    def _asked(self, path: str, data: bytes | None = None) -> Any:  # noqa: ANN401 - its JSON
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", data) as reply:
            return json.load(reply)


@contextmanager
def foreign(command: str, latency_s: float) -> Iterator[Counted]:
    """Serve another service: a command with ``{port}`` and ``{latency_ms}`` in it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    filled = command.format(port=port, latency_ms=round(latency_s * 1000))
    with subprocess.Popen(shlex.split(filled), stdout=subprocess.DEVNULL) as process:
        try:
            service = _Foreign(port)
            _await(service)
            yield service
        finally:
            process.terminate()


def _await(service: _Foreign) -> None:
    end = time.monotonic() + _START_S
    while True:
        try:
            service.reset()
        except urllib.error.URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return
