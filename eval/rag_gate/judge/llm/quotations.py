"""Find a quotation in the document it is from, and what stands around it there."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag_gate.judge.llm.quoting import joined_lines, quotable
from rag_gate.late import Late
from rag_gate.text import has_cjk
from rag_gate.wording.sentences import split_sentences

#: What stands for words left out.
_ELLIPSIS = Late(
    r"\s*(?:[\[(（［]\s*(?:\.{2,}|…+|中略|前略|後略|略)\s*[\])）］]|\.{3,}|…+|\. \. \.|⋯+|・{3,})\s*"
)
#: Pieces of a quotation with gaps: how many, how short (letters and digits), how far apart (characters).
_MOST_PIECES, _SHORTEST_PIECE, _WIDEST_GAP = 4, 3, 300
_MOST_PLACES = 50
_DIGIT_BEFORE = Late(r"[0-9][.:/]?\Z")
_DIGIT_AFTER = Late(r"[.:/]?[0-9]")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation that was found.

    Attributes:
        sentences: the sentences of the document that it is from, as they stand there.
        around: those, and the one before and after.
        gaps: whether words are left out of it, marked by an ellipsis.
    """

    sentences: str
    around: str
    gaps: bool


class Source:
    """One document, prepared to find quotations in it."""

    def __init__(self, text: str) -> None:
        whole = joined_lines(text)
        ends = [span.end for span in split_sentences(whole)]
        cuts = [0, *ends[:-1], len(whole)] if ends else [0, len(whole)]
        self._pieces = [whole[start:end] for start, end in pairwise(cuts)]
        self._starts: list[int] = []
        self.folded = self._joined()

    def _joined(self) -> str:
        parts: list[str] = []
        length = 0
        last = ""
        for piece in self._pieces:
            plain = quotable(piece)
            gap = " " if last and plain and not has_cjk(last) and not has_cjk(plain[0]) else ""
            self._starts.append(length + len(gap))
            parts.append(gap + plain)
            length += len(gap) + len(plain)
            last = plain[-1:] or last
        return "".join(parts)

    def find(self, quotation: str) -> Quotation | None:
        """Return where a quotation stands, word for word but for typography; None where it does not.

        A quotation with an ellipsis is found if its pieces stand there in order and near each other.
        """
        whole = quotable(quotation)
        place = _first(whole, self.folded, 0) if whole else None
        if place is not None:
            return self._at(place, place + len(whole), gaps=False)
        pieces = [quotable(piece) for piece in _ELLIPSIS.split(quotation)]
        pieces = [piece for piece in pieces if piece]
        if not 0 < len(pieces) <= _MOST_PIECES or any(
            sum(map(str.isalnum, piece)) < _SHORTEST_PIECE for piece in pieces
        ):
            return None
        return self._in_pieces(pieces)

    def _in_pieces(self, pieces: Sequence[str]) -> Quotation | None:
        start = _first(pieces[0], self.folded, 0)
        for _ in range(_MOST_PLACES):
            if start is None:
                return None
            end = self._end_of_rest(pieces[1:], start + len(pieces[0]))
            if end is not None:
                return self._at(start, end, gaps=len(pieces) > 1)
            start = _first(pieces[0], self.folded, start + 1)
        return None

    def _end_of_rest(self, pieces: Sequence[str], end: int) -> int | None:
        for piece in pieces:
            place = _first(piece, self.folded, end)
            if place is None or place - end > _WIDEST_GAP:
                return None
            end = place + len(piece)
        return end

    def _at(self, start: int, end: int, *, gaps: bool) -> Quotation:
        first = max(0, bisect_right(self._starts, start) - 1)
        last = max(first, bisect_right(self._starts, max(start, end - 1)) - 1)
        return Quotation(
            sentences="".join(self._pieces[first : last + 1]),
            around="".join(self._pieces[max(0, first - 1) : last + 2]),
            gaps=gaps,
        )


def _first(needle: str, text: str, start: int) -> int | None:
    """Return the first place where a text holds another that begins and ends with no part of a number."""
    while (place := text.find(needle, start)) != -1:
        end = place + len(needle)
        inside = needle[0].isdigit() and _DIGIT_BEFORE.search(text[max(0, place - 2) : place])
        if not inside and not (needle[-1].isdigit() and _DIGIT_AFTER.match(text, end)):
            return place
        start = place + 1
    return None
