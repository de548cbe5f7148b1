"""The retrieved texts of one case, prepared once: sentences, their content units, values."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rag_gate.judge.kana import one_spelling
from rag_gate.judge.numbers import value_index
from rag_gate.judge.terms import Term, match_key, match_keys, normalised, plain_pieces
from rag_gate.judge.values import ValueIndex
from rag_gate.wording.markers import blank_citations
from rag_gate.wording.sentences import split_sentences

#: What becomes ASCII letters in no other way than by folding its case.
_SHARP_S = re.compile("[ßẞ]")


class Piece(NamedTuple):
    """One sentence of a context."""

    context: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Window:
    """One or two neighbouring sentences of a context and the share of a claim that they hold."""

    first: int
    last: int
    matched: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a context, word for word."""

    context: int
    start: int
    end: int
    text: str


class Evidence:
    """Contexts ready to be compared with any number of claims.

    Attributes:
        contexts: the texts as given.
        pieces: their sentences, in order.
        also_known: what an answer may repeat without evidence: the question.
    """

    def __init__(self, contexts: Sequence[str], also_known: str = "") -> None:
        self.contexts = tuple(contexts)
        self.pieces: list[Piece] = []
        self.also_known = also_known
        self._keys: list[set[str]] = []
        for number, text in enumerate(self.contexts):
            self._add_context(number, text)

    def _add_context(self, number: int, text: str) -> None:
        spans = split_sentences(text)
        self.pieces.extend(Piece(number, span.start, span.end) for span in spans)
        self._keys.extend(map(match_keys, plain_pieces(text, spans)))

    @cached_property
    def values(self) -> ValueIndex:
        """The values that the contexts and ``also_known`` (the question) state."""
        return value_index((*self.contexts, self.also_known))

    def verbatim(self, claim: str) -> int | None:
        """Return the sentence that equals the claim, if any."""
        plain = normalised(claim)
        keys = match_keys(plain)
        same = (at for at, held in enumerate(self._keys) if held == keys)
        return next((at for at in same if normalised(self._text(self.pieces[at])) == plain), None)

    def best_window(self, terms: Sequence[Term]) -> Window | None:
        """Return the window of one or two sentences that holds most of the units.

        Each unit counts as often as the claim has it. Of equal windows one sentence wins over two, then
        the shorter text, then the one that sorts first: the order of the contexts plays no part.
        """
        weights = Counter(match_key(term.key) for term in terms)
        hits = self.hits(weights)
        scores = [sum(weights[key] for key in found) for found in hits]
        single = max(scores, default=0)
        found = [Window(at, at, score) for at, score in enumerate(scores) if score == single]
        pairs = [
            Window(at, at + 1, sum(weights[key] for key in hits[at] | hits[at + 1]))
            for at in range(len(hits) - 1)
            if scores[at] + scores[at + 1] > single and self._are_neighbours(at)
        ]
        double = max((window.matched for window in pairs), default=0)
        if double > single:
            found = [window for window in pairs if window.matched == double]
        return min(found, key=self._preference) if single else None

    def _preference(self, window: Window) -> tuple[int, str]:
        text = self.passage(window).text
        return len(text), text

    def hits(self, keys: Collection[str]) -> list[set[str]]:
        """Return for each sentence which of the keys (see `match_key`) it holds."""
        wanted = set(keys)
        return [wanted & held for held in self._keys]

    def mentions(self, name: str) -> bool:
        """Tell whether some context or ``also_known`` holds the name (see `name_key`), as part of a longer word too."""
        if self._lowered is not None and name.isascii() and name.isalnum():
            return name in self._lowered
        return name in self._searchable

    @cached_property
    def _lowered(self) -> str | None:
        """The texts in lower case, where that is all that ASCII letters and digits in them need; None elsewhere."""
        texts = (*self.contexts, self.also_known)
        if not all(unicodedata.is_normalized("NFKC", text) for text in texts):
            return None
        joined = "\n".join(map(blank_citations, texts))
        return None if _SHARP_S.search(joined) else joined.lower()

    @cached_property
    def _searchable(self) -> str:
        return one_spelling("\n".join(map(normalised, (*self.contexts, self.also_known))))

    def _are_neighbours(self, at: int) -> bool:
        return self.pieces[at].context == self.pieces[at + 1].context

    def sentences(self, window: Window) -> list[str]:
        """Return the window's sentences one by one."""
        return [self._text(piece) for piece in self.pieces[window.first : window.last + 1]]

    def _text(self, piece: Piece) -> str:
        return self.contexts[piece.context][piece.start : piece.end]

    def passage(self, window: Window) -> Passage:
        """Return the window's text and place."""
        first, last = self.pieces[window.first], self.pieces[window.last]
        text = self.contexts[first.context][first.start : last.end]
        return Passage(first.context, first.start, last.end, text)
