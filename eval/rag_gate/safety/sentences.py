"""The sentence around a span of folded text, and whether the span is asked or quoted there."""

import re
from dataclasses import dataclass

# How far a sentence is followed in each direction; longer ones are cut.
REACH = 400

_STOP = re.compile(r"[。!?]|\.(?=[\s\"')\]」』]|$)|\n")
_ABBREVIATION = re.compile(r"(?<![a-z])(?:e\.g|i\.e|etc|vs|mr|ms|mrs|dr|approx|incl|excl)$")
_LINE_GOES_ON = re.compile(r"[はがをにもでとのて、,]\s*$|[0-9a-z,;:'\"()-]\s*$")
_NEW_ITEM = re.compile(r"[^\S\n]*(?:\n|$|[-+*•・●○■□▪>#|](?![-+*])|[0-9]{1,3}[.)]\s)")
_PAIRS = {"「": "」", "『": "』", "《": "》", "<": ">", '"': '"'}


@dataclass(frozen=True, slots=True)
class Sentence:
    """The parts of a sentence around a span.

    Attributes:
        before: from the start of the sentence to the span.
        match: the span.
        after: from the span to the end of the sentence, without the closing mark.
        mark: the closing mark, or empty.
        quoted: whether the span is a part of something longer that stands in quotation marks.
    """

    before: str
    match: str
    after: str
    mark: str
    quoted: bool = False


def sentence_around(text: str, start: int, end: int) -> Sentence:
    """Return the sentence around ``text[start:end]``.

    A line break ends a sentence where the line is complete or a list item follows. Quotation marks that
    hold the span and nothing else are taken away: they name a term.
    """
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    first, last = low, high
    for stop in _STOP.finditer(text, low, start):
        if _ends(text, stop):
            first = stop.end()
    mark = ""
    for stop in _STOP.finditer(text, end, high):
        if _ends(text, stop):
            last, mark = stop.start(), stop.group()
            break
    before, after = text[first:start], text[end:last]
    if before and after and _PAIRS.get(before[-1]) == after[0]:
        return Sentence(before[:-1], text[start:end], after[1:], mark)
    return Sentence(before, text[start:end], after, mark, _is_quoted(text, start, end))


def _ends(text: str, stop: re.Match[str]) -> bool:
    before = text[max(0, stop.start() - 12) : stop.start()]
    if stop.group() == ".":
        return not _ABBREVIATION.search(before)
    if stop.group() != "\n":
        return True
    return bool(_NEW_ITEM.match(text, stop.end())) or not _LINE_GOES_ON.search(before)


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Tell whether a quotation opens before the span and closes after it, within the paragraph."""
    before = text[max(0, start - REACH) : start].rpartition("\n\n")[2]
    after = text[end : end + REACH].partition("\n\n")[0]
    for opening, closing in _PAIRS.items():
        if opening == closing:
            if before.count(opening) % 2 and closing in after:
                return True
        elif opening != "<" and before.rfind(opening) > before.rfind(closing) and closing in after:
            return True
    return False
