"""Requests that deserve a golden case: users complained, or their signals are odd."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.request_logs.entry import QUESTION_KEYS, RESULT_KEYS, Entry
from rag_gate.request_logs.observing import Observation
from rag_gate.request_logs.sketch import BIN_WIDTH
from rag_gate.text import normalise

#: Reason -> how much it speaks for a case.
REASONS = {
    "thumbs_down": 8,
    "nothing_retrieved": 4,
    "low_similarity": 2,
    "hedging": 1,
    "no_citation": 1,
}
_LOW = 0.05
_POOL = 5_000


@dataclass
class Suspect:
    """A question with what speaks for it.

    Attributes:
        question: as it was first asked.
        asked: how often.
        reasons: what was odd, each once.
        category: of the first thumbs-down.
        answer: the bot's, to the first of these requests that has one.
        retrieved: ids of what it retrieved then.
        seen: time of the first of these requests, as in the log.
        where: file and line.
    """

    question: str
    asked: int = 0
    reasons: set[str] = field(default_factory=set)
    category: str | None = None
    answer: str | None = None
    retrieved: tuple[str, ...] = ()
    seen: str | None = None
    where: str = ""

    @property
    def weight(self) -> tuple[int, int]:
        """What orders suspects: reasons first, then how often the question was asked."""
        return sum(REASONS[reason] for reason in self.reasons), self.asked


@dataclass
class Suspects:
    """All suspects of some logs.

    Attributes:
        found: the suspects, the most urgent first.
        without_question: odd requests whose log line holds no question.
        observation: of all lines.
    """

    found: list[Suspect]
    without_question: int
    observation: Observation


def suspects(logs: Sequence[str], config: MonitoringConfig) -> Suspects:
    """Read logs twice: first what users complained about and what scores are usual, then the questions.

    At most some thousand suspects are kept at a time, the most urgent ones.

    Raises:
        InputError: if a file cannot be read.
    """
    first, complaints = Observation(config), {}
    for _, entry in first.entries(logs):
        first.add(entry)
        if entry.thumbs_down is not None and entry.line.request_id is not None:
            complaints[str(entry.line.request_id)] = entry.thumbs_down
    low = _low(first)
    pool: dict[str, Suspect] = {}
    without = 0
    for where, entry in Observation(config).entries(logs):
        category = entry.thumbs_down or complaints.get(str(entry.line.request_id))
        reasons = set(_reasons(entry, low, complained=category is not None))
        if not reasons or (entry.signals is None and not entry.is_error):
            continue
        question = _first_text(entry.line, QUESTION_KEYS)
        if question is None:
            without += 1
            continue
        _add(pool, Suspect(question, where=where, category=category, reasons=reasons), entry)
        if len(pool) > 2 * _POOL:
            pool = {key: pool[key] for key in sorted(pool, key=lambda key: pool[key].weight)[_POOL:]}
    return Suspects(_sorted(pool.values()), without, first)


def _low(seen: Observation) -> float | None:
    """Return the score below which one is unusually low: below the bin that holds the 5th percentile."""
    quantile = seen.scores.quantile(_LOW)
    return None if quantile is None else quantile - BIN_WIDTH * abs(quantile)


def _sorted(found: Any) -> list[Suspect]:  # noqa: ANN401 - any collection of suspects
    return sorted(found, key=lambda item: (-item.weight[0], -item.weight[1], item.question))


def _reasons(entry: Entry, low: float | None, *, complained: bool) -> Iterator[str]:
    if complained:
        yield "thumbs_down"
    signals = entry.signals
    if signals is None:
        return
    if signals.retrieval_count == 0:
        yield "nothing_retrieved"
    if low is not None and signals.top_similarity_score is not None and signals.top_similarity_score < low:
        yield "low_similarity"
    if signals.contains_hedging:
        yield "hedging"
    if signals.has_citation is False:
        yield "no_citation"


def _add(pool: dict[str, Suspect], new: Suspect, entry: Entry) -> None:
    kept = pool.setdefault(normalise(new.question), new)
    kept.asked += 1
    kept.reasons |= new.reasons
    kept.category = kept.category or new.category
    if kept.seen is None and isinstance(entry.line.timestamp, str):
        kept.seen = entry.line.timestamp[:40]
    if kept.answer is None:
        kept.answer = _first_text(entry.line, ("answer", "actual", "response", "actual_output"))
        kept.retrieved = tuple(_ids(entry.line))


def _first_text(line: Any, keys: Sequence[str]) -> str | None:  # noqa: ANN401 - made by msgspec
    found = (getattr(line, key) for key in keys)
    return next((value for value in found if isinstance(value, str) and value.strip()), None)


def _ids(line: Any) -> Iterator[str]:  # noqa: ANN401 - made by msgspec
    results = next((found for key in RESULT_KEYS if (found := getattr(line, key)) is not None), ())
    for result in results[:20]:
        found = result.get("id") if isinstance(result, dict) else result
        if isinstance(found, str | int):
            yield str(found)
