"""Take a cache elsewhere: one line per entry, the same bytes for the same entries; read with distrust."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import IO

from rag_gate.errors import InputError
from rag_gate.files import atomic_writer, read_failure
from rag_gate.judge.cache.entry import MAX_ENTRY, decode, encode
from rag_gate.judge.cache.folder import EntryFolder
from rag_gate.judge.cache.pruning import is_fresh, listed
from rag_gate.records.base import OwnRecord


class Imported(OwnRecord):
    """What became of the lines of a file.

    Attributes:
        added: entries written.
        known: entries that were there already; they stay as they are.
        expired: too old, or from a clock that is more than a day ahead.
        rejected: lines that are no entry, are altered, or are too long.
    """

    added: int = 0
    known: int = 0
    expired: int = 0
    rejected: int = 0


def export_entries(folder: EntryFolder, output: Path) -> int:
    """Write every whole entry, in the order of the keys; return how many.

    Raises:
        InputError: if the file cannot be written.
        OSError: if the folder cannot be used.
    """
    count = 0
    with atomic_writer(output) as out:
        for _, entry in listed(folder):
            if entry is not None:
                out.write(encode(entry))
                count += 1
    return count


def import_entries(source: Path, folder: EntryFolder, now: float, ttl: timedelta, max_bytes: int) -> Imported:
    """Add the entries of an exported file.

    Args:
        source: an exported file; whoever wrote it decides what its judgments say.
        folder: the cache.
        now: seconds since 1970.
        ttl: the age limit.
        max_bytes: largest file that is read.

    Raises:
        InputError: if the file cannot be read, is too large, or holds nothing that can be used.
        OSError: if the folder cannot be used.
    """
    counts = {"added": 0, "known": 0, "expired": 0, "rejected": 0}
    for line in _lines(source, max_bytes):
        counts[_fate(line, folder, now, ttl)] += 1
    if counts["rejected"] and not any(counts[fate] for fate in ("added", "known", "expired")):
        raise InputError(f"{source}: holds no entry of a cache; name a file that rag-gate cache export wrote")
    return Imported(**counts)


def _lines(source: Path, max_bytes: int) -> Iterator[bytes | None]:
    """Yield the lines of a file; None for one that is too long, which is never held as a whole."""
    too_large = InputError(f"{source}: is larger than {max_bytes / 10**6:g} MB; raise --max-mb")
    try:
        with source.open("rb") as handle:
            if os.fstat(handle.fileno()).st_size > max_bytes:
                raise too_large
            size = 0
            for line, length in _bounded(handle):
                size += length
                if size > max_bytes:  # a pipe, or a file that grows
                    raise too_large
                yield line
    except OSError as error:
        raise read_failure(source, error) from None


def _bounded(handle: IO[bytes]) -> Iterator[tuple[bytes | None, int]]:
    """Yield each line, or None, with its length; a line that is too long comes in several parts."""
    whole = True
    while line := handle.readline(MAX_ENTRY + 1):
        ended = line.endswith(b"\n")
        whole = whole and (ended or len(line) <= MAX_ENTRY)
        yield (line if whole else None), len(line)
        whole = ended


def _fate(line: bytes | None, folder: EntryFolder, now: float, ttl: timedelta) -> str:
    entry = None if line is None else decode(line)
    if entry is None:
        return "rejected"
    if not is_fresh(entry.stored, now, ttl):
        return "expired"
    try:
        there = folder.read(entry.key)
    except OSError:  # something else stands there: writing replaces it, or says why not
        there = None
    known = None if there is None else decode(there)
    if known is not None and known.key == entry.key and is_fresh(known.stored, now, ttl):
        return "known"
    folder.write(entry.key, encode(entry))
    return "added"
