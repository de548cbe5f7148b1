"""Templates of the user's own, read once: what they say is fixed before anything is measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_gate.errors import ConfigError
from rag_gate.files import read_text

_ENDING = ".j2"
_MOST_FILES, _LARGEST = 50, 200_000


@dataclass(frozen=True, slots=True)
class OwnTemplates:
    """Sources of templates by name.

    Attributes:
        folder: where they stand, as messages name it.
        sources: name relative to the folder -> text.
    """

    folder: str
    sources: Mapping[str, str]

    def path_of(self, name: str) -> str:
        """Return the file of a template, as messages name it."""
        return f"{self.folder}/{name}"


def read_templates(folder: Path | None) -> OwnTemplates | None:
    """Read the templates of a folder; None where none is named.

    Raises:
        ConfigError: if there is no such folder, or no template in it.
        InputError: if a file cannot be read.
    """
    if folder is None:
        return None
    if not folder.is_dir():
        raise ConfigError(f"report.templates: {folder}: no such folder; name one that holds comment.md.j2")
    root = folder.resolve()
    files = [path for path in sorted(folder.rglob(f"*{_ENDING}")) if path.is_file()]
    if not files or len(files) > _MOST_FILES:
        raise ConfigError(
            f"report.templates: {folder}: holds {len(files)} files *{_ENDING}; name a folder with 1 to {_MOST_FILES}"
        )
    for path in files:
        if not path.resolve().is_relative_to(root):
            raise ConfigError(f"report.templates: {path}: leads out of the folder; put the file itself there")
        if path.stat().st_size > _LARGEST:
            raise ConfigError(f"report.templates: {path}: is larger than {_LARGEST} bytes")
    sources = {path.relative_to(folder).as_posix(): read_text(path) for path in files}
    return OwnTemplates(folder.as_posix(), sources)
