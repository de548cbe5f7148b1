"""What a cache holds."""

from datetime import UTC, datetime

from pydantic import Field

from rag_gate.judge.cache.folder import EntryFolder
from rag_gate.judge.cache.pruning import listed
from rag_gate.records.base import OwnRecord


class ModelShare(OwnRecord):
    """Entries of one model: how many, and the bytes of their files."""

    entries: int
    bytes: int


class CacheStatistics(OwnRecord):
    """What a cache holds.

    Attributes:
        folder: where it is.
        entries: whole entries, whatever their age.
        bytes: of their files.
        damaged: files that are no whole entry.
        oldest: when the oldest was written (UTC); null when there is none.
        newest: when the newest was written (UTC).
        models: model -> its share; entries whose model is not known stand under an empty name.
    """

    folder: str
    entries: int = 0
    bytes: int = 0
    damaged: int = 0
    oldest: str | None = None
    newest: str | None = None
    models: dict[str, ModelShare] = Field(default_factory=dict)


def statistics_of(folder: EntryFolder) -> CacheStatistics:
    """Count what a cache holds.

    Raises:
        OSError: if the folder is there and cannot be used.
    """
    sizes: dict[str, list[int]] = {}
    times: list[int] = []
    damaged = 0
    for file, entry in listed(folder):
        if entry is None:
            damaged += 1
        else:
            sizes.setdefault(entry.model or "", []).append(file.status.st_size)
            times.append(entry.stored)
    return CacheStatistics(
        folder=str(folder.root.parent),
        entries=len(times),
        bytes=sum(map(sum, sizes.values())),
        damaged=damaged,
        oldest=_date(min(times, default=None)),
        newest=_date(max(times, default=None)),
        models={
            name: ModelShare(entries=len(found), bytes=sum(found)) for name, found in sorted(sizes.items())
        },
    )


def _date(seconds: int | None) -> str | None:
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, OSError, ValueError):  # beyond what a calendar says
        return None
