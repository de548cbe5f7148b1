"""Light quality signals of one request: numbers and flags, never its texts."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rag_gate.monitoring.language import detect_language
from rag_gate.monitoring.phrases import Phrases
from rag_gate.monitoring.request import new_id

Detector = Callable[[str], str]
_OTHER_KEYS = ("similarity", "similarity_score", "relevance_score")
_KEYS = ("score", *_OTHER_KEYS)
_DEFAULT = Phrases()


@dataclass(frozen=True, slots=True)
class QualitySignals:
    """What is known of one request. None = not measured.

    Attributes:
        request_id: names the request in logs.
        retrieval_count: how many results were retrieved, from 0; None = nothing was looked for.
        retrieval_latency_ms: milliseconds, from 0.
        top_similarity_score: the best result's score on the retriever's own scale; None where there is no result, or none
            has a score.
        generation_latency_ms: milliseconds, from 0.
        response_length_chars: characters of the answer, from 0.
        has_citation: whether the answer cites a source.
        language_detected: ISO 639-1 code of the answer's language, ``und`` where it cannot be told.
        contains_hedging: whether the answer says that it is not sure.
    """

    request_id: str
    retrieval_count: int | None = None
    retrieval_latency_ms: float | None = None
    top_similarity_score: float | None = None
    generation_latency_ms: float | None = None
    response_length_chars: int | None = None
    has_citation: bool | None = None
    language_detected: str | None = None
    contains_hedging: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the signals as a JSON object."""
        return asdict(self)


def collect(  # noqa: PLR0913 - one per signal, by name
    *,
    request_id: str | None = None,
    retrieved: Sequence[Any] | None = None,
    retrieval_latency_ms: float | None = None,
    answer: str | None = None,
    generation_latency_ms: float | None = None,
    citations: Iterable[str] | None = None,
    phrases: Phrases = _DEFAULT,
    detector: Detector = detect_language,
) -> QualitySignals:
    """Measure one request. The texts are looked at and not kept.

    Args:
        request_id: names the request in logs; a random one by default.
        retrieved: the results: mappings or objects with a ``score``, pairs of result and score, or anything else
            (then there is no score). None = nothing was looked for.
        retrieval_latency_ms: how long retrieval took.
        answer: the whole answer; None = there was none.
        generation_latency_ms: how long it took to write.
        citations: sources that the bot itself names beside the answer.
        phrases: markers and phrases that count.
        detector: tells the language of a text.
    """
    language = None if answer is None else detector(answer)
    has_citation = contains_hedging = None
    if answer is not None and language is not None:
        named = citations is not None and any(True for _ in citations)
        has_citation = named or phrases.has_citation(answer, language)
        contains_hedging = phrases.has_hedge(answer, language)
    return QualitySignals(
        request_id=request_id or new_id(),
        retrieval_count=None if retrieved is None else len(retrieved),
        retrieval_latency_ms=_finite(retrieval_latency_ms),
        top_similarity_score=None if retrieved is None else top_score(retrieved),
        generation_latency_ms=_finite(generation_latency_ms),
        response_length_chars=None if answer is None else len(answer),
        has_citation=has_citation,
        language_detected=language,
        contains_hedging=contains_hedging,
    )


def top_score(retrieved: Iterable[Any]) -> float | None:
    """Return the largest score among results, None where none has one that is a finite number."""
    scores = [score for result in retrieved if (score := _score_of(result)) is not None]
    return max(scores, default=None)


def _score_of(result: object) -> float | None:
    if isinstance(result, tuple) and len(result) == 2:  # noqa: PLR2004 - a pair of result and score
        found: Any = result[1]
    elif isinstance(result, dict | Mapping):
        found = result.get("score")
        if found is None:
            found = next((result[key] for key in _OTHER_KEYS if result.get(key) is not None), None)
    else:
        found = next((value for key in _KEYS if (value := getattr(result, key, None)) is not None), None)
    if found is None or isinstance(found, bool | str):
        return None
    try:
        return _finite(float(found))  # numpy's numbers too
    except (TypeError, ValueError):
        return None


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
