"""What leaves the cache: what is too old, what is damaged, and the oldest of what is too much."""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from rag_gate.judge.cache.entry import Entry, decode
from rag_gate.judge.cache.folder import EntryFile, EntryFolder, read_regular

#: How far ahead another machine's clock may be.
CLOCK_SKEW = timedelta(days=1)
#: What looks unfinished or damaged may be another process's work until then (seconds).
_SETTLED = 3_600
#: Below the bound by this much, so that not every run has to prune.
_ROOM = 0.9


class Listed(NamedTuple):
    """A file and the entry in it, None when it is damaged or not an entry."""

    file: EntryFile
    entry: Entry | None


class Pruned(NamedTuple):
    """What a pruning did: entries and other files removed, entries left with their bytes."""

    removed: int
    left: int
    bytes_left: int


def is_fresh(stored: float, now: float, ttl: timedelta) -> bool:
    """Tell whether an entry is young enough; one from more than a day ahead is not believed."""
    return now - ttl.total_seconds() < stored <= now + CLOCK_SKEW.total_seconds()


def listed(folder: EntryFolder) -> Iterator[Listed]:
    """Yield every file with its entry, in the order of the keys.

    Raises:
        OSError: if the folder is there and cannot be used.
    """
    for file in folder.files():
        yield Listed(file, None if file.temporary else _entry_of(file))


def _entry_of(file: EntryFile) -> Entry | None:
    try:
        entry = decode(read_regular(file.path))
    except OSError:
        return None
    return entry if entry is not None and entry.key == file.key else None


def prune(folder: EntryFolder, now: float, ttl: timedelta, max_bytes: int) -> Pruned:
    """Remove what is too old, damaged or left by a killed writer, then the oldest beyond the bound.

    Args:
        folder: the cache.
        now: seconds since 1970.
        ttl: the age limit.
        max_bytes: bound on the sum of the files' sizes.

    Raises:
        OSError: if the folder is there and cannot be used.
    """
    kept: list[tuple[int, EntryFile]] = []
    removed = 0
    for file, entry in listed(folder):
        if entry is None:
            removed += now - file.status.st_mtime > _SETTLED and file.remove()
        elif is_fresh(entry.stored, now, ttl):
            kept.append((entry.stored, file))
        else:
            removed += file.remove()
    kept.sort(key=lambda item: (item[0], item[1].path.name), reverse=True)
    size = sum(file.status.st_size for _, file in kept)
    while kept and size > max_bytes:
        _, oldest = kept.pop()
        size -= oldest.status.st_size
        removed += oldest.remove()
    return Pruned(removed, len(kept), size)


def prune_after_run(folder: EntryFolder, now: float, ttl: timedelta, max_bytes: int) -> int:
    """Prune if the files' sizes or times say that there is something to remove; return how many went.

    A file's time is only a hint (an archive may change it); what an entry says of itself decides.

    Raises:
        OSError: if the folder is there and cannot be used.
    """
    size = 0
    due = False
    for file in folder.files():
        size += file.status.st_size
        age = now - file.status.st_mtime
        due = due or age > (_SETTLED if file.temporary else ttl.total_seconds())
    if size > max_bytes:
        return prune(folder, now, ttl, int(max_bytes * _ROOM)).removed
    return prune(folder, now, ttl, max_bytes).removed if due else 0


def remove_all(folder: EntryFolder) -> int:
    """Remove every file of the cache, whatever is in it; return how many went.

    Raises:
        OSError: if the folder is there and cannot be used.
    """
    return sum(file.remove() for file in folder.files())
