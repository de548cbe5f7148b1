"""The verdict in one sentence, in the reader's language. In English it is the one of the verdict itself."""

from collections.abc import Sequence

from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Change, Verdict
from rag_gate.regression.sentences import more_than, named, short_value
from rag_gate.report.words import Words

_SMALL_P = 0.001


def why(verdict: Verdict, words: Words) -> str:
    """Return the verdict in one sentence; it may name untrusted ids and is escaped where it is written."""
    if words.language == "en":
        return verdict.summary
    if verdict.overall == "error" and verdict.problems:
        return words.plain("why.error", problem=words.sentence(verdict.problems[0]))
    return derived(verdict, words) if verdict.metrics else words.sentence(verdict.summary)


def derived(verdict: Verdict, words: Words) -> str:
    """Return the sentence of a run that was judged, made from the same numbers as the verdict's own."""
    if verdict.overall == "regressed":
        parts = [_regression(row, verdict, words) for row in verdict.regressions]
        return _joined("why.regression", parts, words)
    if verdict.overall == "inconclusive":
        doubtful = {name: found for name, found in verdict.metrics.items() if found.verdict == "inconclusive"}
        parts = [_doubt(name, found, words) for name, found in doubtful.items()]
        return _joined("why.inconclusive", parts, words)
    if all("no_baseline" in found.reasons for found in verdict.metrics.values() if found.kind == "soft"):
        return words("why.no_baseline")
    return words("why.no_regression", n=len(verdict.metrics))


def _joined(key: str, parts: Sequence[str], words: Words) -> str:
    return words.plain(key, parts=words("why.join").join(parts))


def _regression(row: Change, verdict: Verdict, words: Words) -> str:
    found = verdict.metrics.get(row.metric)
    if row.reason == "lost_must_pass" or found is None:
        return words.plain("why.must_pass", ids=_ids(verdict.cases.lost_must_pass, words))
    if row.reason == "zero_tolerance":
        if not found.failing:
            return words.plain("why.zero_value", metric=row.metric, value=short_value(row.current))
        return words.plain(
            "why.zero_failing", metric=row.metric, n=len(found.failing), ids=_ids(found.failing, words)
        )
    if row.reason == "below_floor":
        value = short_value(found.mean_current_all)
        return words.plain("why.below_floor", metric=row.metric, value=value, floor=str(found.floor))
    sure = words.plain("why.sure", p=_p(found.p_adj)) if found.p_adj is not None else ""
    return words.plain(
        "why.beyond", moved=_moved(row.metric, found, words), tolerance=f"{row.tolerance or 0.0:g}", sure=sure
    )


def _doubt(name: str, found: MetricVerdict, words: Words) -> str:
    if "missing_could_flip" in found.reasons:
        return words.plain("why.missing_could_flip", metric=name, n=len(found.missing_current))
    if "aggregate_baseline" in found.reasons:
        return words.plain("why.aggregate", metric=name)
    p = words.plain("why.chance_p", p=_p(found.p_adj)) if found.p_adj is not None else ""
    return words.plain("why.chance", moved=_moved(name, found, words), p=p)


def _moved(name: str, found: MetricVerdict, words: Words) -> str:
    key = "why.fell" if found.direction == "higher" else "why.rose"
    return words.plain(key, metric=name, drop=more_than(-(found.delta or 0.0), found.tolerance or 0.0))


def _ids(ids: Sequence[str], words: Words) -> str:
    return words.sentence(named(ids))


def _p(p: float) -> str:
    return "p < 0.001" if p < _SMALL_P else f"p = {p:.3f}"
