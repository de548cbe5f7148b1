"""Requests that deserve a golden case: users complained, or their signals are odd."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.errors import ConfigError
from rag_gate.monitoring.metrics import OTHER
from rag_gate.records.run import ANSWER_KEYS, TEXT_LISTS
from rag_gate.request_logs.entry import QUESTION_KEYS, RESULT_KEYS, Entry
from rag_gate.request_logs.observing import Observation
from rag_gate.request_logs.reading import STANDARD_INPUT
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
_LARGEST_ID = 10**40
#: Characters of a question that may become a case, of an answer that is kept as evidence, and of an id.
LONGEST_QUESTION, _LONGEST_ANSWER, _LONGEST_ID = 4_000, 4_000, 200


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
        without_question: odd requests whose log line holds no question, or one beyond 4,000 characters.
        observation: of all lines.
    """

    found: list[Suspect]
    without_question: int
    observation: Observation


def suspects(logs: Sequence[str], config: MonitoringConfig) -> Suspects:
    """Read logs twice: first what users complained about and what scores are usual, then the questions.

    At most some thousand suspects are kept at a time, the most urgent ones.

    Raises:
        ConfigError: if a log can be read only once.
        InputError: if a file cannot be read.
    """
    _refuse_streams(logs)
    first, complaints = Observation(config), {}
    for _, entry in first.entries(logs):
        first.add(entry)
        if entry.thumbs_down is not None and (name := _id_of(entry.line)) is not None:
            complaints[name] = entry.thumbs_down
    low = _low(first)
    pool: dict[str, Suspect] = {}
    without = 0
    for where, entry in Observation(config).entries(logs):
        category = entry.thumbs_down or complaints.get(_id_of(entry.line) or "")
        reasons = set(_reasons(entry, low, complained=category is not None))
        if not reasons or (entry.signals is None and not entry.is_error):
            continue
        question = _first_text(entry.line, QUESTION_KEYS)
        if category not in (None, *config.feedback_categories):
            category = OTHER
        if question is None or len(question) > LONGEST_QUESTION:
            without += 1
            continue
        _add(pool, Suspect(question, where=where, category=category, reasons=reasons), entry)
        if len(pool) > 2 * _POOL:
            pool = {key: pool[key] for key in sorted(pool, key=lambda key: pool[key].weight)[_POOL:]}
    return Suspects(_sorted(pool.values()), without, first)


def _refuse_streams(logs: Sequence[str]) -> None:
    for name in logs:
        if name == STANDARD_INPUT or (Path(name).exists() and not Path(name).is_file()):
            raise ConfigError(f"{name}: logs are read twice, and this can be read once only; give a file")


def _id_of(line: Any) -> str | None:  # noqa: ANN401 - made by msgspec
    """Return what names a request, if that is a text or a whole number of usual size."""
    found = line.request_id
    if isinstance(found, str):
        return found[:_LONGEST_ID]
    return str(found) if isinstance(found, int) and abs(found) < _LARGEST_ID else None


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
        answer = _first_text(entry.line, ANSWER_KEYS)
        kept.answer = answer and answer[:_LONGEST_ANSWER]
        kept.retrieved = tuple(_ids(entry.line))


def _first_text(line: Any, keys: Sequence[str]) -> str | None:  # noqa: ANN401 - made by msgspec
    found = (getattr(line, key) for key in keys)
    return next((value for value in found if isinstance(value, str) and value.strip()), None)


def _ids(line: Any) -> Iterator[str]:  # noqa: ANN401 - made by msgspec
    key = next((key for key in RESULT_KEYS if getattr(line, key) is not None), None)
    for result in () if key is None else getattr(line, key)[:20]:
        # A bare text in a list of contexts is a document, not its id.
        found = result.get("id") if isinstance(result, dict) else None if key in TEXT_LISTS else result
        if isinstance(found, str) or (isinstance(found, int) and abs(found) < _LARGEST_ID):
            yield str(found)[:_LONGEST_ID]
