"""What a number is called in the words beside it: the nearest label tells a phone from an order."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from rag_gate.detectors.tables import Cell, cells_of
from rag_gate.detectors.words import LATIN, OTHER
from rag_gate.late import Late

_REACH = 30
_AFTER = 10
_ANY_DIGIT = Late(r"[0-9]")
#: Words that say what is right behind them is no value of a person, whatever its shape.
_ADJACENT = Late(
    r"(?:(?<![A-Za-z])(?:orders?|no|nr|id|ids|v|ver|rev|p|pp|art|sec|ch|sections?|chapters?|codes?|errors?|type|key|step)"
    r"|[#№§$¥€£_=]|第|注文|番|コード|エラー|版|節|章|条|項|合計|金額|価格|在庫)"
    r"[ :#.：はが=]{0,3}$",
    re.IGNORECASE,
)
_UNIT = Late(
    r"[ ]?(?:円|ドル|ユーロ|ポイント|個|件|人|名|点|台|%|USD|JPY|EUR|GBP|yen|dollars?|points?|items?|KB|MB|GB|bytes?)"
)
_PAUSE = Late(r"[。！？!?\n]|(?<!No)(?<!no)(?<!NO)(?<!Nr)(?<!tel)(?<!Tel)\.[ ]")


#: A note on the form of the number: (12 digits).
_NOTE = Late(r"[(（][^()（）\n]{0,14}[)）]")
#: A line of its own for the label.
_LAYOUT = Late(r"[ :：=*_`|>]{0,6}(?:\n[ :：=*_`|>-]{0,6}){0,2}")


def _trie(words: Iterable[str]) -> str:
    """Return a pattern of words, in which words share their beginnings and the longest wins."""
    tree: dict[str, list[str]] = {}
    for word in words:
        tree.setdefault(word[:1], []).append(word[1:])
    ends = "" in tree
    parts = [
        ("[ _-]?" if head == " " else re.escape(head)) + _trie(rest)
        for head, rest in sorted(tree.items())
        if head
    ]
    if not parts:
        return ""
    return f"(?:{'|'.join(parts)}){'?' if ends else ''}"


def _plain(word: str) -> str:
    return re.sub(r"[ _-]", "", word).lower()


def _kinds(table: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {_plain(word): kind for kind, words in table.items() for word in words}


_KINDS = {**_kinds(LATIN), **_kinds(OTHER)}


def _pattern() -> str:
    latin = {word for words in LATIN.values() for word in words}
    other = {word for words in OTHER.values() for word in words}
    first_latin, first_other = ("".join(sorted({word[0] for word in words})) for words in (latin, other))
    return rf"(?=[{first_latin}])(?<![A-Za-z]){_trie(latin)}(?![A-Za-z])|(?=[{first_other}]){_trie(other)}"


def _beginnings(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that begin with no other: a text without them has none of all."""
    found = [""]
    for word in sorted(words):
        if not found[-1] or not word.startswith(found[-1]):
            found.append(word)
    return tuple(found[1:])


_BEGINNINGS = _beginnings(_KINDS)
_LABEL = Late(_pattern, re.IGNORECASE)


class Label(NamedTuple):
    """A label in a text."""

    start: int
    end: int
    kind: str


class Labels:
    """The labels of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        plain = _plain(text)
        self._all = (
            [Label(*match.span(), _KINDS[_plain(match[0])]) for match in _LABEL.finditer(text) if match[0]]
            if any(word in plain for word in _BEGINNINGS)
            else []
        )
        self._starts = [label.start for label in self._all]
        self._ends = [label.end for label in self._all]
        self.kinds = frozenset(label.kind for label in self._all)

    def before(self, start: int, reach: int = _REACH) -> str | None:
        """Return the kind of the nearest label in front of a value in the same sentence, or above it in a table.

        A label that another number already follows does not count.
        """
        return self._in_front(start, reach) or self._above(start)

    def _in_front(self, start: int, reach: int) -> str | None:
        index = bisect_right(self._ends, start) - 1
        if index < 0 or start - self._ends[index] > reach:
            return None
        gap = _NOTE.sub("", self._text[self._ends[index] : start])
        if _LAYOUT.fullmatch(gap):
            return self._all[index].kind
        return None if _ANY_DIGIT.search(gap) or _PAUSE.search(gap) else self._all[index].kind

    def _above(self, start: int) -> str | None:
        """Return the kind of the label at the head of a table's column."""
        index = bisect_right(self._cells, start, key=lambda cell: cell.start) - 1
        if index < 0 or start >= self._cells[index].end:
            return None
        first, last = self._cells[index].head
        return next((label.kind for label in self._all if first <= label.start and label.end <= last), None)

    @cached_property
    def _cells(self) -> list[Cell]:
        return list(cells_of(self._text)) if self._all else []

    def after(self, end: int) -> str | None:
        """Return the kind of a label right behind a value, as in ``(mobile)``."""
        index = bisect_left(self._starts, end)
        if index == len(self._all) or self._starts[index] - end > _AFTER:
            return None
        gap = self._text[end : self._starts[index]]
        return None if _ANY_DIGIT.search(gap) or _PAUSE.search(gap) else self._all[index].kind

    def of(self, start: int, end: int) -> str | None:
        """Return the kind of the label of a value: in front of it, or else behind it."""
        return self.before(start) or self.after(end)


def is_code(text: str, start: int, end: int) -> bool:
    """Tell whether a number is an amount or the part of a code, by what touches it."""
    return bool(_ADJACENT.search(text[max(0, start - 14) : start]) or _UNIT.match(text, end))
