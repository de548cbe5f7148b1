"""Rows of the trend: how the baseline of each deciding metric got where it is."""

import re
from collections.abc import Mapping, Sequence

from rag_gate.records.history import TrendPoint
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.chart import chart
from rag_gate.report.markdown import Markdown
from rag_gate.report.metric_rows import unit_of
from rag_gate.report.numbers import number
from rag_gate.report.rows import Listing, TrendRow
from rag_gate.report.words import Words

_OTHER_CASES = "\u2020"
#: A chart each for the most urgent metrics only: the table has all of them.
_CHARTS = 2
_PLAIN = re.compile(r"[a-z][a-z0-9_]{0,30}(?:@[0-9]{1,5})?\Z")
_URGENCY = ("regressed", "inconclusive", "error", "pass", "report_only")


def trend_rows(
    results: Results | Mapping[str, float | None], verdict: Verdict, words: Words
) -> Listing[TrendRow]:
    """Return one row per metric with at least two promotions that were measured alike, the worst metric first."""
    rows: list[TrendRow] = []
    for name, points in sorted(verdict.trend.items(), key=lambda item: _urgency(item[0], verdict)):
        now = _now(name, points, results, verdict)
        with_chart = _PLAIN.match(name) and sum(row.chart is not None for row in rows) < _CHARTS
        rows.append(
            TrendRow(
                metric=name,
                since=points[0].promoted_at[:10],
                means=_means(name, points, words),
                now=None if now is None else number(now, unit_of(name), words=words),
                chart=chart(name, points, now, words) if with_chart else None,
            )
        )
    return Listing(tuple(rows), len(rows))


def _urgency(name: str, verdict: Verdict) -> int:
    found = verdict.metrics.get(name)
    return len(_URGENCY) if found is None else _URGENCY.index(found.verdict)


def _means(name: str, points: Sequence[TrendPoint], words: Words) -> Markdown:
    """Return ``0.90† → 0.91 → 0.92``."""
    unit = unit_of(name)
    shown = [
        f"{number(point.mean, unit, words=words)}{_OTHER_CASES if point.other_cases else ''}"
        for point in points
    ]
    return Markdown(" → ".join(shown))


def _now(
    name: str,
    points: Sequence[TrendPoint],
    results: Results | Mapping[str, float | None],
    verdict: Verdict,
) -> float | None:
    """Return this run's mean, where it saw the cases of the promoted runs."""
    found = verdict.metrics.get(name)
    if found is None or not isinstance(results, Results):
        return None
    alike = results.dataset.tier == points[-1].tier or results.measured_on_all_tiers(name)
    return found.mean_current_all if alike else None
