"""Entries as files: ``v1/ab/<the other 62 digits>`` below the folder of the cache.

Links are never followed, writing is atomic, and what is created is for its owner only. Nothing outside
``v1`` is touched, and in it only what bears the name of an entry.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rag_gate.judge.cache.entry import MAX_ENTRY
from rag_gate.late import Late

_FAN = Late(r"[0-9a-f]{2}\Z")
_NAME = Late(r"[0-9a-f]{62}\Z")
_TEMPORARY = Late(r"\.[0-9a-f]{62}\.[0-9a-f]{16}\.tmp\Z")
_OTHERS_WRITE = 0o022
# Not on every platform: without them a link or a pipe is told by its status alone.
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class EntryFile(NamedTuple):
    """A file of the cache as listed; ``temporary`` is what a writer left that did not end."""

    path: Path
    status: os.stat_result
    temporary: bool

    @property
    def key(self) -> str:
        """The key that the file's name says."""
        return self.path.parent.name + self.path.name

    def remove(self) -> bool:
        """Remove the file unless it was replaced since it was listed; tell whether it is gone."""
        with contextlib.suppress(OSError):
            now = self.path.lstat()
            if (now.st_ino, now.st_mtime_ns) == (self.status.st_ino, self.status.st_mtime_ns):
                _clear(self.path, now)
                return True
        return False


class EntryFolder:
    """Bytes by key.

    Attributes:
        root: the folder of this layout.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder / "v1"

    def read(self, key: str) -> bytes | None:
        """Return an entry's bytes, None if there is none.

        Raises:
            OSError: if something else stands there, or it cannot be read.
        """
        path = self._path(key)
        try:
            _require_own(self.root)
            _require_own(path.parent)
            return read_regular(path)
        except FileNotFoundError:
            return None

    def write(self, key: str, data: bytes) -> None:
        """Put an entry in place as a whole, over what stands there.

        Raises:
            OSError: if the folder cannot be used.
        """
        path = self._path(key)
        self.root.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (self.root, path.parent):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(mode=0o700)
            _require_own(folder)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
        try:
            with os.fdopen(
                os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _SAFE, 0o600), "wb"
            ) as out:
                out.write(data)
            with contextlib.suppress(FileNotFoundError):
                if stat.S_ISDIR((status := path.lstat()).st_mode):
                    _clear(path, status)
            temporary.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    def files(self) -> Iterator[EntryFile]:
        """Yield every file, in the order of the keys, each folder's leftovers among them.

        Raises:
            OSError: if the folder is there and cannot be used.
        """
        try:
            _require_own(self.root)
        except FileNotFoundError:
            return
        for fan in _listed(self.root):
            if _FAN.match(fan.name) and fan.is_dir(follow_symlinks=False):
                yield from _entry_files(Path(fan.path))

    def _path(self, key: str) -> Path:
        if not _FAN.match(key[:2]) or not _NAME.match(key[2:]):
            raise ValueError("a key is 64 hexadecimal digits")
        return self.root / key[:2] / key[2:]


def _clear(path: Path, status: os.stat_result) -> None:
    """Remove a file, or a folder that has the name of an entry and is empty.

    Raises:
        OSError: if it cannot be removed.
    """
    if stat.S_ISDIR(status.st_mode):
        path.rmdir()
    else:
        path.unlink()


def _entry_files(folder: Path) -> Iterator[EntryFile]:
    for item in _listed(folder):
        temporary = _TEMPORARY.match(item.name) is not None
        if temporary or _NAME.match(item.name):
            with contextlib.suppress(FileNotFoundError):  # removed by another process
                yield EntryFile(Path(item.path), item.stat(follow_symlinks=False), temporary)


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return sorted(found, key=lambda item: item.name)


def _require_own(folder: Path) -> None:
    """Refuse a link, what is no folder, and a folder in which others may write."""
    mode = folder.lstat().st_mode
    if not stat.S_ISDIR(mode):
        raise NotADirectoryError(0, "is not a folder", str(folder))
    if os.name == "posix" and mode & _OTHERS_WRITE:
        raise PermissionError(0, "others may write to it; chmod go-w", str(folder))


def read_regular(path: Path) -> bytes:
    """Read a file that is not a link, a pipe or too large.

    Raises:
        OSError: if it is.
    """
    descriptor = os.open(path, os.O_RDONLY | _SAFE)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_ENTRY:
            raise OSError(0, "is not an entry", str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as handle:
            return handle.read(status.st_size)
    finally:
        os.close(descriptor)
