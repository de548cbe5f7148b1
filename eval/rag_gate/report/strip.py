"""The counter strips: what was measured, and what became of the cases since the baseline."""

from rag_gate.records.results import Results, Status
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown
from rag_gate.report.rows import Counter
from rag_gate.report.words import Words

_FAILURES: tuple[Status, ...] = (
    "retrieval_failure",
    "generation_failure",
    "retrieval_and_generation_failure",
    "safety_failure",
)


def counters_of(results: Results, words: Words) -> tuple[Counter, ...]:
    """Return how many cases were measured, how it ended for them, and what it cost where no model was asked."""
    counts, statuses = results.counts, results.statuses
    total = counts.get("cases", len(results.cases))
    unscored = statuses.get("unscored", 0)
    failed = sum(statuses.get(status, 0) for status in _FAILURES)
    evidence = sum(case.answered_without_evidence for case in results.cases)
    strip = [
        _counter("strip.cases", total, words),
        _counter("strip.scored", total - unscored, words),
        *_if_any("strip.unscored", unscored, words),
        _counter("strip.errors", counts.get("error", 0), words),
        *_if_any("strip.missing", counts.get("missing", 0), words),
        _counter("strip.passed", statuses.get("passed", 0), words),
        Counter(failed, _failed(failed, statuses, words)),
        *_if_any("strip.without_evidence", evidence, words),
    ]
    if results.judging is None or not results.judging.models:
        strip.append(_counter("strip.no_model" if "judge" in results.stages else "strip.no_judge", 0, words))
    return tuple(strip)


def changes_of(verdict: Verdict, words: Words) -> tuple[Counter, ...]:
    """Return what became of the cases since the baseline; empty where no case was compared with it."""
    cases = verdict.cases
    if not cases.compared or not any(found.n_pairs for found in verdict.metrics.values()):
        return ()
    return (
        _counter("changes.newly_failing", len(cases.newly_failing), words),
        _counter("changes.fixed", len(cases.fixed), words),
        _counter("changes.still_failing", len(cases.still_failing), words),
        *_if_any("changes.added", len(cases.added), words),
        *_if_any("changes.removed", len(cases.removed), words),
        *_if_any("changes.edited", len(cases.edited), words),
    )


def _failed(failed: int, statuses: dict[Status, int], words: Words) -> Markdown:
    """Return ``9 failed (5 retrieval, 4 generation)``."""
    parts = [
        words("strip.part", count=count, cause=words(f"cause.{status}"))
        for status in _FAILURES
        if (count := statuses.get(status, 0))
    ]
    said = words("strip.failed", n=failed)
    return (
        words("strip.with_parts", said=said, parts=Markdown(words("list.comma").join(parts)))
        if parts
        else said
    )


def _counter(key: str, count: int, words: Words) -> Counter:
    return Counter(count, words(key, n=count))


def _if_any(key: str, count: int, words: Words) -> list[Counter]:
    return [_counter(key, count, words)] if count else []
