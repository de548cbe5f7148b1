"""Adding up the signals of a log, in one pass and little memory."""

from collections import Counter
from collections.abc import Iterable, Iterator

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.monitoring.phrases import Phrases
from rag_gate.records.monitor import Signals
from rag_gate.request_logs.entry import CONDITIONS, STAGES, Entry, Reader
from rag_gate.request_logs.reading import BadLines, log_lines
from rag_gate.request_logs.sketch import Sketch

#: No log may make the result large: values beyond so many kinds count together.
_MOST_KINDS = 50
_REST = "other"


class Observation:
    """What was seen so far.

    Attributes:
        bad: lines that could not be read.
        lines: all lines.
    """

    def __init__(self, config: MonitoringConfig) -> None:
        self._reader = Reader(Phrases(config))
        self._categories = frozenset(config.feedback_categories)
        self.bad, self.lines = BadLines(), 0
        self._counts: Counter[str] = Counter()
        self._thumbs: Counter[str] = Counter()
        self._languages: Counter[str] = Counter()
        self._conditions: dict[str, Counter[str]] = {name: Counter() for name in CONDITIONS}
        self.scores = Sketch()
        self.latencies = {stage: Sketch() for stage in STAGES}

    def entries(self, paths: Iterable[str]) -> Iterator[tuple[str, Entry]]:
        """Yield (file:line, entry) of all readable lines, and count the others.

        Raises:
            InputError: if a file cannot be read.
        """
        for where, raw in log_lines(paths):
            self.lines += 1
            try:
                entry = self._reader.read(raw)
            except ValueError as error:
                self.bad.add(where, str(error))
                continue
            if entry is not None:
                yield where, entry

    def add(self, entry: Entry) -> None:
        """Count a request."""
        if entry.thumbs_down is not None:
            known = entry.thumbs_down in self._categories
            self._thumbs[entry.thumbs_down if known else _REST] += 1
        if entry.is_error:
            self._counts["errors"] += 1
        signals = entry.signals
        if signals is None:
            return
        counts = self._counts
        counts["requests"] += 1
        if signals.retrieval_count is not None:
            counts["retrievals"] += 1
            counts["empty"] += signals.retrieval_count == 0
        if signals.has_citation is not None:
            counts["answers"] += 1
            counts["cited"] += signals.has_citation
        if signals.contains_hedging is not None:
            counts["hedge_known"] += 1
            counts["hedging"] += signals.contains_hedging
        if signals.top_similarity_score is not None:
            self.scores.add(signals.top_similarity_score)
        if signals.language_detected is not None:
            _count(self._languages, signals.language_detected)
        for stage, value in entry.latency_ms.items():
            self.latencies[stage].add(value)
        self._note_conditions(entry)

    def _note_conditions(self, entry: Entry) -> None:
        for name, seen in self._conditions.items():
            value = getattr(entry.line, name)
            if isinstance(value, str):
                _count(seen, value[:200])

    def result(self) -> Signals:
        """Return what was seen."""
        return Signals(
            **{name: self._counts[name] for name in _COUNTS},
            bad_lines=self.bad.count,
            thumbs_down=dict(sorted(self._thumbs.items())),
            languages=dict(self._languages.most_common()),
            top_similarity=self.scores.pairs(),
            latency_ms={stage: sketch.pairs() for stage, sketch in self.latencies.items() if sketch.bins},
            conditions={
                name: [value for value, _ in seen.most_common()]
                for name, seen in self._conditions.items()
                if seen
            },
        )


_COUNTS = ("requests", "errors", "retrievals", "empty", "answers", "cited", "hedge_known", "hedging")


def _count(counter: Counter[str], value: str) -> None:
    counter[value if value in counter or len(counter) < _MOST_KINDS else _REST] += 1


def observe(paths: Iterable[str], config: MonitoringConfig) -> Observation:
    """Read logs and add up their signals.

    Raises:
        InputError: if a file cannot be read.
    """
    seen = Observation(config)
    for _, entry in seen.entries(paths):
        seen.add(entry)
    return seen
