"""A text in the form in which words are compared, with the way back to the original."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_gate.late import Late

_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad", "-") | {"\u301c": "~"}
_QUOTES = dict.fromkeys("\u2018\u2019\u201b\u02bc\u0060\u00b4", "'") | dict.fromkeys(
    "\u201c\u201d\u201f", '"'
)
_FOLDS = str.maketrans(_DASHES | _QUOTES)
# One character each before and after, whatever stands beside them but marks; the rest is looked at.
_USUAL = r"\t\n -)+-_a-~\u3001\u3002\u300c\u300d\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff"
_USUAL_CASE = Late(r"[A-Z]+")
_UNUSUAL = Late(rf"[{_USUAL}]?[^{_USUAL}]+")
# Zero-width although not of the format category.
_BLANK = frozenset("\u034f\u115f\u1160\u180b\u180c\u180d\u3164\uffa0")
_HALFWIDTH_MARKS = "\uff9e\uff9f"


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; ``starts`` and ``ends`` give each character's place in the original.

    Attributes:
        text: NFKC and casefold; dashes and quotation marks made plain ASCII; invisible characters and
            the asterisks of bold type dropped. White space is kept.
        starts: offset in the original where the character's source begins.
        ends: offset where it ends.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of the folded span ``start:end`` (not empty)."""
        return self.starts[start], self.ends[end - 1]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the folded span that covers the original span ``start:end``."""
        return bisect_right(self.ends, start), bisect_left(self.starts, end)


@lru_cache(maxsize=8)
def fold(text: str, *, case: bool = True, verbatim: bool = False) -> Folded:
    """Fold a text character by character, a character with its marks at a time.

    Args:
        text: the original.
        case: whether letter case is folded too.
        verbatim: for looking for values: asterisks stay, and figures in circles, raised figures and
            fractions stay what they are, since they are no digits of a number beside them.
    """
    if text.isascii() and text.isprintable() and not case and (verbatim or "*" not in text):
        return Folded(text.translate(_FOLDS), range(len(text)), range(1, len(text) + 1))
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    # Lower case of the usual characters is one character each; of others it is not looked at.
    usual = _USUAL_CASE.sub(lambda match: match[0].lower(), text) if case else text
    done = 0
    for run in _UNUSUAL.finditer(text):
        _keep(usual, done, run.start(), (chars, starts, ends))
        for start, end, source in _clusters(run[0], bold=not verbatim):
            as_it_is = verbatim and unicodedata.category(source[0]) == "No"
            for char in source if as_it_is else _fold_cluster(source, case=case):
                chars.append(char)
                starts.append(run.start() + start)
                ends.append(run.start() + end)
        done = run.end()
    _keep(usual, done, len(text), (chars, starts, ends))
    return Folded("".join(chars), tuple(starts), tuple(ends))


def _keep(text: str, start: int, end: int, to: tuple[list[str], list[int], list[int]]) -> None:
    """Take over characters that stay one each."""
    chars, starts, ends = to
    chars += text[start:end]
    starts += range(start, end)
    ends += range(start + 1, end + 1)


@lru_cache(maxsize=8192)
def _fold_cluster(source: str, *, case: bool) -> str:
    folded = unicodedata.normalize("NFKC", source.translate(_FOLDS)).translate(_FOLDS)
    return unicodedata.normalize("NFKC", folded.casefold()) if case else folded


def _clusters(text: str, *, bold: bool) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, characters) of each visible character with its combining marks.

    Args:
        text: the original.
        bold: whether the asterisks of bold type are dropped.
    """
    start, end, source = 0, 0, ""
    for index, char in enumerate(text):
        if _is_invisible(char) or (bold and char == "*" and _is_doubled(text, index)):
            continue
        if source and (char in _HALFWIDTH_MARKS or unicodedata.combining(char)):
            end, source = index + 1, source + char
            continue
        if source:
            yield start, end, source
        start, end, source = index, index + 1, char
    if source:
        yield start, end, source


def _is_doubled(text: str, index: int) -> bool:
    return "*" in (text[index - 1 : index], text[index + 1 : index + 2])


@lru_cache(maxsize=8192)
def _is_invisible(char: str) -> bool:
    if char.isspace():
        return False
    return (
        unicodedata.category(char) in ("Cf", "Cc")
        or char in _BLANK
        or "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
    )
