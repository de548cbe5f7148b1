"""Frozen retrieval: whether a run retrieved exactly what the baseline's run did."""

from collections.abc import Iterator

from rag_gate.records.results import CaseResult
from rag_gate.regression.sentences import named
from rag_gate.regression.sides import Sides

_NAMED = 10
_NOT_EXECUTED = frozenset({"error", "missing"})


def other_results(sides: Sides) -> list[str]:
    """Return why the retrieved ids are not known to be the baseline's, one sentence; empty means they are.

    Only cases with the same content on both sides count. One that was not executed is passed over: that
    it lacks its scores is said elsewhere. Without a baseline there is nothing to equal yet.
    """
    if sides.baseline is None:
        return []
    cases = {case.question_id: case for case in sides.current_rows}
    before = {case.question_id: case for case in sides.baseline_rows()}
    if not any(case.retrieved_fp for case in before.values()):
        return [_unknown("the baseline", "promote a new baseline (rag-gate promote --reason ...)")]
    if not any(case.retrieved_fp for case in cases.values()):
        return [_unknown("this run", "measure the stage 'retrieval' of a run that records its results")]
    differing = sorted(
        key
        for key, case in _executed(cases)
        if key in before
        and before[key].fingerprint == case.fingerprint
        and before[key].retrieved_fp != case.retrieved_fp
    )
    if not differing:
        return []
    several = "1 case" if len(differing) == 1 else f"{len(differing)} cases"
    return [
        (
            f"retrieval is frozen (gate.frozen_retrieval) and the results of {several} are not the baseline's: "
            f"{named(differing, _NAMED)}; record the run with the baseline's results, or remove the setting"
        )
    ]


def _executed(cases: dict[str, CaseResult]) -> Iterator[tuple[str, CaseResult]]:
    for key, case in cases.items():
        if case.detail.get("retrieval", {}).get("state") not in _NOT_EXECUTED:
            yield key, case


def _unknown(what: str, advice: str) -> str:
    return f"retrieval is frozen (gate.frozen_retrieval) and {what} does not say what was retrieved; {advice}"
