"""The folded blocks of the comment."""

from collections.abc import Callable, Mapping, Sequence

from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import CaseChange, Verdict
from rag_gate.report import metric_rows, provenance
from rag_gate.report.case_rows import CaseRows, blocking_ids
from rag_gate.report.markdown import Markdown
from rag_gate.report.model import Detail
from rag_gate.report.reasons import why_unscored
from rag_gate.report.rows import Listing, StatusRow
from rag_gate.report.trend import trend_rows
from rag_gate.report.words import CAUSES

_FAILING = frozenset(CAUSES) - {"passed", "unscored"}


def details(
    results: Results | Mapping[str, float | None], verdict: Verdict, rows: CaseRows | None, most: int
) -> tuple[Detail, ...]:
    """Return the blocks that hold something.

    Args:
        results: what was judged.
        verdict: the decision about it.
        rows: writer of case rows, None where the results have no cases.
        most: how many cases a block may name.
    """
    if not results and not verdict.metrics:
        return ()  # nothing was measured
    cases = results.cases if isinstance(results, Results) else []
    blocks = [
        Detail("scores", Markdown("All metrics by quality"), metric_rows.all_scores(results, verdict)),
        Detail("slices", Markdown("Slices that got worse"), metric_rows.slice_rows(verdict)),
        Detail("trend", Markdown("Promoted means so far"), trend_rows(results, verdict)),
        Detail("power", Markdown("What this run can detect"), metric_rows.power_rows(verdict)),
        *_failing(rows, cases, verdict),
        *_statuses(cases, verdict, most),
        *_ids(verdict, most),
        Detail(
            "facts",
            Markdown("Files that decide, changed by this pull request"),
            provenance.rules_changed(verdict),
        ),
        Detail("facts", Markdown("Provenance"), provenance.facts(results, verdict)),
        Detail("commands", Markdown("Reproduce and promote"), Listing((Markdown("rag-gate run"),), 1)),
    ]
    return tuple(block for block in blocks if block.rows.total)


def _failing(rows: CaseRows | None, cases: Sequence[CaseResult], verdict: Verdict) -> list[Detail]:
    """Return failing cases of which the baseline knows nothing, and those that failed in it already."""
    if rows is None:
        return []
    changes = verdict.cases
    shown = {row.question_id for row in changes.newly_failing} | set(blocking_ids(verdict))
    still = [row.question_id for row in changes.still_failing if row.question_id not in shown]
    shown.update(still)
    new = [case.question_id for case in cases if case.status in _FAILING and case.question_id not in shown]
    lists = ((new, "Failing, with nothing to compare"), (still, "Still failing, as in the baseline"))
    return [
        Detail("cases", Markdown(f"{title} ({len(ids)})"), rows.listing(ids)) for ids, title in lists if ids
    ]


def _statuses(cases: Sequence[CaseResult], verdict: Verdict, most: int) -> list[Detail]:
    known = {case.question_id: case for case in cases}
    unscored, fixed = verdict.cases.unscored, verdict.cases.fixed
    lists = (
        (f"Unscored cases ({len(unscored)})", unscored, _why_unscored),
        (f"Fixed cases ({len(fixed)})", fixed, _what_failed),
    )
    return [
        Detail(
            "statuses",
            Markdown(title),
            Listing(tuple(_row(row, known.get(row.question_id), words) for row in rows[:most]), len(rows)),
        )
        for title, rows, words in lists
    ]


def _row(
    change: CaseChange, case: CaseResult | None, words: Callable[[CaseChange, CaseResult | None], str]
) -> StatusRow:
    return StatusRow(change.question_id, case.info.question if case else None, words(change, case))


def _why_unscored(_: CaseChange, case: CaseResult | None) -> str:
    return "; ".join(why_unscored(case)) if case else "no stage measured it"


def _what_failed(change: CaseChange, _: CaseResult | None) -> str:
    return f"had failed in {CAUSES[change.was]}" if change.was else "had failed"


def _ids(verdict: Verdict, most: int) -> list[Detail]:
    lists = (
        ("Added cases, not compared", verdict.cases.added),
        ("Removed cases", verdict.cases.removed),
        ("Edited cases, not compared", verdict.cases.edited),
    )
    return [
        Detail("ids", Markdown(f"{title} ({len(ids)})"), Listing(tuple(ids[:most]), len(ids)))
        for title, ids in lists
    ]
