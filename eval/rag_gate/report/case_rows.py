"""Rows for cases: the newly failing ones first, and whatever else blocks."""

from collections import Counter as Count
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice

from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.sides import measured_rows
from rag_gate.report.markdown import Markdown
from rag_gate.report.model import CaseTable, WorsenedMetric
from rag_gate.report.numbers import number
from rag_gate.report.reasons import success_of, why_failed
from rag_gate.report.rows import CaseRow, Counter, Expected, Listing, Retrieved, WorsenedCase
from rag_gate.report.words import CAUSES, STATUSES, WITHOUT_EVIDENCE, unit_of

_EXPECTED, _RETRIEVED = 4, 4


class CaseRows:
    """Writes rows of cases, at most ``most`` per list."""

    def __init__(self, results: Results, most: int) -> None:
        self.most = most
        self._cases = {case.question_id: case for case in measured_rows(results)}
        self._success = success_of(results)

    def listing(self, ids: Iterable[str]) -> Listing[CaseRow]:
        """Return rows in the order of must-pass, cause, id; ids without a case are left out."""
        cases = self._known(ids)
        return Listing(tuple(self._row(case) for case in islice(cases, self.most)), len(cases))

    def table(self, title: str, ids: Iterable[str]) -> CaseTable:
        """Return a visible table with its causes counted."""
        cases = self._known(ids)
        causes = Count(cause_of(case) for case in cases)
        return CaseTable(
            title=Markdown(f"{title} ({len(cases)})"),
            causes=tuple(Counter(count, cause) for cause, count in causes.items()),
            cases=Listing(tuple(self._row(case) for case in cases[: self.most]), len(cases)),
        )

    def _known(self, ids: Iterable[str]) -> list[CaseResult]:
        cases = [self._cases[key] for key in dict.fromkeys(ids) if key in self._cases]
        return sorted(cases, key=_urgency)

    def _row(self, case: CaseResult) -> CaseRow:
        detail = case.detail.get("retrieval") or {}
        gold, retrieved = detail.get("gold_ranks"), detail.get("retrieved")
        return CaseRow(
            question_id=case.question_id,
            question=case.info.question,
            must_pass=case.info.must_pass,
            cause=cause_of(case),
            expected=_expected(gold) if isinstance(gold, Mapping) else Listing(),
            retrieved=_retrieved(retrieved) if isinstance(retrieved, list) else None,
            why=why_failed(case, self._success),
            answerable="unanswerable" not in case.reasons.values(),
        )


def cause_of(case: CaseResult) -> Markdown:
    """Return which stage failed; a right answer that retrieval cannot explain has its own word."""
    if case.status == "retrieval_failure" and case.answered_without_evidence:
        return WITHOUT_EVIDENCE
    if case.status == "safety_failure" and case.retrieval_ok is False:
        return Markdown("safety, and retrieval")
    return CAUSES[case.status]


def blocking_ids(verdict: Verdict) -> list[str]:
    """Return cases that block whatever the baseline says: lost must-pass and zero-tolerance cases."""
    failing = [
        key for found in verdict.metrics.values() if found.verdict == "regressed" for key in found.failing
    ]
    return list(dict.fromkeys([*verdict.cases.lost_must_pass, *failing]))


def worsened(verdict: Verdict, shown: Iterable[str], most: int) -> tuple[WorsenedMetric, ...]:
    """Return the cases behind each metric that fell too far, without those that a table shows."""
    known, found = set(shown), []
    for metric, rows in verdict.worsened.items():
        decided = verdict.metrics.get(metric)
        left = [row for row in rows if row.question_id not in known]
        if decided is None or decided.verdict not in {"regressed", "inconclusive"} or not left:
            continue
        unit = unit_of(metric)
        cases = tuple(
            WorsenedCase(row.question_id, number(row.baseline, unit), number(row.current, unit))
            for row in left[:most]
        )
        found.append(WorsenedMetric(metric, Listing(cases, len(left))))
    return tuple(found)


def _urgency(case: CaseResult) -> tuple[bool, int, str]:
    return not case.info.must_pass, STATUSES.index(case.status), case.question_id


def _expected(ranks: Mapping[str, object]) -> Listing[Expected]:
    rows = [
        Expected(key, Markdown(f"rank {rank}" if isinstance(rank, int) else "not found"))
        for key, rank in islice(ranks.items(), _EXPECTED)
    ]
    return Listing(tuple(rows), len(ranks))


def _retrieved(ids: Sequence[object]) -> Listing[Retrieved]:
    """Return the first results; neighbours of the same document are one entry."""
    runs = [
        Retrieved("(no id)" if key is None else str(key), sum(1 for _ in same)) for key, same in groupby(ids)
    ]
    return Listing(tuple(runs[:_RETRIEVED]), len(runs))


def counters_of(results: Results) -> tuple[Counter, ...]:
    """Return the strip below the headline: how many cases, and what became of them."""
    counts, statuses = results.counts, results.statuses
    total = counts.get("cases", len(results.cases))
    strip = [
        (total, "cases"),
        (counts.get("executed"), "executed"),
        (counts.get("error"), "not executed"),
        (counts.get("missing"), "missing"),
        (statuses.get("passed", 0), "passed"),
        (statuses.get("retrieval_failure", 0), "retrieval failures"),
        (statuses.get("generation_failure", 0), "generation failures"),
        (statuses.get("retrieval_and_generation_failure") or None, "failed in both"),
        (statuses.get("safety_failure", 0), "safety failures"),
        (statuses.get("unscored", 0), "unscored"),
        (
            sum(case.answered_without_evidence for case in results.cases) or None,
            "right answers without evidence",
        ),
    ]
    return tuple(Counter(count, _in_number(words, count)) for count, words in strip if count is not None)


def _in_number(words: str, count: int) -> Markdown:
    """Return the words for one or for many."""
    one = {"cases": "case", "failures": "failure", "answers": "answer"}
    return Markdown(" ".join(one.get(word, word) if count == 1 else word for word in words.split(" ")))
