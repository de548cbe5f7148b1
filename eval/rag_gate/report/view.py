"""Build the context of the comment's templates; ``rag_gate.report.model`` documents its fields."""

from collections.abc import Iterable, Mapping

from rag_gate.config_models import ReportConfig
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report import headline, metric_rows, provenance
from rag_gate.report.case_rows import CaseRows, blocking_ids, worsened
from rag_gate.report.details import Details
from rag_gate.report.judging import judging_line
from rag_gate.report.markdown import Markdown
from rag_gate.report.model import CaseTable, CommentView
from rag_gate.report.offline_judge import judge_note, leaves_most
from rag_gate.report.origin import Origin
from rag_gate.report.rows import Listing
from rag_gate.report.strip import changes_of, counters_of
from rag_gate.report.why import why
from rag_gate.report.words import Words, words_of

_LINES = 10
_UNKNOWN = Origin()


def build_view(
    results: Results | Mapping[str, float | None],
    verdict: Verdict,
    config: ReportConfig,
    origin: Origin = _UNKNOWN,
) -> CommentView:
    """Return everything the comment says.

    Args:
        results: what was judged; a flat ``{metric: score}`` has no cases to show.
        verdict: the decision about it.
        config: how many cases each list may name, the gate's name, the language.
        origin: where the run comes from, beyond what it says itself.
    """
    words, most = words_of(config.language), config.max_cases
    found = headline.outcome_of(verdict)
    whole = results if isinstance(results, Results) else None
    rows = CaseRows(whole, most, words) if whole else None
    newly = [row.question_id for row in verdict.cases.newly_failing]
    return CommentView(
        language=words.language,
        marker=Markdown(f"<!-- rag-gate:{config.gate_id} -->"),
        outcome=found,
        headline=words(f"outcome.{found}"),
        symbol=headline.symbol(found),
        why=why(verdict, words),
        where=headline.where(verdict, words),
        next_step=headline.next_step(found, verdict, words),
        neutral=None if verdict.neutral is None else words.sentence(verdict.neutral),
        problems=_lines(verdict.problems[1:], words),
        changed=provenance.changed(verdict).capped(_LINES),
        counters=counters_of(whole, words) if whole else (),
        changes=changes_of(verdict, words),
        metrics=metric_rows.deciding(verdict, words),
        detectable=metric_rows.power_rows(verdict, words),
        compared=provenance.compared(verdict, origin, words),
        judge_note=judge_note(whole, verdict, words) if whole and leaves_most(whole) else None,
        judging=judging_line(whole.judging, words) if whole else None,
        tables=_tables(rows, verdict),
        worsened=worsened(verdict, [*newly, *blocking_ids(verdict)], most, words),
        notices=_lines(verdict.notices, words),
        details=Details(results, verdict, rows, most, words).blocks(origin),
    )


def _lines(sentences: Iterable[str], words: Words) -> Listing[str]:
    said = tuple(map(words.sentence, sentences))
    return Listing(said[:_LINES], len(said))


def _tables(rows: CaseRows | None, verdict: Verdict) -> tuple[CaseTable, ...]:
    if rows is None:
        return ()
    newly = [row.question_id for row in verdict.cases.newly_failing]
    others = [key for key in blocking_ids(verdict) if key not in set(newly)]
    tables = (rows.table("table.newly_failing", newly), rows.table("table.blocking", others))
    return tuple(table for table in tables if table.cases.total)
