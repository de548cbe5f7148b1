"""Cells of markdown tables with what stands above them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rag_gate.late import Late

_LINE = Late(r"[^\n]+")
_RULE = Late(r"[ \t]*\|?[ \t]*:?-{1,200}:?[ \t]*(?:\|[ \t:-]{0,200}){0,60}\Z")
_CELL = Late(r"[^|]+")
_MOST_ROWS = 1000


class Cell(NamedTuple):
    """A cell of a table.

    Attributes:
        head: where the cell above it in the first row stands.
        start: where its text begins.
        end: where it ends.
    """

    head: tuple[int, int]
    start: int
    end: int


def cells_of(text: str) -> Iterator[Cell]:
    """Yield the cells below the head of every table in a text."""
    if "|" not in text or "-" not in text:
        return
    lines = list(_LINE.finditer(text))[:_MOST_ROWS]
    heads: list[tuple[int, int]] = []
    for before, line in pairwise([None, *lines]):
        if line is None:
            continue
        if before is not None and "|" in before[0] and "|" in line[0] and _RULE.match(line[0]):
            heads = list(_spans(before))
        elif "|" not in line[0]:
            heads = []
        elif heads:
            for head, (start, end) in zip(heads, _spans(line), strict=False):
                yield Cell(head, start, end)


def _spans(line: re.Match[str]) -> Iterator[tuple[int, int]]:
    for cell in _CELL.finditer(line[0].rstrip().removesuffix("|")):
        is_edge = cell.start() == 0 and not cell[0].strip()
        if not is_edge:
            yield line.start() + cell.start(), line.start() + cell.end()
