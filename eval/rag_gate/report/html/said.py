"""What the page says in the words of the comment: the one place where the two meet."""

from collections.abc import Callable, Mapping

from rag_gate.config_models import Language
from rag_gate.measures import Direction
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report import headline, numbers, provenance
from rag_gate.report.metric_rows import is_share, unit_of
from rag_gate.report.origin import Origin
from rag_gate.report.reasons import success_of, why_failed
from rag_gate.report.why import why
from rag_gate.report.words import words_of

Fact = tuple[str, str]


class Said:
    """Sentences and numbers of the comment as plain text.

    Args:
        language: of the reader.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self._words = words_of(language)

    def outcome(self, verdict: Verdict) -> str:
        """Return the outcome in capitals, as in ``BLOCKED``."""
        return str(headline.outcome(verdict, self._words))

    def summary(self, verdict: Verdict) -> str:
        """Return the verdict in one sentence."""
        return why(verdict, self._words)

    def sentences(self, texts: list[str]) -> list[str]:
        """Return sentences of the verdict in the reader's language."""
        return [self._words.sentence(text) for text in texts]

    def why(self, results: Results) -> Callable[[CaseResult], str]:
        """Return what tells of a case why it failed."""
        success = success_of(results)
        return lambda case: why_failed(case, success, self._words)

    def facts(self, results: Results | Mapping[str, float | None], verdict: Verdict) -> list[Fact]:
        """Return where the numbers come from."""
        rows = provenance.facts(results, verdict, Origin(), self._words).rows
        return [(row.name, f"{row.value} ({row.note})" if row.note else row.value) for row in rows]

    def number(self, value: float, metric: str) -> str:
        """Return a score with its unit."""
        return str(numbers.number(value, unit_of(metric)))

    def change(
        self, delta: float, direction: Direction, tolerance: float | None, *, beyond: bool | None
    ) -> str:
        """Return how a mean moved, with its sign."""
        return str(numbers.change(delta, direction, tolerance, beyond=beyond))

    def interval(self, low: float, high: float, direction: Direction, metric: str) -> str:
        """Return the interval of a metric's change."""
        return str(numbers.interval(low, high, direction, of_share=is_share(metric)))

    def exact(self, value: float) -> str:
        """Return a setting as it was written."""
        return str(numbers.exact(value))

    def unit(self, metric: str) -> str:
        """Return the unit in which a metric is measured."""
        return unit_of(metric)
