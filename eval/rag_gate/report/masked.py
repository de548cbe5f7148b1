"""The last look at a comment before it is written: no found value may be readable in it."""

import html
import re

from rag_gate.detectors.severities import SEVERITIES
from rag_gate.errors import NotJudgedError
from rag_gate.masking import Masker

# What a reader does not see: the backslash of an escape and invisible breaks; an entity is one character.
_HIDDEN = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|[\u200b\u200c\u200d\u2060\ufeff]|&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8});"
)
_CELL = re.compile(r"[^|\n]+")


def without_values(comment: str, masker: Masker) -> str:
    """Return the comment with a mark in the place of every value that a reader could read in it.

    Raises:
        NotJudgedError: if a value is still there afterwards; then the comment must not be written.
    """
    masked = _CELL.sub(lambda cell: _cell(cell[0], masker), comment)
    for cell in _CELL.findall(masked):
        left = [
            item.type
            for item in masker.scanner.to_hide(_read(cell)[0])
            if SEVERITIES.get(item.type) != "weak"
        ]
        if left:
            raise NotJudgedError(
                f"the comment is withheld: it would show a value of type {left[0]} that could not be masked; "
                "please report this, the verdict stands in verdict.json"
            )
    return masked


def _cell(cell: str, masker: Masker) -> str:
    """Mask one line, or one cell of a table: numbers of neighbouring cells are no number together."""
    text, places = _read(cell)
    for item in reversed(masker.scanner.to_hide(text)):
        start, end = places[item.start][0], places[item.end - 1][1]
        cell = f"{cell[:start]}\\[{item.type}\\]{cell[end:]}"
    return cell


def _read(cell: str) -> tuple[str, list[tuple[int, int]]]:
    """Return what a reader sees, and from where to where each of its characters stands."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    done = 0
    for match in _HIDDEN.finditer(cell):
        parts.append(cell[done : match.start()])
        places += ((index, index + 1) for index in range(done, match.start()))
        if match[0].startswith("&"):
            shown = html.unescape(match[0])
            parts.append(shown)
            places += [match.span()] * len(shown)
        done = match.end()
    parts.append(cell[done:])
    places += ((index, index + 1) for index in range(done, len(cell)))
    return "".join(parts), places
