"""Writing an answer from quoted sentences."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from support_bot.chunking import Chunk
from support_bot.settings import AnswerSettings
from support_bot.styles import Quote, write
from support_bot.words import holds_hiragana, is_code, is_japanese, sentences, terms

VERSION = "extractive-v1"
# A term counts in full where the sentence has it, and less where only its surroundings do.
_PARAGRAPH_WEIGHT = 0.5
_HEADING_WEIGHT = 0.35
_INFLECTED_WEIGHT = 0.5
# A further sentence is quoted only if it comes this near to the best one.
_NEAR_BEST = 0.5


@dataclass(frozen=True)
class Answer:
    """The text shown to the user and the documents it cites, each once, in order."""

    text: str
    citations: list[str]


class Answerer:
    """Chooses the sentences that best cover a question and writes them down."""

    def __init__(self, chunks: Iterable[Chunk], settings: AnswerSettings) -> None:
        self._settings = settings
        counts = Counter(
            term for chunk in chunks for sentence in sentences(chunk.passage) for term in set(terms(sentence))
        )
        total = max(counts.values(), default=0) + 1
        self._rarity = {term: math.log(1 + total / count) for term, count in counts.items()}
        self._unseen = math.log(1 + total / 0.5)

    def answer(self, question: str, retrieved: Sequence[Chunk]) -> Answer:
        """Answer from the retrieved chunks, or say that they do not hold the answer."""
        japanese = is_japanese(question)
        ranked = sorted(self._candidates(question, retrieved), key=lambda item: -item[0])
        best = ranked[0][0] if ranked and _codes_found(question, retrieved) else 0.0
        quotes: list[Quote] = []
        if best >= self._settings.min_overlap:
            near = [quote for score, quote in ranked if score >= best * _NEAR_BEST]
            quotes = near[: self._settings.sentences]
        citations = list(dict.fromkeys(quote.doc_id for quote in quotes))
        return Answer(text=write(quotes, self._settings.style, japanese=japanese), citations=citations)

    def _candidates(self, question: str, retrieved: Sequence[Chunk]) -> Iterator[tuple[float, Quote]]:
        """Yield (share of the question's weight that is covered, sentence), without repeats."""
        weights = {term: self._weight(term) for term in terms(question)}
        whole = sum(weights.values())
        seen: set[str] = set()
        for chunk in retrieved if whole else ():
            heading = set(terms(chunk.heading))
            for paragraph in chunk.passage.split("\n\n"):
                around = set(terms(paragraph))
                for sentence in sentences(paragraph):
                    if sentence in seen:
                        continue
                    seen.add(sentence)
                    own = set(terms(sentence))
                    covered = sum(
                        weight * _closeness(term, own, around, heading) for term, weight in weights.items()
                    )
                    yield covered / whole, Quote(sentence, chunk.doc_id)

    def _weight(self, term: str) -> float:
        """Rare terms count most; pieces of inflected Japanese words count half, unknown ones not at all."""
        if holds_hiragana(term):
            return self._rarity.get(term, 0.0) * _INFLECTED_WEIGHT
        return self._rarity.get(term, self._unseen)


def _codes_found(question: str, retrieved: Sequence[Chunk]) -> bool:
    """Tell whether every code asked about, such as ``E-402``, stands in a retrieved chunk."""
    found = {term for chunk in retrieved for term in terms(chunk.text)}
    return all(term in found for term in terms(question) if is_code(term))


def _closeness(term: str, own: set[str], around: set[str], heading: set[str]) -> float:
    if term in own:
        return 1.0
    if term in around:
        return _PARAGRAPH_WEIGHT
    return _HEADING_WEIGHT if term in heading else 0.0
