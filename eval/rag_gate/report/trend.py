"""Rows of the trend: how the baseline of each deciding metric got where it is."""

from collections.abc import Mapping, Sequence

from rag_gate.records.history import TrendPoint
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown
from rag_gate.report.numbers import number
from rag_gate.report.rows import Listing, TrendRow
from rag_gate.report.words import unit_of

_OTHER_CASES = "\u2020"


def trend_rows(results: Results | Mapping[str, float | None], verdict: Verdict) -> Listing[TrendRow]:
    """Return one row per metric with at least two promotions that were measured alike."""
    rows = tuple(
        TrendRow(
            metric=name,
            since=points[0].promoted_at[:10],
            means=_means(name, points),
            now=_now(name, points, results, verdict),
        )
        for name, points in verdict.trend.items()
    )
    return Listing(rows, len(rows))


def _means(name: str, points: Sequence[TrendPoint]) -> Markdown:
    """Return ``0.90† → 0.91 → 0.92``."""
    unit = unit_of(name)
    shown = [f"{number(point.mean, unit)}{_OTHER_CASES if point.other_cases else ''}" for point in points]
    return Markdown(" → ".join(shown))


def _now(
    name: str,
    points: Sequence[TrendPoint],
    results: Results | Mapping[str, float | None],
    verdict: Verdict,
) -> Markdown | None:
    """Return this run's mean, where it saw the cases of the promoted runs."""
    found = verdict.metrics.get(name)
    if found is None or found.mean_current_all is None or not isinstance(results, Results):
        return None
    alike = results.dataset.tier == points[-1].tier or results.measured_on_all_tiers(name)
    return number(found.mean_current_all, unit_of(name)) if alike else None
