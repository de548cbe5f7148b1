"""One line of a request log: signals as ``SignalLog`` writes them, or a request with its texts."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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
_SIGNALS = (
    "retrieval_count",
    "retrieval_latency_ms",
    "top_similarity_score",
    "generation_latency_ms",
    "has_citation",
    "language_detected",
    "contains_hedging",
    "total_latency_ms",
)
_ID_KEYS = ("request_id", "question_id", "id")
_OTHERS = ("timestamp", "citations", "latency_ms", "error", "feedback", "feedback_category", "manifest")
_Line: Any = msgspec.defstruct(
    "Line",
    [
        (key, Any, None)
        for key in (*_SIGNALS, *_ID_KEYS, *_OTHERS, *CONDITIONS, *RESULT_KEYS, *ANSWER_KEYS, *QUESTION_KEYS)
    ],
)
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
        except msgspec.ValidationError:
            raise ValueError("is not a JSON object") from None
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
        if results is not None and not isinstance(results, list):
            raise ValueError("the results must be a list")
        if answer is not None and not isinstance(answer, str):
            raise ValueError("the answer must be text")
        score = _number(line, "top_similarity_score")
        count = _number(line, "retrieval_count", low=0)
        language = _text(line, "language_detected")
        if language is None and answer is not None:
            language = detect_language(answer)
        return QualitySignals(
            request_id=next(
                (str(found) for key in _ID_KEYS if (found := getattr(line, key)) is not None), ""
            ),
            retrieval_count=len(results)
            if count is None and results is not None
            else None
            if count is None
            else int(count),
            top_similarity_score=top_score(results) if score is None and results else score,
            response_length_chars=None if answer is None else len(answer),
            has_citation=self._cited(line, answer, language),
            language_detected=language,
            contains_hedging=self._hedges(line, answer, language),
        )

    def _cited(self, line: Any, answer: str | None, language: str | None) -> bool | None:  # noqa: ANN401 - as above
        said = _flag(line, "has_citation")
        if said is not None:
            return said
        if line.citations:
            return True
        if answer is None:
            return None if line.citations is None else False
        return self._phrases.has_citation(answer, language or "")

    def _hedges(self, line: Any, answer: str | None, language: str | None) -> bool | None:  # noqa: ANN401 - as above
        said = _flag(line, "contains_hedging")
        return said if said is not None or answer is None else self._phrases.has_hedge(answer, language or "")


def _latencies(line: Any) -> _Latencies:  # noqa: ANN401 - made by msgspec
    given = {stage: _number(line, f"{stage}_latency_ms", low=0) for stage in STAGES}
    table = line.latency_ms
    if isinstance(table, Mapping):
        for stage in STAGES:
            if given[stage] is None and table.get(stage) is not None:
                given[stage] = _checked(table[stage], f"latency_ms.{stage}", 0)
    elif table is not None and given["total"] is None:
        given["total"] = _checked(table, "latency_ms", 0)
    return {stage: value for stage, value in given.items() if value is not None}


def _thumbs_down(line: Any) -> str | None:  # noqa: ANN401 - made by msgspec
    said = line.feedback
    if said is None or not (said in _DOWN if isinstance(said, str) else said in (-1, False)):
        return None
    return line.feedback_category if isinstance(line.feedback_category, str) else "other"


def _number(line: Any, key: str, low: float | None = None) -> float | None:  # noqa: ANN401 - made by msgspec
    value = getattr(line, key)
    return None if value is None else _checked(value, key, low)


def _checked(value: object, key: str, low: float | None) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{key} must be a number, found {quoted(value)}")
    if low is not None and value < low:
        raise ValueError(f"{key} must not be negative, found {quoted(value)}")
    return float(value)


def _text(line: Any, key: str) -> str | None:  # noqa: ANN401 - made by msgspec
    value = getattr(line, key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} must be text, found {quoted(value)}")
    return value


def _flag(line: Any, key: str) -> bool | None:  # noqa: ANN401 - made by msgspec
    value = getattr(line, key)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false, found {quoted(value)}")
    return value
