"""Build the context of the comment's templates; ``rag_gate.report.model`` documents its fields."""

from collections.abc import Mapping

from rag_gate.config_models import ReportConfig
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report import headline, metric_rows, provenance
from rag_gate.report.case_rows import CaseRows, blocking_ids, counters_of, worsened
from rag_gate.report.details import details
from rag_gate.report.judging import judging_line
from rag_gate.report.markdown import Markdown
from rag_gate.report.model import CaseTable, CommentView
from rag_gate.report.rows import Listing

_LINES = 10


def build_view(
    results: Results | Mapping[str, float | None], verdict: Verdict, config: ReportConfig
) -> CommentView:
    """Return everything the comment says.

    Args:
        results: what was judged; a flat ``{metric: score}`` has no cases to show.
        verdict: the decision about it.
        config: how many cases each list may name, and the gate's name.
    """
    name = headline.outcome(verdict)
    rows = CaseRows(results, config.max_cases) if isinstance(results, Results) else None
    tables = _tables(rows, verdict)
    newly = [row.question_id for row in verdict.cases.newly_failing]
    return CommentView(
        marker=Markdown(f"<!-- rag-gate:{config.gate_id} -->"),
        outcome=name,
        symbol=headline.symbol(name),
        why=verdict.summary,
        where=headline.where(verdict),
        next_step=headline.next_step(name, verdict),
        neutral=verdict.neutral,
        problems=_lines(verdict.problems[1:]),
        changed=provenance.changed(verdict).capped(_LINES),
        counters=counters_of(results) if isinstance(results, Results) else (),
        metrics=metric_rows.deciding(verdict),
        judge_note=provenance.judge_note(results, verdict),
        judging=judging_line(results) if isinstance(results, Results) else None,
        notices=_lines(verdict.notices),
        tables=tables,
        worsened=worsened(verdict, [*newly, *blocking_ids(verdict)], config.max_cases),
        details=details(results, verdict, rows, config.max_cases),
    )


def _lines(sentences: list[str]) -> Listing[str]:
    return Listing(tuple(sentences[:_LINES]), len(sentences))


def _tables(rows: CaseRows | None, verdict: Verdict) -> tuple[CaseTable, ...]:
    if rows is None:
        return ()
    newly = [row.question_id for row in verdict.cases.newly_failing]
    others = [key for key in blocking_ids(verdict) if key not in set(newly)]
    tables = (rows.table("Newly failing cases", newly), rows.table("Other cases that block", others))
    return tuple(table for table in tables if table.cases.total)
