"""The table of cases as columns: small enough for thousands of cases, and all that filters and order need."""

from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.records.baseline import BaselineCase
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.sides import measured_rows
from rag_gate.report.hiding import Hider

Data = dict[str, Any]
#: Verdicts of metrics, the worst first.
URGENCY = ("error", "regressed", "inconclusive", "pass", "report_only")
_DECIMALS = 4
_QUESTION = 300
#: What became of a case since the baseline, the most urgent first.
CHANGES = ("newly_failing", "new_failing", "still_failing", "unscored", "fixed", "none")
STATUSES = (
    "safety_failure", "retrieval_and_generation_failure", "retrieval_failure", "generation_failure", "unscored",
    "retrieval_only", "passed",
)  # fmt: skip
FAILING = frozenset(STATUSES[:4])
_CELL = {True: "y", False: "n", None: "u"}


def ordered_rows(results: Results, verdict: Verdict) -> list[CaseResult]:
    """Return all measured cases, the most urgent first: by change, must-pass, status, id."""
    changes = changes_of(results, verdict)
    aside = {row.question_id for row in results.extended_retrieval}

    def urgency(case: CaseResult) -> tuple[int, bool, int, str]:
        key = case.question_id
        status = shown_status(case, aside)
        return CHANGES.index(changes[key]), not case.info.must_pass, STATUSES.index(status), key

    return sorted(measured_rows(results), key=urgency)


def changes_of(results: Results, verdict: Verdict) -> dict[str, str]:
    """Return question id -> what became of the case since the baseline."""
    said = verdict.cases
    lists: Sequence[tuple[str, Sequence[Any]]] = (
        ("fixed", said.fixed),
        ("unscored", said.unscored),
        ("still_failing", said.still_failing),
        ("newly_failing", said.newly_failing),
    )
    known = {row.question_id: name for name, rows in lists for row in rows}
    known |= dict.fromkeys(said.lost_must_pass, "newly_failing")
    return {
        case.question_id: known.get(case.question_id) or ("new_failing" if case.status in FAILING else "none")
        for case in measured_rows(results)
    }


def shown_status(case: CaseResult, aside: frozenset[str] | set[str]) -> str:
    """Return the status, or that only retrieval was measured of the case."""
    if case.question_id in aside and case.status == "unscored":
        return "retrieval_only"
    return case.status


def cell_of(case: CaseResult) -> str:
    """Return where the case stands in the table of retrieval and answer: ``yn`` = right, wrong; ``u`` not known."""
    return _CELL[case.retrieval_ok] + _CELL[case.answer_ok]


def index_of(
    rows: Sequence[CaseResult],
    results: Results,
    verdict: Verdict,
    then: Mapping[str, BaselineCase],
    hider: Hider,
) -> Data:
    """Return the columns of the table of cases.

    Args:
        rows: the cases in the order in which they are shown.
        results: what was measured.
        verdict: the decision about it.
        then: the baseline's cases.
        hider: masks the questions and ids.
    """
    aside = {row.question_id for row in results.extended_retrieval}
    changes = changes_of(results, verdict)
    return {
        "ids": _distinct([hider.text(case.question_id) for case in rows]),
        "questions": [hider.text(case.info.question or "", _QUESTION) for case in rows],
        "status": [STATUSES.index(shown_status(case, aside)) for case in rows],
        "statuses": STATUSES,
        "change": [CHANGES.index(changes[case.question_id]) for case in rows],
        "changes": CHANGES,
        "cell": [cell_of(case) for case in rows],
        "must": [int(case.info.must_pass) for case in rows],
        "aside": [int(case.question_id in aside) for case in rows],
        "without": [int(case.answered_without_evidence) for case in rows],
        "slices": [_slice(name, rows, hider) for name in _slices(rows)],
        "metrics": [_metric(name, rows, verdict, then) for name in _metrics(rows, verdict)],
    }


def _distinct(ids: list[str]) -> list[str]:
    """Number ids that are the same once masked."""
    seen: dict[str, int] = {}
    found = []
    for key in ids:
        seen[key] = seen.get(key, 0) + 1
        found.append(key if seen[key] == 1 else f"{key} ({seen[key]})")
    return found


def _slices(rows: Sequence[CaseResult]) -> list[str]:
    first = ("category", "difficulty", "language")
    named = {name for case in rows for name in case.info.slices}
    return [name for name in first if name in named] + sorted(named.difference(first))


def _slice(name: str, rows: Sequence[CaseResult], hider: Hider) -> Data:
    of = [case.info.slices.get(name) for case in rows]
    values = sorted({value for value in of if value is not None})
    at = {value: number for number, value in enumerate(values)}
    return {
        "name": hider.text(name, _QUESTION),
        "values": [hider.text(value, _QUESTION) for value in values],
        "of": [-1 if value is None else at[value] for value in of],
    }


def _metrics(rows: Sequence[CaseResult], verdict: Verdict) -> list[str]:
    """Return the metrics that some case has a score of: those that decide first, the worst of them at the head."""
    scored = {name for case in rows for name, score in case.scores.items() if score is not None}
    deciding = sorted(verdict.metrics, key=lambda name: URGENCY.index(verdict.metrics[name].verdict))
    names = [*deciding, *verdict.report_only]
    return [name for name in dict.fromkeys([*names, *sorted(scored)]) if name in scored]


def _metric(
    name: str, rows: Sequence[CaseResult], verdict: Verdict, then: Mapping[str, BaselineCase]
) -> Data:
    found = verdict.metrics.get(name) or verdict.report_only.get(name)
    return {
        "name": name,
        "decides": name in verdict.metrics,
        "lower": found is not None and found.direction == "lower",
        "now": [_rounded(case.scores.get(name)) for case in rows],
        "then": [_before(name, case, then) for case in rows],
    }


def _before(name: str, case: CaseResult, then: Mapping[str, BaselineCase]) -> float | None:
    before = then.get(case.question_id)
    if before is None or before.fingerprint != case.fingerprint:
        return None
    return _rounded(before.scores.get(name))


def _rounded(value: float | None) -> float | int | None:
    if value is None:
        return None
    short = round(value, _DECIMALS)
    return int(short) if short == int(short) else short
