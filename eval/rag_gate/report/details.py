"""The folded blocks of the comment."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import CaseChange, Verdict
from rag_gate.report import metric_rows, provenance
from rag_gate.report.case_rows import CaseRows, blocking_ids
from rag_gate.report.causes import FAILING
from rag_gate.report.commands import Commands, promotion_of
from rag_gate.report.model import Detail, DetailKind
from rag_gate.report.offline_judge import judge_note
from rag_gate.report.origin import Origin
from rag_gate.report.reasons import why_unscored
from rag_gate.report.rows import Listing, StatusRow
from rag_gate.report.trend import trend_rows
from rag_gate.report.words import Words

Subject = Results | Mapping[str, float | None]


class Details:
    """Writes the blocks about one verdict.

    Args:
        results: what was judged.
        verdict: the decision about it.
        rows: writer of case rows, None where the results have no cases.
        most: how many cases a block may name.
        words: of the reader's language.
    """

    def __init__(
        self, results: Subject, verdict: Verdict, rows: CaseRows | None, most: int, words: Words
    ) -> None:
        self._results, self._verdict, self._rows = results, verdict, rows
        self._most, self._words = most, words
        self._cases: Sequence[CaseResult] = results.cases if isinstance(results, Results) else []

    def blocks(self, origin: Origin) -> tuple[Detail, ...]:
        """Return the blocks that hold something, those about cases first."""
        results, verdict, words = self._results, self._verdict, self._words
        if not results and not verdict.metrics:
            return ()  # nothing was measured
        found = [
            *self._failing(),
            *self._statuses(),
            self._block("slices", "detail.slices", metric_rows.slice_rows(verdict, words)),
            self._block("scores", "detail.scores", metric_rows.all_scores(results, verdict, words)),
            self._block("trend", "detail.trend", trend_rows(results, verdict, words)),
            self._block("power", "detail.power", metric_rows.power_rows(verdict, words)),
            *self._ids(),
            self._block("judge", "detail.judge", self._judge()),
            self._block("facts", "detail.rules_changed", provenance.rules_changed(verdict, words)),
            self._block("facts", "detail.provenance", provenance.facts(results, verdict, origin, words)),
            self._block("commands", "detail.commands", self._commands(origin)),
        ]
        return tuple(block for block in found if block.rows.total)

    def _block(self, kind: DetailKind, title: str, rows: Listing[Any]) -> Detail:
        return Detail(kind, self._words(title), rows)

    def _judge(self) -> Listing[Any]:
        note = judge_note(self._results, self._verdict, self._words)
        return Listing((note,), 1) if note else Listing()

    def _commands(self, origin: Origin) -> Listing[Any]:
        metrics = self._verdict.metrics
        doubtful = (name for name, found in metrics.items() if found.verdict in {"regressed", "inconclusive"})
        measured = self._results if isinstance(self._results, Results) else None
        shown = Commands(
            config=origin.config,
            results=origin.results,
            metric=next(doubtful, None),
            tier=measured.dataset.tier if measured else None,
            run=origin.run,
            promotion=promotion_of(self._verdict),
        )
        return Listing((shown,), 1 if measured or shown.metric else 0)

    def _failing(self) -> list[Detail]:
        """Return failing cases of which the baseline knows nothing, and those that failed in it already."""
        if self._rows is None:
            return []
        changes = self._verdict.cases
        shown = {row.question_id for row in changes.newly_failing} | set(blocking_ids(self._verdict))
        still = [row.question_id for row in changes.still_failing if row.question_id not in shown]
        shown.update(still)
        new = [
            case.question_id
            for case in self._cases
            if case.status in FAILING and case.question_id not in shown
        ]
        lists = (("detail.failing", new), ("detail.still_failing", still))
        return [
            Detail("cases", self._words(title, n=len(ids)), self._rows.listing(ids))
            for title, ids in lists
            if ids
        ]

    def _statuses(self) -> list[Detail]:
        known = {case.question_id: case for case in self._cases}
        changes, verdict = self._verdict.cases, self._verdict
        lists: tuple[tuple[str, list[CaseChange], Callable[[CaseChange, CaseResult | None], str], bool], ...]
        lists = (
            ("detail.unscored", changes.unscored, self._why_unscored, verdict.overall == "error"),
            ("detail.fixed", changes.fixed, self._what_failed, False),
        )
        return [
            Detail(
                "statuses",
                self._words(title, n=len(rows)),
                Listing(
                    tuple(_row(row, known.get(row.question_id), said) for row in rows[: self._most]),
                    len(rows),
                ),
                open=unfolded,
            )
            for title, rows, said, unfolded in lists
        ]

    def _why_unscored(self, _: CaseChange, case: CaseResult | None) -> str:
        words = self._words
        return words("join.reasons").join(why_unscored(case, words)) if case else words("unscored.nothing")

    def _what_failed(self, change: CaseChange, _: CaseResult | None) -> str:
        words = self._words
        return words("fixed.in", cause=words(f"cause.{change.was}")) if change.was else words("fixed")

    def _ids(self) -> list[Detail]:
        cases = self._verdict.cases
        lists = (
            ("detail.added", cases.added),
            ("detail.removed", cases.removed),
            ("detail.edited", cases.edited),
        )
        return [
            Detail("ids", self._words(title, n=len(ids)), Listing(tuple(ids[: self._most]), len(ids)))
            for title, ids in lists
        ]


def _row(
    change: CaseChange, case: CaseResult | None, said: Callable[[CaseChange, CaseResult | None], str]
) -> StatusRow:
    return StatusRow(change.question_id, case.info.question if case else None, said(change, case))
