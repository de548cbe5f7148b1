"""The first screen: the outcome in one word, where to look, what it means for the pull request."""

from typing import Literal

from rag_gate.measures import DIMENSIONS, Dimension, measure_of
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown
from rag_gate.report.words import IN_ENGLISH, Words

Outcome = Literal[
    "blocked", "passed", "passed_with_warnings", "inconclusive", "not_evaluated", "neutral", "regressed"
]
_SYMBOLS: dict[Outcome, str] = {
    "blocked": "❌",
    "passed": "✅",
    "passed_with_warnings": "✅",
    "inconclusive": "⚠️",
    "not_evaluated": "⚠️",
    "neutral": "⚪",
    "regressed": "⚠️",
}


def outcome_of(verdict: Verdict) -> Outcome:
    """Return the outcome; a doubt that is not tolerated blocks."""
    if verdict.overall == "error":
        return "not_evaluated"
    if verdict.overall == "pass" and verdict.neutral is not None:
        return "neutral"
    if verdict.overall == "regressed" and verdict.passed:
        return "regressed"
    if verdict.overall == "regressed" or not verdict.passed:
        return "blocked"
    if verdict.overall == "inconclusive":
        return "inconclusive"
    noted = verdict.notices or verdict.slices or verdict.cases.unscored
    return "passed_with_warnings" if noted else "passed"


def outcome(verdict: Verdict, words: Words = IN_ENGLISH) -> Markdown:
    """Return the outcome's name."""
    return words(f"outcome.{outcome_of(verdict)}")


def symbol(found: Outcome) -> Markdown:
    """Return the sign beside an outcome; it never stands alone."""
    return Markdown(_SYMBOLS[found])


def next_step(found: Outcome, verdict: Verdict, words: Words) -> Markdown | None:
    """Return what the outcome means for the pull request, None where the outcome itself says it."""
    if verdict.neutral is not None:
        return None
    if found == "passed_with_warnings":
        return words("next.passed_with_warnings", parts=_warnings(verdict, words))
    if found == "blocked" and verdict.overall == "inconclusive":
        return words("next.doubt_fails")
    return words(f"next.{found}") if found in {"inconclusive", "not_evaluated"} else None


def _warnings(verdict: Verdict, words: Words) -> Markdown:
    """Return how many warnings of each kind there are."""
    counts = (
        ("warnings.notices", len(verdict.notices)),
        ("warnings.slices", len(verdict.slices)),
        ("warnings.unscored", len(verdict.cases.unscored)),
    )
    return Markdown(words("list.comma").join(words(key, n=count) for key, count in counts if count))


def where(verdict: Verdict, words: Words) -> Markdown | None:
    """Return the failing qualities, the first of them being the one that explains the others."""
    if verdict.overall == "inconclusive":
        found = {name for name, metric in verdict.metrics.items() if metric.verdict == "inconclusive"}
        doubtful = {measure.dimension for name in found if (measure := measure_of(name)) is not None}
        named = _in_words([d for d in DIMENSIONS if d in doubtful], words)
        return None if named is None else words("where.perhaps", where=named)
    return _in_words(verdict.failing_dimensions, words) if verdict.overall == "regressed" else None


def _in_words(dimensions: list[Dimension], words: Words) -> Markdown | None:
    if not dimensions:
        return None
    first, *others = (words(f"dimension.{name}") for name in dimensions)
    if not others:
        return first
    return words("where.then", first=first, others=Markdown(words("list.and_so_on").join(others)))
