"""The status of a case: a table of all combinations of what is known."""

import itertools

import pytest

from rag_gate.records.results import Status
from rag_gate.status import Judged, status_of

KNOWN = (True, False, None)
ALL = list(itertools.product(KNOWN, KNOWN, KNOWN, (True, False), (True, False)))
#: (retrieval, answer) -> status, where safety is not broken and both were due.
BOTH_DUE: dict[tuple[bool | None, bool | None], Status] = {
    (True, True): "passed",
    (True, False): "generation_failure",
    (True, None): "unscored",
    (False, True): "retrieval_failure",
    (False, False): "retrieval_and_generation_failure",
    (False, None): "retrieval_failure",
    (None, True): "unscored",
    (None, False): "unscored",
    (None, None): "unscored",
}


@pytest.mark.parametrize(("retrieval", "answer"), BOTH_DUE)
@pytest.mark.parametrize("safety", [True, None])
def test_where_both_were_due(*, retrieval: bool | None, answer: bool | None, safety: bool | None) -> None:
    found = status_of(Judged(retrieval, answer, safety), retrieval_due=True, answer_due=True)
    assert found == BOTH_DUE[retrieval, answer]


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        ((None, True, None), "passed"),
        ((None, False, None), "generation_failure"),
        ((None, None, True), "passed"),
        ((None, None, None), "unscored"),
        ((True, None, None), "passed"),
    ],
)
def test_where_neither_was_due_what_is_known_decides(
    known: tuple[bool | None, bool | None, bool | None], wanted: Status
) -> None:
    assert status_of(Judged(*known), retrieval_due=False, answer_due=False) == wanted


@pytest.mark.parametrize(("retrieval", "answer", "safety", "retrieval_due", "answer_due"), ALL)
def test_what_holds_for_every_combination(
    *,
    retrieval: bool | None,
    answer: bool | None,
    safety: bool | None,
    retrieval_due: bool,
    answer_due: bool,
) -> None:
    known = Judged(retrieval, answer, safety)
    found = status_of(known, retrieval_due=retrieval_due, answer_due=answer_due)
    assert (found == "safety_failure") == (safety is False)
    if found == "passed":
        assert False not in known
        assert True in known
        assert not (retrieval_due and retrieval is None)
        assert not (answer_due and answer is None)
    if found in {"retrieval_failure", "retrieval_and_generation_failure"}:
        assert retrieval is False
    if found == "generation_failure":
        assert answer is False
        assert retrieval is True or not retrieval_due
