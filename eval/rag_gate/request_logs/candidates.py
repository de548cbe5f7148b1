"""Candidates for the golden set: masked, unlike its cases and each other, and to be labelled by a person."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rag_gate.curation.copies import ALIKE
from rag_gate.curation.grams import grams, likeness, plain
from rag_gate.curation.near import rarest
from rag_gate.files import fingerprint
from rag_gate.masking import Masker
from rag_gate.monitoring.language import UNKNOWN, detect_language
from rag_gate.request_logs.suspects import Suspect

_TAG = "harvested"


class Known:
    """Questions that need no further case, found by the rare n-grams that they must share with one like them.

    Args:
        questions: what there is.
        expected: what will be asked for, so that it is known which n-grams are rare.
    """

    def __init__(self, questions: Iterable[str], expected: Iterable[str] = ()) -> None:
        sets = [grams(plain(question)) for question in questions]
        self._frequency = Counter(gram for own in sets for gram in own)
        self._frequency.update(gram for question in expected for gram in grams(plain(question)))
        self._index: dict[str, list[frozenset[str]]] = defaultdict(list)
        for own in sets:
            self._keep(own)

    def holds(self, question: str) -> bool:
        """Tell whether a question, or one like it, is there."""
        own = grams(plain(question))
        near = {other for gram in rarest(own, self._frequency, ALIKE) for other in self._index.get(gram, ())}
        return any(likeness(own, other) >= ALIKE for other in near)

    def add(self, question: str) -> None:
        """Remember a question."""
        self._keep(grams(plain(question)))

    def _keep(self, own: frozenset[str]) -> None:
        for gram in rarest(own, self._frequency, ALIKE):
            self._index[gram].append(own)


def candidates(found: Sequence[Suspect], known: Known, masker: Masker, most: int) -> Iterator[dict[str, Any]]:
    """Yield at most so many rows for a golden set, without personal data and secrets that the detectors know.

    A row lacks what only a person can say (the expected answer, the gold ids), so that a golden set with an unlabelled
    row is refused.
    """
    given = 0
    for suspect in found:
        if given == most:
            return
        texts = masker.for_one_text()
        for text in (suspect.question, suspect.answer or "", *suspect.retrieved, suspect.seen or ""):
            texts.learn(text)
        question = texts.mask(suspect.question)
        if known.holds(suspect.question) or known.holds(question):
            continue
        known.add(question)
        given += 1
        yield _row(suspect, question, texts)


def _row(suspect: Suspect, question: str, texts: Masker) -> dict[str, Any]:
    language = detect_language(question)
    evidence = texts.mask_tree(_evidence(suspect))
    return {
        "question_id": f"candidate-{fingerprint(question)[:10]}",
        "question": question,
        "expected_answer": None,
        "relevant_doc_ids": [],
        "category": None,
        "language": None if language == UNKNOWN else language,
        "tier": "extended",
        "tags": [_TAG],
        "candidate": {key: value for key, value in evidence.items() if value not in (None, [])},
    }


def _evidence(suspect: Suspect) -> dict[str, Any]:
    return {
        "reasons": sorted(suspect.reasons),
        "asked": suspect.asked,
        "feedback_category": suspect.category,
        "answer": suspect.answer,
        "retrieved": list(suspect.retrieved),
        "first_seen": suspect.seen,
    }
