"""The offline judge as an engine: scores, reasons, and the limits of what it reads."""

import re

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.offline import LexicalEngine
from rag_gate.reasons import MAX_ANSWER, MAX_TEXTS


def judge(
    answer: str, *contexts: str, expected: tuple[str, ...] = (), answerable: bool = True
) -> tuple[dict[str, float | None], dict[str, str]]:
    request = JudgeRequest("q", "How long?", answer, contexts, expected, answerable)
    found = LexicalEngine().judge(request)
    return dict(found.scores), dict(found.reasons)


def test_every_metric_has_a_score_or_a_reason() -> None:
    for answer in ("", " ", "5 days.", "I could not find this in the documents.", "!!!", "。"):
        for contexts in ((), ("",), ("It takes 5 days.",)):
            scores, reasons = judge(answer, *contexts, expected=("5 days",))
            assert set(scores) == set(LexicalEngine.metrics)
            assert {name for name, score in scores.items() if score is None} == set(reasons)


def test_an_unanswerable_case_is_right_when_the_bot_abstains() -> None:
    assert judge("該当する情報が見つかりません。", "x", answerable=False)[0]["correctness"] == 1.0
    assert judge("It takes 5 days.", "x", answerable=False)[0]["correctness"] == 0.0


def test_a_refusal_where_an_answer_was_due_is_wrong() -> None:
    scores, reasons = judge(
        "I could not find this in the documents.", "It takes 5 days.", expected=("5 days",)
    )
    assert scores["correctness"] == 0.0
    assert reasons["support"] == "refusal"


def test_an_answer_of_absurd_length_is_unscored_at_once() -> None:
    scores, reasons = judge("$1 " * MAX_ANSWER, "It takes 5 days.", expected=("5 days",))
    assert set(scores.values()) == {None}
    assert set(reasons.values()) == {"answer_too_long"}


def test_texts_of_absurd_length_leave_grounding_unscored_and_the_answer_judged() -> None:
    scores, reasons = judge("It takes 5 days.", "a " * MAX_TEXTS, expected=("5 days",))
    assert scores["correctness"] == 1.0
    assert (scores["support"], scores["number_match"]) == (None, None)
    assert reasons["support"] == "texts_too_long"


def test_the_output_says_which_judge_it_was_and_where_the_evidence_stands() -> None:
    engine = LexicalEngine()
    assert re.fullmatch(r"lexical-v1@[0-9a-f]{12}", str(engine.settings["judge"]))
    assert engine.settings["calibrated"] is False
    contexts = ("Nothing here.", "It is long. It takes 5 days.")
    found = engine.judge(JudgeRequest("q", "How long?", "It takes 6 days.", contexts, ()))
    (claim,) = found.detail["claims"]
    assert (claim["verdict"], claim["context"], claim["flags"]) == ("unsupported", 1, ["number_mismatch"])
    start, end = claim["span"]
    assert contexts[1][start:end] == claim["evidence"] == "It takes 5 days."
    assert "6 days" in claim["unmatched"]
