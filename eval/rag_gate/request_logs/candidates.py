"""Candidates for the golden set: masked, unlike its cases and each other, and to be labelled by a person."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rag_gate.curation.copies import ALIKE
from rag_gate.curation.grams import grams, likeness, plain
from rag_gate.files import fingerprint
from rag_gate.masking import Masker
from rag_gate.monitoring.language import UNKNOWN, detect_language
from rag_gate.request_logs.suspects import Suspect

_TAG = "harvested"


class Known:
    """Questions that need no further case."""

    def __init__(self, questions: Iterable[str]) -> None:
        self._known = [grams(plain(question)) for question in questions]

    def holds(self, question: str) -> bool:
        """Tell whether a question, or one like it, is there."""
        own = grams(plain(question))
        return any(likeness(own, theirs) >= ALIKE for theirs in self._known)

    def add(self, question: str) -> None:
        """Remember a question."""
        self._known.append(grams(plain(question)))


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
        for text in (suspect.question, suspect.answer or ""):
            texts.learn(text)
        question = texts.mask(suspect.question)
        if known.holds(suspect.question) or known.holds(question):
            continue
        known.add(question)
        given += 1
        yield _row(suspect, question, None if suspect.answer is None else texts.mask(suspect.answer))


def _row(suspect: Suspect, question: str, answer: str | None) -> dict[str, Any]:
    language = detect_language(question)
    evidence = {
        "reasons": sorted(suspect.reasons),
        "asked": suspect.asked,
        "feedback_category": suspect.category,
        "answer": answer,
        "retrieved": list(suspect.retrieved),
        "first_seen": suspect.seen,
    }
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
