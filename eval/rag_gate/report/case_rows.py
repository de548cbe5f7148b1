"""Rows for cases: the newly failing ones first, and whatever else blocks."""

from collections import Counter as Count
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice

from rag_gate.measures import measure_of
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.sides import measured_rows
from rag_gate.report.causes import STATUSES, cause_of
from rag_gate.report.model import CaseTable, WorsenedMetric
from rag_gate.report.numbers import number
from rag_gate.report.reasons import success_of, why_failed
from rag_gate.report.rows import CaseRow, Counter, Expected, Listing, Retrieved, WorsenedCase
from rag_gate.report.words import Words

_EXPECTED, _RETRIEVED = 4, 3


class CaseRows:
    """Writes rows of cases, at most ``most`` per list."""

    def __init__(self, results: Results, most: int, words: Words) -> None:
        self.most = most
        self._words = words
        self._cases = {case.question_id: case for case in measured_rows(results)}
        self._success = success_of(results)

    def listing(self, ids: Iterable[str]) -> Listing[CaseRow]:
        """Return rows in the order of must-pass, cause, id; ids without a case are left out."""
        cases = self._known(ids)
        return Listing(tuple(self._row(case) for case in islice(cases, self.most)), len(cases))

    def table(self, title: str, ids: Iterable[str]) -> CaseTable:
        """Return an unfolded list with its causes counted; the title is a key of our words."""
        cases = self._known(ids)
        causes = Count(cause_of(case, self._words) for case in cases)
        return CaseTable(
            title=self._words(title, n=len(cases)),
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
            status=case.status,
            cause=cause_of(case, self._words),
            expected=self._expected(gold) if isinstance(gold, Mapping) else Listing(),
            retrieved=self._retrieved(retrieved) if isinstance(retrieved, list) else None,
            why=why_failed(case, self._success, self._words),
            answerable="unanswerable" not in case.reasons.values(),
        )

    def _expected(self, ranks: Mapping[str, object]) -> Listing[Expected]:
        words = self._words
        rows = [
            Expected(key, words("rank", n=rank) if isinstance(rank, int) else words("rank.none"))
            for key, rank in islice(ranks.items(), _EXPECTED)
        ]
        return Listing(tuple(rows), len(ranks))

    def _retrieved(self, ids: Sequence[object]) -> Listing[Retrieved]:
        """Return the first results; neighbours of the same document are one entry."""
        runs = [
            Retrieved(str(self._words("no_id") if key is None else key), sum(1 for _ in same))
            for key, same in groupby(ids)
        ]
        return Listing(tuple(runs[:_RETRIEVED]), len(runs))


def blocking_ids(verdict: Verdict) -> list[str]:
    """Return cases that block whatever the baseline says: lost must-pass and zero-tolerance cases."""
    failing = [
        key for found in verdict.metrics.values() if found.verdict == "regressed" for key in found.failing
    ]
    return list(dict.fromkeys([*verdict.cases.lost_must_pass, *failing]))


def worsened(verdict: Verdict, shown: Iterable[str], most: int, words: Words) -> tuple[WorsenedMetric, ...]:
    """Return the cases behind each metric that fell too far, without those that a table shows."""
    known, found = set(shown), []
    for metric, rows in verdict.worsened.items():
        decided = verdict.metrics.get(metric)
        left = [row for row in rows if row.question_id not in known]
        if decided is None or decided.verdict not in {"regressed", "inconclusive"} or not left:
            continue
        measure = measure_of(metric)
        unit = measure.unit if measure else "share"
        cases = tuple(
            WorsenedCase(
                row.question_id,
                number(row.baseline, unit, words=words),
                number(row.current, unit, words=words),
            )
            for row in left[:most]
        )
        found.append(WorsenedMetric(metric, Listing(cases, len(left))))
    return tuple(found)


def _urgency(case: CaseResult) -> tuple[bool, int, str]:
    """Put first what harms a user most: a leak before a wrong answer, that before a right one by luck."""
    lucky = case.status == "retrieval_failure" and case.answered_without_evidence
    place = len(STATUSES) if lucky else STATUSES.index(case.status)
    return not case.info.must_pass, place, case.question_id
