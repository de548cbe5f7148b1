"""Whether the last 100 answers had a citation: in one process, or shared by all processes of a host."""

import mmap
import os
import struct
import threading
from collections import deque
from pathlib import Path
from typing import Protocol

from rag_gate.errors import ConfigError

WINDOW = 100
_COUNT = struct.Struct("<Q")
_SIZE = _COUNT.size + WINDOW
#: Does not end in .db, so prometheus_client does not take it for one of its own.
RING = "rag_citation_window.ring"


class Window(Protocol):
    """The last answers."""

    def add(self, *, cited: bool) -> float:
        """Add an answer and return the share of cited ones among the last."""

    def rate(self) -> float | None:
        """Return the share of cited answers among the last, None before the first."""


class LocalWindow:
    """The last answers of this process; safe for threads."""

    def __init__(self) -> None:
        self._last: deque[bool] = deque(maxlen=WINDOW)
        self._lock = threading.Lock()

    def add(self, *, cited: bool) -> float:
        """Add an answer and return the share of cited ones among the last."""
        with self._lock:
            self._last.append(cited)
            return sum(self._last) / len(self._last)

    def rate(self) -> float | None:
        """Return the share of cited answers among the last, None before the first."""
        with self._lock:
            return sum(self._last) / len(self._last) if self._last else None


class SharedWindow:
    """The last answers of all processes that name one folder: a ring of 100 bytes in a file, under a lock.

    Safe for threads, for processes, and across a fork. It begins empty when the folder was emptied, which
    prometheus_client asks for at each start anyway.

    Raises:
        ConfigError: where the platform has no locks on files, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            import fcntl
        except ImportError:
            raise ConfigError(
                "monitoring several processes needs locks on files, which this platform lacks; run one process"
            ) from None
        self._lockf, self._exclusive, self._release = fcntl.lockf, fcntl.LOCK_EX, fcntl.LOCK_UN
        self._threads = threading.Lock()
        path = folder / RING
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if os.fstat(self._file).st_size < _SIZE:
                os.ftruncate(self._file, _SIZE)  # the same zeros, whoever comes first
            self._ring = mmap.mmap(self._file, _SIZE)
        except OSError as error:
            raise ConfigError(
                f"PROMETHEUS_MULTIPROC_DIR: {path} cannot be written ({error.strerror}); name a folder that is there"
            ) from None
        os.register_at_fork(after_in_child=self._unlock_child)

    def _unlock_child(self) -> None:
        self._threads = threading.Lock()

    def add(self, *, cited: bool) -> float:
        """Add an answer and return the share of cited ones among the last."""
        with self._threads:
            self._lockf(self._file, self._exclusive)
            try:
                (count,) = _COUNT.unpack_from(self._ring)
                self._ring[_COUNT.size + count % WINDOW] = cited
                _COUNT.pack_into(self._ring, 0, count + 1)
                return self._share(count + 1)
            finally:
                self._lockf(self._file, self._release)

    def rate(self) -> float | None:
        """Return the share of cited answers among the last, None before the first."""
        (count,) = _COUNT.unpack_from(self._ring)
        return self._share(count) if count else None

    def _share(self, count: int) -> float:
        filled = min(count, WINDOW)
        return sum(self._ring[_COUNT.size : _COUNT.size + filled]) / filled
