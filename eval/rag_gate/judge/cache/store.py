"""The cache as a run uses it: values by key, counted, with an age limit and a bound on its size."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar

from rag_gate.judge.cache.entry import MAX_ENTRY, Entry, decode, encode
from rag_gate.judge.cache.folder import EntryFolder
from rag_gate.judge.cache.pruning import is_fresh, prune_after_run

TTL = timedelta(days=30)
MAX_BYTES = 100 * 10**6
Value = TypeVar("Value")
Kind = Literal["reply", "ragas"]


@dataclass(slots=True)
class Counters:
    """What the cache did in this run.

    Attributes:
        hits: values found.
        misses: values not found, the two below among them.
        expired: older than the age limit, or from a clock that is more than a day ahead.
        damaged: torn, altered, or not a file of ours.
        stored: values written.
        not_stored: values that could not be written.
        pruned: entries removed at the end.
    """

    hits: int = 0
    misses: int = 0
    expired: int = 0
    damaged: int = 0
    stored: int = 0
    not_stored: int = 0
    pruned: int = 0


class EntryCache:
    """Values of one kind by key. Several processes may share the folder; one object belongs to one thread.

    Nothing here raises for the state of the disk: what cannot be read is a miss, what cannot be written is
    counted and named once in ``warnings``.

    Attributes:
        counters: hits, misses and so on.
        warnings: one line each, for people.
    """

    def __init__(
        self,
        folder: Path,
        kind: Kind,
        ttl: timedelta = TTL,
        max_bytes: int = MAX_BYTES,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.counters = Counters()
        self.warnings: list[str] = []
        self._place = folder
        self._folder = EntryFolder(folder)
        self._kind: Kind = kind
        self._ttl = ttl
        self._max_bytes = max_bytes
        self._now = now

    def get(self, key: str, parse: Callable[[Mapping[str, Any]], Value]) -> Value | None:
        """Return a value that is whole and not too old, else None.

        Args:
            key: 64 hexadecimal digits.
            parse: makes the value of what is stored; a ``ValueError`` of it means damaged.
        """
        found = self._found(key, parse)
        if found is None:
            self.counters.misses += 1
        else:
            self.counters.hits += 1
        return found

    def _found(self, key: str, parse: Callable[[Mapping[str, Any]], Value]) -> Value | None:
        # A damaged entry is left for `put` to replace: by now another process may have written a good one.
        try:
            data = self._folder.read(key)
        except OSError as error:
            self._warn(error, "cannot be read")
            self.counters.damaged += 1
            return None
        if data is None:
            return None
        entry = decode(data)
        if entry is None or (entry.key, entry.kind) != (key, self._kind):
            self.counters.damaged += 1
            return None
        if not is_fresh(entry.stored, self._now(), self._ttl):
            self.counters.expired += 1
            return None
        try:
            return parse(entry.value)
        except ValueError:
            self.counters.damaged += 1
            return None

    def put(self, key: str, model: str | None, value: Mapping[str, Any]) -> None:
        """Keep a value. One that cannot be written as UTF-8 or is larger than 4 MiB is not kept.

        Raises:
            ValueError: if it holds NaN or infinity.
        """
        entry = Entry(
            key=key, kind=self._kind, stored=max(0, int(self._now())), model=model, value=dict(value)
        )
        try:
            data = encode(entry)
            if len(data) > MAX_ENTRY:
                self.counters.not_stored += 1
                return
            self._folder.write(key, data)
        except UnicodeEncodeError:
            self.counters.not_stored += 1
        except OSError as error:
            self._warn(error, "cannot be written")
            self.counters.not_stored += 1
        else:
            self.counters.stored += 1

    def finish(self) -> None:
        """Remove what is too old, and the oldest entries beyond the bound on the size."""
        try:
            self.counters.pruned += prune_after_run(self._folder, self._now(), self._ttl, self._max_bytes)
        except OSError as error:
            self._warn(error, "cannot be pruned")

    def _warn(self, error: OSError, what: str) -> None:
        line = (
            f"cache {self._place}: {what} ({error.strerror or error}); "
            "judgments are not kept there; see RAG_GATE_CACHE_DIR"
        )
        if line not in self.warnings:
            self.warnings.append(line)
