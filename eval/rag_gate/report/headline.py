"""The first screen: the outcome in one word, where to look, what it means for the pull request."""

from rag_gate.measures import DIMENSIONS, Dimension, measure_of
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown

_SYMBOLS = {
    "BLOCKED": "❌",
    "PASSED": "✅",
    "PASSED WITH WARNINGS": "✅",
    "INCONCLUSIVE": "⚠️",
    "NOT EVALUATED": "⚠️",
    "NEUTRAL": "⚪",
    "REGRESSED": "⚠️",
}
_NEXT = {
    "INCONCLUSIVE": "The check lets this pass, because a doubt does not fail it here; look at the cases below.",
    "NOT EVALUATED": "The check fails, because without a complete comparison there is no verdict.",
}
_DOUBT = "The check fails, because a doubt fails it here; more cases or a larger tolerance would settle it."


def outcome(verdict: Verdict) -> Markdown:
    """Return the outcome's name; a doubt that is not tolerated blocks."""
    if verdict.overall == "error":
        return Markdown("NOT EVALUATED")
    if verdict.overall == "pass" and verdict.neutral is not None:
        return Markdown("NEUTRAL")
    if verdict.overall == "regressed" and verdict.passed:
        return Markdown("REGRESSED")
    if verdict.overall == "regressed" or not verdict.passed:
        return Markdown("BLOCKED")
    if verdict.overall == "inconclusive":
        return Markdown("INCONCLUSIVE")
    noted = verdict.notices or verdict.slices or verdict.cases.unscored
    return Markdown("PASSED WITH WARNINGS" if noted else "PASSED")


def symbol(name: Markdown) -> Markdown:
    """Return the sign beside an outcome; it never stands alone."""
    return Markdown(_SYMBOLS[name])


def next_step(name: Markdown, verdict: Verdict) -> Markdown | None:
    """Return what the outcome means for the pull request, None where the outcome itself says it."""
    if verdict.neutral is not None:
        return None
    if name == "BLOCKED" and verdict.overall == "inconclusive":
        return Markdown(_DOUBT)
    return Markdown(_NEXT[name]) if name in _NEXT else None


def where(verdict: Verdict) -> Markdown | None:
    """Return the failing qualities, the first of them being the one that explains the others."""
    failing = verdict.failing_dimensions
    if verdict.overall == "inconclusive":
        found = {name for name, metric in verdict.metrics.items() if metric.verdict == "inconclusive"}
        doubtful = {measure.dimension for name in found if (measure := measure_of(name)) is not None}
        return _in_words([d for d in DIMENSIONS if d in doubtful], "perhaps ")
    return _in_words(failing) if verdict.overall == "regressed" else None


def _in_words(dimensions: list[Dimension], before: str = "") -> Markdown | None:
    if not dimensions:
        return None
    first, *others = dimensions
    return Markdown(f"{before}{first} (then {', '.join(others)})" if others else f"{before}{first}")
