"""Where claims stand in an answer, and evidence in a chunk: marks by place, for the page to draw."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from rag_gate.folding import fold
from rag_gate.wording.sentences import split_sentences

#: Kinds of marks; a stretch can have several.
SUPPORTED: Final = 1
UNDECIDED: Final = 2
UNSUPPORTED: Final = 4
FINDING: Final = 8
EVIDENCE: Final = 16
PART: Final = 32
QUOTED: Final = 64
VERDICTS = {"supported": SUPPORTED, "unsupported": UNSUPPORTED}

Span = tuple[int, int]
_ALIKE = 0.6
_SHORTEST_PART = 8
#: Longer texts are not compared piece by piece.
_LONGEST = 4_000


class Mark(NamedTuple):
    """A stretch of a text (code points) and the kinds that it is of."""

    start: int
    end: int
    kinds: int


class _Dense(NamedTuple):
    """A folded text without white space, and where each character stands in the original."""

    text: str
    spans: Sequence[Span]


@lru_cache(maxsize=4096)
def _dense(text: str) -> _Dense:
    folded = fold(text)
    kept = [at for at, char in enumerate(folded.text) if not char.isspace()]
    spans = [(folded.starts[at], folded.ends[at]) for at in kept]
    return _Dense("".join(folded.text[at] for at in kept), spans)


def locate(needle: str, text: str, after: int = 0) -> Span | None:
    """Return where a text stands in another one, whatever the width, case and spaces; None if it does not.

    Args:
        needle: what is looked for.
        text: where.
        after: the first place at or after this offset, else the first of all.
    """
    wanted, found = _dense(needle).text, _dense(text)
    if not wanted:
        return None
    begin = next((at for at, span in enumerate(found.spans) if span[0] >= after), 0) if after else 0
    at = found.text.find(wanted, begin)
    if at < 0 and begin:
        at = found.text.find(wanted)
    return None if at < 0 else (found.spans[at][0], found.spans[at + len(wanted) - 1][1])


def longest_part(needle: str, text: str) -> Span | None:
    """Return where the longest piece of a passage stands in a chunk; None for a piece that says nothing."""
    wanted, found = _dense(needle[:_LONGEST]), _dense(text[:_LONGEST])
    match = SequenceMatcher(None, wanted.text, found.text, autojunk=False).find_longest_match()
    if match.size < max(_SHORTEST_PART, len(wanted.text) // 4):
        return None
    return found.spans[match.b][0], found.spans[match.b + match.size - 1][1]


def claim_places(claims: Sequence[str], answer: str) -> list[Span | None]:
    """Return where each claim stands in the answer: word for word, else the sentence that is most like it."""
    places: list[Span | None] = []
    after = 0
    for claim in claims:
        place = locate(claim, answer, after) or _most_alike(claim, answer)
        after = place[1] if place else after
        places.append(place)
    return places


def _most_alike(claim: str, answer: str) -> Span | None:
    wanted = _pairs(claim)
    if not wanted:
        return None
    scored = [(len(wanted & _pairs(s.text)) / len(wanted), s) for s in split_sentences(answer)]
    best = max(scored, key=lambda item: item[0], default=None)
    return (best[1].start, best[1].end) if best and best[0] >= _ALIKE else None


@lru_cache(maxsize=1024)
def _pairs(text: str) -> frozenset[str]:
    dense = _dense(text).text
    return frozenset(dense[at : at + 2] for at in range(len(dense) - 1))


def flat(marks: Iterable[Mark]) -> list[Mark]:
    """Return marks that do not overlap: where several did, one of all their kinds."""
    given = [mark for mark in marks if mark.start < mark.end]
    edges = sorted({edge for mark in given for edge in (mark.start, mark.end)})
    found: list[Mark] = []
    for start, end in pairwise(edges):
        kinds = 0
        for mark in given:
            if mark.start <= start and end <= mark.end:
                kinds |= mark.kinds
        if kinds and found and found[-1].end == start and found[-1].kinds == kinds:
            found[-1] = Mark(found[-1].start, end, kinds)
        elif kinds:
            found.append(Mark(start, end, kinds))
    return found


def drawn(text: str, marks: Iterable[Mark]) -> list[int]:
    """Return marks as the page reads them: start, end (UTF-16 units, as a browser counts), kinds, and so on."""
    found = [mark for mark in flat(marks) if mark.end <= len(text)]
    if text.isascii():
        return [number for mark in found for number in mark]
    return [
        number for mark in found for number in (_units(text, mark.start), _units(text, mark.end), mark.kinds)
    ]


def _units(text: str, offset: int) -> int:
    return offset + sum(char > "\uffff" for char in text[:offset])
