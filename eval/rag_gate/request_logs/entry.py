"""One line of a request log: signals as ``SignalLog`` writes them, or a request with its texts."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

import msgspec

from rag_gate.monitoring.language import detect_language
from rag_gate.monitoring.phrases import Phrases
from rag_gate.monitoring.signals import QualitySignals, top_score
from rag_gate.records.run import ANSWER_KEYS, ID_LISTS, TEXT_LISTS
from rag_gate.text import quoted

RESULT_KEYS = (*ID_LISTS, *TEXT_LISTS)
QUESTION_KEYS = ("question", "user_input", "query", "input")
CONDITIONS = ("model", "prompt_version", "index_embedding_model", "query_embedding_model")
STAGES = ("retrieval", "generation", "total")
_Milliseconds = Annotated[float, msgspec.Meta(ge=0)]
_SIGNALS: Mapping[str, Any] = {
    "retrieval_count": Annotated[int, msgspec.Meta(ge=0)] | None,
    "retrieval_latency_ms": _Milliseconds | None,
    "top_similarity_score": float | None,
    "generation_latency_ms": _Milliseconds | None,
    "has_citation": bool | None,
    "language_detected": str | None,
    "contains_hedging": bool | None,
    "total_latency_ms": _Milliseconds | None,
}
_ID_KEYS = ("request_id", "question_id", "id")
_OTHERS = ("timestamp", "citations", "error", "feedback", "feedback_category", "manifest")
_TYPES: Mapping[str, Any] = {
    **_SIGNALS,
    **dict.fromkeys((*_ID_KEYS, *_OTHERS, *CONDITIONS, *QUESTION_KEYS), Any),
    **dict.fromkeys(RESULT_KEYS, list[Any] | None),
    **dict.fromkeys(ANSWER_KEYS, str | None),
    "latency_ms": _Milliseconds | dict[str, Any] | None,
}
_Line: Any = msgspec.defstruct("Line", [(key, kind, None) for key, kind in _TYPES.items()])
_decode: Callable[[bytes], Any] = msgspec.json.Decoder(_Line).decode
_DOWN = frozenset({"down", "thumbs_down", "negative", "bad"})
_Latencies = dict[str, float]


class Entry(NamedTuple):
    """What a line says.

    Attributes:
        signals: of the request; None where the line is feedback alone or an error.
        latency_ms: stage -> milliseconds.
        is_error: whether the request failed in the bot.
        thumbs_down: category, where the user marked the answer as bad.
        line: everything, for those who look for more.
    """

    signals: QualitySignals | None
    latency_ms: _Latencies
    is_error: bool
    thumbs_down: str | None
    line: Any


class Reader:
    """Reads lines with the markers and phrases of the settings."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases

    def read(self, raw: bytes) -> Entry | None:
        """Return what a line says; None for the manifest of a recorded run.

        Raises:
            ValueError: saying what is wrong with the line.
        """
        try:
            line = _decode(raw)
        except msgspec.ValidationError as error:
            what, _, key = str(error).replace("`", "").partition(" - at $.")
            raise ValueError(
                f"{key}: {what[:1].lower()}{what[1:]}" if key else "is not a JSON object"
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"is not valid JSON ({error})") from None
        if line.manifest is not None:
            return None
        down = _thumbs_down(line)
        if line.error:
            return Entry(None, {}, True, down, line)  # noqa: FBT003 - a record
        signals = self._signals(line)
        known = signals is not None
        if not known and down is None:
            raise ValueError("holds no signal, answer, results or feedback")
        return Entry(signals, _latencies(line) if known else {}, False, down, line)  # noqa: FBT003 - a record

    def _signals(self, line: Any) -> QualitySignals | None:  # noqa: ANN401 - made by msgspec
        results = next((found for key in RESULT_KEYS if (found := getattr(line, key)) is not None), None)
        answer = next((found for key in ANSWER_KEYS if (found := getattr(line, key)) is not None), None)
        if results is None and answer is None and all(getattr(line, key) is None for key in _SIGNALS):
            return None
        language, score, count = line.language_detected, line.top_similarity_score, line.retrieval_count
        if language is None and answer is not None:
            language = detect_language(answer)
        if results is not None:
            count = len(results) if count is None else count
            score = top_score(results) if score is None else score
        return QualitySignals(
            request_id=next(
                (str(found) for key in _ID_KEYS if (found := getattr(line, key)) is not None), ""
            ),
            retrieval_count=count,
            top_similarity_score=score,
            response_length_chars=None if answer is None else len(answer),
            has_citation=self._cited(line, answer, language),
            language_detected=language,
            contains_hedging=self._hedges(line, answer, language),
        )

    def _cited(self, line: Any, answer: str | None, language: str | None) -> bool | None:  # noqa: ANN401 - as above
        said: bool | None = line.has_citation
        if said is not None:
            return said
        if line.citations:
            return True
        if answer is None:
            return None if line.citations is None else False
        return self._phrases.has_citation(answer, language or "")

    def _hedges(self, line: Any, answer: str | None, language: str | None) -> bool | None:  # noqa: ANN401 - as above
        said: bool | None = line.contains_hedging
        return said if said is not None or answer is None else self._phrases.has_hedge(answer, language or "")


def _latencies(line: Any) -> _Latencies:  # noqa: ANN401 - made by msgspec
    given: dict[str, float | None] = {
        "retrieval": line.retrieval_latency_ms,
        "generation": line.generation_latency_ms,
        "total": line.total_latency_ms,
    }
    table = line.latency_ms
    if isinstance(table, float):
        given["total"] = table if given["total"] is None else given["total"]
    elif table is not None:
        given |= {
            stage: _checked(table[stage], stage)
            for stage in STAGES
            if given[stage] is None and stage in table
        }
    return {stage: value for stage, value in given.items() if value is not None}


def _checked(value: object, stage: str) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and value >= 0):
        return value
    raise ValueError(f"latency_ms.{stage}: must be a number that is not negative, found {quoted(value)}")


def _thumbs_down(line: Any) -> str | None:  # noqa: ANN401 - made by msgspec
    said = line.feedback
    if said is None or not (said in _DOWN if isinstance(said, str) else said in (-1, False)):
        return None
    return line.feedback_category if isinstance(line.feedback_category, str) else "other"
