"""The retrieved texts of one case, prepared once: sentences, their content units, values."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_gate.judge.numbers import extract_values
from rag_gate.judge.sentences import split_sentences
from rag_gate.judge.terms import Term, term_keys
from rag_gate.judge.values import ValueIndex
from rag_gate.text import normalise


@dataclass(frozen=True, slots=True)
class Piece:
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
        values: the values that they state, with those of ``also_known`` (the question).
    """

    def __init__(self, contexts: Sequence[str], also_known: str = "") -> None:
        self.contexts = tuple(contexts)
        self.pieces: list[Piece] = []
        self.values = ValueIndex()
        self._postings: dict[str, list[int]] = {}
        self._whole: dict[str, int] = {}
        for number, text in enumerate(self.contexts):
            self._add_context(number, text)
        self.values.add(extract_values(also_known), also_known)

    def _add_context(self, number: int, text: str) -> None:
        self.values.add(extract_values(text), text)
        for span in split_sentences(text):
            at = len(self.pieces)
            self.pieces.append(Piece(number, span.start, span.end))
            self._whole.setdefault(normalise(span.text), at)
            for key in term_keys(span.text):
                self._postings.setdefault(key, []).append(at)

    def verbatim(self, claim: str) -> int | None:
        """Return the sentence that equals the claim, if any."""
        return self._whole.get(normalise(claim))

    def best_window(self, terms: Sequence[Term]) -> Window | None:
        """Return the window of one or two sentences that holds most of the units.

        Each unit counts as often as the claim has it. Of equal windows one sentence wins over two,
        then the earlier one.
        """
        weights: dict[str, int] = {}
        for term in terms:
            weights[term.key] = weights.get(term.key, 0) + 1
        single: dict[int, int] = {}
        shared: dict[int, int] = {}
        for key, weight in weights.items():
            before = -2
            for at in self._postings.get(key, ()):
                single[at] = single.get(at, 0) + weight
                if before == at - 1:
                    shared[before] = shared.get(before, 0) + weight
                before = at
        return self._best(single, shared)

    def _best(self, single: dict[int, int], shared: dict[int, int]) -> Window | None:
        best: Window | None = None
        for at in sorted(single):
            if best is None or single[at] > best.matched:
                best = Window(at, at, single[at])
        if best is None:
            return None
        for at in sorted(single):
            if at + 1 in single and self.pieces[at].context == self.pieces[at + 1].context:
                both = single[at] + single[at + 1] - shared.get(at, 0)
                if both > best.matched:
                    best = Window(at, at + 1, both)
        return best

    def passage(self, window: Window) -> Passage:
        """Return the window's text and place."""
        first, last = self.pieces[window.first], self.pieces[window.last]
        text = self.contexts[first.context][first.start : last.end]
        return Passage(first.context, first.start, last.end, text)
