"""The files through which a step speaks: its outputs and its summary."""

import secrets
from collections.abc import Mapping
from pathlib import Path

from rag_gate.errors import InputError
from rag_gate.github.cutting import MOST_BYTES, cut_to_bytes


def write_outputs(path: str | None, outputs: Mapping[str, str]) -> None:
    """Add outputs to ``GITHUB_OUTPUT``; no value can end its own block or start another.

    Raises:
        InputError: if the file cannot be written: a later step would read nothing as a verdict.
    """
    if not path:
        return
    text = ""
    for name, value in outputs.items():
        mark = f"rag-gate-{secrets.token_hex(16)}"
        text += f"{name}<<{mark}\n{value}\n{mark}\n"
    _add(Path(path), text)


def write_summary(path: str | None, markdown: str) -> None:
    """Add markdown to ``GITHUB_STEP_SUMMARY``, cut so that the file keeps below GitHub's limit of 1 MiB.

    Raises:
        InputError: if the file cannot be written.
    """
    if not path:
        return
    file = Path(path)
    taken = file.stat().st_size if file.is_file() else 0
    room = MOST_BYTES - taken
    if room > MOST_BYTES // 100:
        _add(file, f"{cut_to_bytes(markdown, room)}\n")


def _add(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as handle:
            handle.write(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
