"""A folder with the base commit's versions of the files that decide, at the same relative paths."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rag_gate.config_models import Config
from rag_gate.github.commit_files import Files
from rag_gate.regression.sentences import named

_DIGITS = 12
_NAMED = 6
#: Paths in the settings that are written, hold what the pull request measured, or name programs.
_NOT_RULES = frozenset({"run", "output", "cache", "python"})
#: Path -> [its hash in the base commit, its hash in the pull request]; None = not there.
Changed = dict[str, tuple[str | None, str | None]]


class Overlay:
    """Takes files out of the base commit, and notes which of them the pull request changed.

    Attributes:
        changed: what differs so far.
    """

    def __init__(self, folder: Path, root: Path, base: Files, head: Files) -> None:
        """Prepare an empty folder.

        Args:
            folder: the overlay's own, outside the repository.
            root: of the work tree.
            base: what decides.
            head: what the pull request made of it.
        """
        self.folder, self.root = Path(os.path.realpath(folder)), root
        self.base, self._head = base, head
        self.changed: Changed = {}

    def inside(self, path: Path) -> str | None:
        """Return a path of the work tree or the overlay relative to the repository; None for others."""
        whole = Path(os.path.normpath(Path(os.path.realpath(Path.cwd())) / path))
        for start in (self.folder, self.root):
            if whole.is_relative_to(start):
                return whole.relative_to(start).as_posix()
        return None

    def take(self, path: str) -> Path | None:
        """Write the base commit's version of a file or folder; None where it has none."""
        names = self.base.files(path)
        for name in names:
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.base.read(name))
        self._note(names, self._head.files(path))
        return self.folder / path if names else None

    def here(self, path: str) -> Path:
        """Return where a path of the repository stands in the work tree."""
        return self.root / path

    def _note(self, then: list[str], now: list[str]) -> None:
        for name in sorted({*then, *now}):
            before = _digest(self.base.read(name)) if name in then else None
            after = _digest(self._head.read(name)) if name in now else None
            if before != after:
                self.changed[name] = (before, after)


def about_changed(changed: Changed) -> list[str]:
    """Return a sentence about the files that decide and that the pull request changed; none where there are none."""
    if not changed:
        return []
    verb, version = ("is", "version decides") if len(changed) == 1 else ("are", "versions decide")
    names = named(sorted(changed), _NAMED)
    return [
        f"{names} {verb} changed by this pull request: the base commit's {version} here, the change counts after the merge"
    ]


def _digest(content: bytes) -> str:
    """Return what stands for a content; a checkout on Windows may have other line ends."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:_DIGITS]


def rule_paths(config: Config) -> Iterator[Path]:
    """Yield the paths in the settings whose content decides, but for golden set and baseline: models, rules."""
    yield from _paths(config.model_dump(exclude={"baseline"}))


def _paths(settings: Mapping[str, Any]) -> Iterator[Path]:
    for key, value in settings.items():
        if key in _NOT_RULES:
            continue
        if isinstance(value, Path):
            yield value
        elif isinstance(value, Mapping):
            yield from _paths(value)
