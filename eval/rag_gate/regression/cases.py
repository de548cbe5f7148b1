"""What happened to each case: newly failing, fixed, still failing, added, removed."""

from collections.abc import Mapping, Sequence

from rag_gate.records.baseline import BaselineCase
from rag_gate.records.results import CaseResult
from rag_gate.records.verdict_file import CaseChange, CaseChanges, Worsened
from rag_gate.regression.inputs import CaseMap, MetricInput
from rag_gate.regression.pairing import pair_cases
from rag_gate.regression.sides import Sides, oriented, retrieval_failed
from rag_gate.statistics import to_lattice

_GOOD = "passed"


def case_changes(sides: Sides, *, compared: bool = True) -> CaseChanges:
    """Sort the cases by what happened to them. Only unchanged cases are compared with the baseline.

    A case that retrieval alone was measured on has no status to compare; it can be lost as a must-pass
    case, and be added, removed or edited.

    Args:
        sides: this run and the baseline.
        compared: whether the two were measured alike; else no change of a status says anything.
    """
    current = sides.current_cases()
    then = {case.question_id: case for case in sides.baseline_cases()} if compared else {}
    now = {case.question_id: case for case in current}
    rows_then = {case.question_id: case for case in sides.baseline_rows()}
    rows_now = {case.question_id: case for case in sides.current_rows}
    pairs = [(then[key], now[key]) for key in sorted(then.keys() & now.keys())]
    same = [(b, c) for b, c in pairs if b.fingerprint == c.fingerprint]
    rows = [CaseChange(question_id=c.question_id, was=b.status, now=c.status) for b, c in same]
    return CaseChanges(
        compared=compared,
        newly_failing=[row for row in rows if row.was == _GOOD and row.now not in {_GOOD, "unscored"}],
        fixed=[row for row in rows if row.was not in {_GOOD, "unscored"} and row.now == _GOOD],
        still_failing=[
            row for row in rows if row.was not in {_GOOD, "unscored"} and row.now not in {_GOOD, "unscored"}
        ],
        unscored=[
            CaseChange(question_id=key, was=then[key].status if key in then else None, now=case.status)
            for key, case in sorted(now.items())
            if case.status == "unscored"
        ],
        lost_must_pass=_lost(rows_now, rows_then),
        added=sorted(rows_now.keys() - rows_then.keys()) if rows_then else [],
        removed=sorted(rows_then.keys() - rows_now.keys()),
        edited=[
            key
            for key in sorted(rows_then.keys() & rows_now.keys())
            if rows_then[key].fingerprint != rows_now[key].fingerprint
        ],
    )


def _lost(now: Mapping[str, CaseResult], then: Mapping[str, BaselineCase]) -> list[str]:
    """Return must-pass cases that fail now and did not fail, unchanged, in the baseline already."""
    lost = []
    for key, case in sorted(now.items()):
        before = then.get(key)
        failed_before = (
            before is not None
            and before.fingerprint == case.fingerprint
            and (before.status not in {_GOOD, "unscored"} or retrieval_failed(before))
        )
        if case.info.must_pass and case.status not in {_GOOD, "unscored"} and not failed_before:
            lost.append(key)
    return lost


def unscored_must_pass(current: Sequence[CaseResult]) -> list[str]:
    """Return must-pass cases of which nothing is known."""
    return sorted(case.question_id for case in current if case.info.must_pass and case.status == "unscored")


def worsened_cases(metric: MetricInput) -> list[Worsened]:
    """Return the paired cases whose score fell, largest fall first."""
    if not isinstance(metric.base, Mapping) or not isinstance(metric.current, Mapping):
        return []
    base: CaseMap = metric.base
    rows = []
    for pair in pair_cases(base, metric.current).pairs:
        fall = oriented(pair.current - pair.base, metric.spec.direction)
        if to_lattice(fall) < 0:
            rows.append((fall, Worsened(question_id=pair.case_id, baseline=pair.base, current=pair.current)))
    return [row for _, row in sorted(rows, key=lambda item: (item[0], item[1].question_id))]
