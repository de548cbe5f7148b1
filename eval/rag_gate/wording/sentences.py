"""Splitting text into sentences: one sentence is one claim of an answer, or one piece of evidence."""

import re
from typing import NamedTuple

from rag_gate.late import Late
from rag_gate.text import has_cjk
from rag_gate.wording.markers import CITATION, after_list_marker
from rag_gate.wording.periods import ends_sentence
from rag_gate.wording.quotes import CLOSERS, quoted_ranges

_LINE = Late(r"[^\n\r\v\f\u0085\u2028\u2029]+")
_STOP_MARKS = "。！？!?．｡."
# A class alone at the front is found several times as fast as a repeated one.
_STOP = Late(f"[{_STOP_MARKS}][{_STOP_MARKS}]*")
_WORD = Late(r"[^\W_]")
_SPACES = " \t　\u00a0"
_ALWAYS = frozenset("。！？｡")
_CITATION_STARTS = frozenset("[［【(（")
_CITATION_ENDS = frozenset("]］】)）")


class Span(NamedTuple):
    """A stretch of a text: ``text == original[start:end]``."""

    start: int
    end: int
    text: str


def split_sentences(text: str) -> list[Span]:
    """Split Japanese or English text into sentences, in order, without overlap.

    Ends of sentences are 。！？!? and line ends, and ``.`` before white space unless it belongs to an
    abbreviation, initial or number; never inside 「」『』（）() or "...". List markers at the start of a
    line and citation markers at either end of a sentence are left out; a stretch without any letter
    or digit is no sentence. Takes time linear in the length of the text.
    """
    spans: list[Span] = []
    for line in _LINE.finditer(text):
        for start, end in _pieces(line[0]):
            span = _trimmed(text, line.start() + start, line.start() + end)
            if span is not None:
                spans.append(span)
    return spans


def _pieces(line: str) -> list[tuple[int, int]]:
    begin = after_list_marker(line, 0, len(line))
    first = _STOP.search(line, begin)
    if first is None or first.end() == len(line):
        return [(begin, len(line))] if begin < len(line) else []
    quoted = quoted_ranges(line)
    pieces: list[tuple[int, int]] = []
    at = 0
    for stop in _STOP.finditer(line, begin):
        while at < len(quoted) and quoted[at][1] < stop.start():
            at += 1
        inside = at < len(quoted) and quoted[at][0] < stop.start()
        end = _end_after_quote(line, stop.end(), quoted[at][1]) if inside else _end_of(line, stop)
        if end is not None and end > begin:
            pieces.append((begin, end))
            begin = end
    if begin < len(line):
        pieces.append((begin, len(line)))
    return pieces


def _end_of(line: str, stop: re.Match[str]) -> int | None:
    marks, end = stop[0], stop.end()
    if _ALWAYS.intersection(marks) or _is_free(line, marks, end):
        while end < len(line) and line[end] in CLOSERS:
            end += 1
        return end
    return None


def _is_free(line: str, marks: str, end: int) -> bool:
    """Tell whether the stop marks are followed by what can follow a sentence."""
    after = line[end : end + 1]
    if set(marks) == {"."}:
        closing = after in CLOSERS and line[end + 1 : end + 2] in _SPACES
        return bool(after and closing) or ends_sentence(line, end - 1)
    if "．" in marks:
        return not (line[end - 2 : end - 1].isdigit() and after.isdigit())
    return not after or after in _SPACES or after in CLOSERS or has_cjk(after)


def _end_after_quote(line: str, end: int, closer: int) -> int | None:
    """Return the end of a Latin sentence whose last stop stands inside the quote: ``"Yes." Then``."""
    if end != closer or line[closer] not in '"”)':
        return None
    after = line[closer + 1 :][:2]
    if after[:1] in (" ", "") and (after[1:] == "" or after[1:].isupper() or after[1:] in '"“'):
        return closer + 1
    return None


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Cut white space and citation markers off both ends; None when no letter or digit is left."""
    while True:
        while start < end and text[start].isspace():
            start += 1
        marker = CITATION.match(text, start, end) if text[start : start + 1] in _CITATION_STARTS else None
        if marker is None:
            break
        start = marker.end()
    end = _without_last_citations(text, start, end)
    if _WORD.search(text, start, end) is None:
        return None
    return Span(start, end, text[start:end])


def _without_last_citations(text: str, start: int, end: int) -> int:
    ends: dict[int, int] | None = None
    while True:
        while start < end and text[end - 1].isspace():
            end -= 1
        if text[end - 1 : end] not in _CITATION_ENDS:
            return end
        if ends is None:
            ends = {match.end(): match.start() for match in CITATION.finditer(text, start, end)}
        if end not in ends:
            return end
        end = ends[end]
