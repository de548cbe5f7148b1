"""The commands about the judge's cache: JSON on stdout, words on stderr."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from rag_gate.cli_support import emit, say
from rag_gate.config import load_config
from rag_gate.config_judge import CacheConfig
from rag_gate.errors import ConfigError, InputError
from rag_gate.judge.cache import cache_folder
from rag_gate.judge.cache.folder import EntryFolder

_AGE = re.compile(r"([0-9]{1,5}) ?(h|d|w)\Z")
_HOURS = {"h": 1, "d": 24, "w": 168}
_MB = 10**6


def run_stats(place: Path | None, config: Path | None) -> None:
    """Print what the cache holds."""
    from rag_gate.judge.cache.statistics import statistics_of

    with _opened(place, _settings(config)) as folder:
        found = statistics_of(folder)
    emit(found.model_dump_json(indent=1))
    damaged = f", {found.damaged} damaged files" if found.damaged else ""
    since = f", oldest of {found.oldest}" if found.oldest else ""
    say([f"{found.folder}: {found.entries} entries, {found.bytes / _MB:.1f} MB{since}{damaged}"])
    say(f"  {name or '(model not known)'}: {share.entries}" for name, share in found.models.items())


def run_prune(
    place: Path | None, config: Path | None, older_than: str | None, max_mb: float | None, *, everything: bool
) -> None:
    """Remove entries as the options say."""
    from rag_gate.judge.cache.pruning import Pruned, prune, remove_all

    settings = _settings(config)
    ttl = timedelta(days=settings.ttl_days) if older_than is None else _age(older_than)
    with _opened(place, settings) as folder:
        if everything:
            done = Pruned(remove_all(folder), 0, 0)
        else:
            done = prune(folder, time.time(), ttl, _bytes(max_mb, settings))
    emit(f'{{"removed": {done.removed}, "entries": {done.left}, "bytes": {done.bytes_left}}}')
    say([f"removed {done.removed} files; {done.left} entries are left ({done.bytes_left / _MB:.1f} MB)"])


def run_export(place: Path | None, config: Path | None, output: Path) -> None:
    """Write the cache to one file."""
    from rag_gate.judge.cache.transfer import export_entries

    with _opened(place, _settings(config)) as folder:
        count = export_entries(folder, output)
    emit(f'{{"entries": {count}}}')
    say([f"wrote {output} ({count} entries)"])


def run_import(place: Path | None, config: Path | None, source: Path, max_mb: float | None) -> None:
    """Add the entries of an exported file."""
    from rag_gate.judge.cache.transfer import import_entries

    settings = _settings(config)
    ttl = timedelta(days=settings.ttl_days)
    with _opened(place, settings) as folder:
        done = import_entries(source, folder, time.time(), ttl, _bytes(max_mb, settings))
    emit(done.model_dump_json())
    left_out = f"{done.expired} too old, {done.rejected} lines rejected"
    say([f"{source}: {done.added} entries added, {done.known} were there, {left_out}"])


def _settings(config: Path | None) -> CacheConfig:
    return CacheConfig() if config is None else load_config(config).judge.cache


def _bytes(max_mb: float | None, settings: CacheConfig) -> int:
    return int((settings.max_mb if max_mb is None else max_mb) * _MB)


@contextmanager
def _opened(place: Path | None, settings: CacheConfig) -> Iterator[EntryFolder]:
    folder = cache_folder(place or settings.path)
    try:
        yield EntryFolder(folder)
    except OSError as error:
        raise InputError(
            f"{error.filename or folder}: cannot be used as a cache ({error.strerror})"
        ) from None


def _age(text: str) -> timedelta:
    match = _AGE.match(text.strip())
    if match is None:
        raise ConfigError(f"--older-than: must be such as 12h, 30d or 4w, found '{text}'")
    return timedelta(hours=int(match[1]) * _HOURS[match[2]])
