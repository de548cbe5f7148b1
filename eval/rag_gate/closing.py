"""How a gate ends on a terminal: the verdict in a few lines, and where the rest stands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from rag_gate.cli_support import plain_line, show
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.sentences import named
from rag_gate.report.headline import outcome, outcome_of
from rag_gate.report.judging import judging_line
from rag_gate.report.metric_rows import deciding
from rag_gate.report.rows import Counter, MetricRow
from rag_gate.report.strip import changes_of, counters_of
from rag_gate.report.words import IN_ENGLISH

_MOST_METRICS = 12
_NAMED = 8
_COLOURS = {
    "blocked": "red",
    "not_evaluated": "red",
    "inconclusive": "yellow",
    "regressed": "yellow",
    "passed": "green",
    "passed_with_warnings": "green",
    "neutral": "cyan",
}
_DECISIONS = {
    "regressed": ("regressed", "red"),
    "error": ("not judged", "red"),
    "inconclusive": ("inconclusive", "yellow"),
    "pass": ("ok", "green"),
    "report_only": ("shown only", None),
}


def show_verdict(
    results: Results | Mapping[str, float | None], verdict: Verdict, written: Sequence[Path]
) -> None:
    """Print the verdict, the deciding metrics, what became of the cases, and the paths of the written files."""
    show(_lines(results, verdict, written))


def _lines(
    results: Results | Mapping[str, float | None], verdict: Verdict, written: Sequence[Path]
) -> Iterator[str]:
    found = outcome_of(verdict)
    name = click.style(outcome(verdict), fg=_COLOURS[found], bold=True)
    yield f"rag-gate: {name}: {plain_line(verdict.summary)}"
    yield from _metrics(deciding(verdict, IN_ENGLISH).rows)
    if isinstance(results, Results):
        yield _strip("", counters_of(results, IN_ENGLISH))
        judged = judging_line(results.judging)
        yield from [f"  {plain_line(judged)}"] if judged else []
    changes = changes_of(verdict, IN_ENGLISH)
    if changes:
        yield _strip("against the baseline: ", changes)
    failing = [row.question_id for row in verdict.cases.newly_failing]
    if failing:
        yield f"  newly failing: {plain_line(named(failing, _NAMED))}"
    for path in written:
        yield f"rag-gate: wrote {plain_line(str(path))}"


def _strip(label: str, counters: Iterable[Counter]) -> str:
    return f"  {label}{', '.join(counter.words for counter in counters)}"


def _metrics(rows: Sequence[MetricRow]) -> Iterator[str]:
    shown = rows[:_MOST_METRICS]
    table = [(plain_line(row.name), row.baseline, row.now, row.change) for row in shown]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row, cells in zip(shown, table, strict=True):
        word, colour = _DECISIONS[row.decision]
        name, baseline, now, change = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"  {name}  {baseline} -> {now}  {change}  {click.style(word, fg=colour)}"
    if len(rows) > len(shown):
        yield f"  and {len(rows) - len(shown)} more metrics, see verdict.json"
