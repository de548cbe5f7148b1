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
_BEGIN = _COUNT.size
_SIZE = _BEGIN + WINDOW
#: Does not end in .db, so prometheus_client does not take it for one of its own.
RING = "rag_citation_window.ring"


class Window(Protocol):
    """The last answers."""

    def add(self, *, cited: bool) -> float | None:
        """Add an answer and return the share of cited ones among the last, where it must be published at once."""

    def rate(self) -> float | None:
        """Return the share of cited answers among the last, None before the first."""


class LocalWindow:
    """The last answers of this process; safe for threads, since a deque appends and copies at once."""

    def __init__(self) -> None:
        self._last: deque[bool] = deque(maxlen=WINDOW)

    def add(self, *, cited: bool) -> None:
        """Add an answer."""
        self._last.append(cited)

    def rate(self) -> float | None:
        """Return the share of cited answers among the last, None before the first."""
        last = self._last.copy()
        return sum(last) / len(last) if last else None


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
                _reserve(self._file)
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
                ring = self._ring
                count: int = _COUNT.unpack_from(ring)[0]
                ring[_BEGIN + count % WINDOW] = cited
                count += 1
                _COUNT.pack_into(ring, 0, count)
                # The places that were never written are zeros.
                return ring[_BEGIN:].count(1) / min(count, WINDOW)
            finally:
                self._lockf(self._file, self._release)

    def rate(self) -> float | None:
        """Return the share of cited answers among the last, None before the first."""
        (count,) = _COUNT.unpack_from(self._ring)
        return self._share(count) if count else None

    def _share(self, count: int) -> float:
        filled = min(count, WINDOW)
        return self._ring[_COUNT.size : _COUNT.size + filled].count(1) / filled


def _reserve(file: int) -> None:
    """Make room for the ring, of zeros, whoever comes first. On a full disk this fails, where writing to the ring later would kill."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, _SIZE)
    else:
        os.ftruncate(file, _SIZE)
