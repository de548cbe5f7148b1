"""The retrieved texts of one case, prepared once: sentences, their content units, values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag_gate.judge.numbers import extract_values
from rag_gate.judge.terms import Term, keys_of, normalised
from rag_gate.judge.values import ValueIndex
from rag_gate.wording.sentences import split_sentences


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
        self._keys: list[set[str]] = []
        self._whole: dict[str, int] = {}
        for number, text in enumerate(self.contexts):
            self._add_context(number, text)
        self.values.add(extract_values(also_known), also_known)

    def _add_context(self, number: int, text: str) -> None:
        self.values.add(extract_values(text), text)
        for span in split_sentences(text):
            at = len(self.pieces)
            self.pieces.append(Piece(number, span.start, span.end))
            plain = normalised(span.text)
            self._whole.setdefault(plain, at)
            self._keys.append(keys_of(plain))

    def verbatim(self, claim: str) -> int | None:
        """Return the sentence that equals the claim, if any."""
        return self._whole.get(normalised(claim))

    def best_window(self, terms: Sequence[Term]) -> Window | None:
        """Return the window of one or two sentences that holds most of the units.

        Each unit counts as often as the claim has it. Of equal windows one sentence wins over two,
        then the earlier one.
        """
        weights = Counter(term.key for term in terms)
        wanted = set(weights)
        hits = [wanted & keys for keys in self._keys]
        scores = [sum(weights[key] for key in found) for found in hits]
        best = Window(0, 0, 0)
        for at, score in enumerate(scores):
            if score > best.matched:
                best = Window(at, at, score)
        for at in range(len(hits) - 1):
            if scores[at] + scores[at + 1] > best.matched and self._are_neighbours(at):
                both = sum(weights[key] for key in hits[at] | hits[at + 1])
                if both > best.matched:
                    best = Window(at, at + 1, both)
        return best if best.matched else None

    def _are_neighbours(self, at: int) -> bool:
        return self.pieces[at].context == self.pieces[at + 1].context

    def passage(self, window: Window) -> Passage:
        """Return the window's text and place."""
        first, last = self.pieces[window.first], self.pieces[window.last]
        text = self.contexts[first.context][first.start : last.end]
        return Passage(first.context, first.start, last.end, text)
