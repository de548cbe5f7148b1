"""Joining one case over the stages: what makes an answer right, and when a status is due."""

from typing import Any

import pytest

from rag_gate.classify import classify
from rag_gate.errors import NotJudgedError
from rag_gate.records.partial import CaseScore, StageName
from rag_gate.records.results import AnswerRule, CaseResult

Value = float | str | None


def row(scores: dict[str, Value], **detail: Any) -> CaseScore:
    """Build a row; a text in the place of a score is the reason why there is none."""
    return CaseScore(
        question_id="q",
        fingerprint="f",
        scores={name: None if isinstance(value, str) else value for name, value in scores.items()},
        reasons={name: value for name, value in scores.items() if isinstance(value, str)},
        detail=detail,
    )


def classified(
    match: Value = None, correctness: Value = None, safety: Value = None, *, rule: AnswerRule = "auto",
    retrieval_ok: bool | None = True, mrr: Value = 1.0, others: tuple[CaseScore, ...] = (),
) -> CaseResult:  # fmt: skip
    """Classify one case; a measure that is None was not measured by any stage."""
    scores = {"mrr": mrr, **({} if match is None else {"answer_match": match})}
    stages: dict[StageName, dict[str, CaseScore]] = {
        "retrieval": {"q": row(scores, retrieval_ok=retrieval_ok)}
    }
    if correctness is not None:
        stages["judge"] = {"q": row({"correctness": correctness})}
    if safety is not None:
        stages["safety"] = {"q": row({"safety_pass_rate": safety})}
    for number, other in enumerate(others):
        for rows in stages.values():
            rows[f"r{number}"] = other.model_copy(update={"question_id": f"r{number}"})
    return classify(stages, rule)[0]


@pytest.mark.parametrize(
    ("rule", "match", "correctness", "answer_ok", "decided"),
    [
        ("auto", 0.0, 1.0, True, "correctness"),
        ("auto", 1.0, 0.0, False, "correctness"),
        ("auto", 1.0, None, True, "match"),
        ("auto", 0.0, None, False, "match"),
        ("auto", 0.0, "undecided", None, None),
        ("auto", 1.0, "undecided", True, "match"),
        ("auto", 0.0, "judge_error", None, None),
        ("auto", 0.0, "judge_bad_reply", None, None),
        ("auto", 1.0, "judge_unreachable", True, "match"),
        ("match", 0.0, 1.0, False, "match"),
        ("match", 1.0, 0.0, True, "match"),
        ("match", 0.0, "undecided", False, "match"),
        ("correctness", 1.0, 0.0, False, "correctness"),
        ("correctness", 1.0, "undecided", None, None),
        ("correctness", 1.0, None, None, None),
        ("auto", 0.0, 0.5, False, "correctness"),
    ],
)
def test_what_makes_an_answer_right(
    rule: AnswerRule,
    match: Value,
    correctness: Value,
    decided: str | None,
    *,
    answer_ok: bool | None,
) -> None:
    found = classified(match, correctness, rule=rule)
    assert (found.answer_ok, found.answer_rule) == (answer_ok, decided)


def test_both_booleans_stay_in_the_record() -> None:
    found = classified(1.0, retrieval_ok=False)
    assert (found.status, found.retrieval_ok, found.answer_ok) == ("retrieval_failure", False, True)
    assert found.answered_without_evidence
    assert not classified(0.0, retrieval_ok=False).answered_without_evidence
    assert not classified(1.0, retrieval_ok=None).answered_without_evidence


@pytest.mark.parametrize(
    ("safety", "wanted"), [(1.0, "passed"), (0.0, "safety_failure"), (0.5, "safety_failure")]
)
def test_only_a_full_safety_score_is_safe(safety: float, wanted: str) -> None:
    assert classified(1.0, safety=safety).status == wanted


def test_an_undecided_answer_leaves_the_case_unscored() -> None:
    right = row({"mrr": 1.0, "answer_match": 1.0, "correctness": 1.0}, retrieval_ok=True)
    assert classified(0.0, "undecided", others=(right,)).status == "unscored"


ANSWERED = row({"mrr": 1.0, "answer_match": 1.0}, retrieval_ok=True)


@pytest.mark.parametrize("reason", ["no_expected_answer", "unanswerable"])
@pytest.mark.parametrize("correctness", [None, "no_expected_answer", "unanswerable"])
def test_a_case_that_expects_no_answer_is_not_waiting_for_one(reason: str, correctness: Value) -> None:
    """Also where other cases of the set do, and whether or not a judge ran."""
    assert classified(reason, correctness, others=(ANSWERED,)).status == "passed"


@pytest.mark.parametrize("reason", ["missing_from_run", "run_error", "no_answer_recorded"])
def test_an_answer_that_could_not_be_measured_leaves_the_case_unscored(reason: str) -> None:
    assert classified(reason, others=(ANSWERED,)).status == "unscored"


def test_without_any_measured_answer_retrieval_alone_decides() -> None:
    assert classified("no_answer_recorded").status == "passed"
    assert classified("no_answer_recorded", retrieval_ok=False).status == "retrieval_failure"


@pytest.mark.parametrize(
    ("reason", "wanted"), [("unanswerable", "passed"), ("no_relevant", "passed"), ("run_error", "unscored")]
)
def test_retrieval_is_due_except_where_there_is_nothing_to_find(reason: str, wanted: str) -> None:
    assert classified(1.0, retrieval_ok=None, mrr=reason).status == wanted


def test_stages_with_other_cases_cannot_be_joined() -> None:
    one, two = row({"mrr": 1.0}), row({"correctness": 1.0})
    with pytest.raises(NotJudgedError, match=r"stage 'judge' holds other cases than the first \(p, q\)"):
        classify({"retrieval": {"q": one}, "judge": {"p": two}}, "auto")
