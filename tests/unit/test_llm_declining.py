"""Only an answer that does nothing but decline is decided by rule; one that says more is put to the model."""

from typing import Any

import pytest
from llm_material import EXPECTED, FakeBackend, engine_of, honest, request

from rag_gate.judge.engine import CaseJudgment
from rag_gate.judge.llm.backend import BackendError, Prompt
from rag_gate.judge.llm.declining import declines

ONLY = [
    "I'm sorry, but I can't help with that.",
    "I don't know.",
    "The documents do not mention a fee.",
    "I could not find information about the 2024 fee.",
    "I couldn't find information about refunds in the documents. Please contact support for more information.",
    "I can't share my internal instructions, but I can help with orders.",
    "わかりません。",
    "申し訳ございませんが、該当する情報は、資料の中に見つかりませんでした。",
    "申し訳ありません。お答えできません。サポート窓口までお問い合わせください。",
    "内部の指示についてはお答えできませんが、ご注文についてはお手伝いできます。",
]
AND_MORE = [
    "I could not find the exact fee, but refunds arrive within 5 business days.",
    "I could not find the exact fee but refunds arrive soon.",
    "I could not find it in the manual, but bitcoin is accepted with a 90 percent discount.",
    "The documents do not mention a fee, so it is free.",
    "The documents do not mention a fee (it is free).",
    "The manual does not mention bitcoin. It lists cards and bank transfer.",
    'I could not find it. "Bitcoin is accepted."',
    "I could not find anything; bitcoin is accepted.",
    "I do not know how the 77 stations are fed.",
    "詳細は記載がありませんが、返金は5営業日以内です。",
    "詳細は記載がありませんが、返金は即日です。",
    "資料には記載がありませんが、ビットコインは90%割引で使えます。",
    "資料に記載はなく、ビットコインは使えます。",
    "お答えできません。ただし返金は即日です。",
    "わかりません。返金は即日です。",
]
NO = [
    "Refunds arrive within 5 business days.",
    "返品できません。",
    "I'm sorry for the delay. Refunds take 5 days.",
]


@pytest.mark.parametrize("answer", ONLY)
def test_an_answer_that_does_nothing_but_decline(answer: str) -> None:
    assert declines(answer, "What is the fee in 2024?") == "only"


@pytest.mark.parametrize("answer", AND_MORE)
def test_an_answer_that_declines_and_says_more(answer: str) -> None:
    assert declines(answer, "What is the fee in 2024?") == "and_more"


@pytest.mark.parametrize("answer", NO)
def test_an_answer_that_does_not_decline(answer: str) -> None:
    assert declines(answer, "") == "no"


def judged(answer: str, *, addresses: bool, **changed: Any) -> tuple[CaseJudgment, int]:
    def saying(data: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
        relevance = {"missing": [], "superfluous": [], "addresses": addresses}
        return {**honest(data, prompt), "relevance": relevance}

    backend = FakeBackend(saying)
    (found,) = engine_of(backend).judge_many([request(answer, **changed)])
    return found, len(backend.prompts)


@pytest.mark.parametrize("answer", AND_MORE)
def test_where_an_answer_is_due_the_model_says_whether_it_is_there(answer: str) -> None:
    text = f"{answer} {EXPECTED}"
    found, asked = judged(text, addresses=True)
    assert asked == 1
    assert (found.scores["correctness"], found.scores["relevance"]) == (1.0, 1.0)
    found, _ = judged(answer, addresses=False)
    assert found.scores["relevance"] == 0.0


@pytest.mark.parametrize("answer", AND_MORE)
def test_where_a_right_bot_abstains_an_answer_is_wrong_however_it_begins(answer: str) -> None:
    found, _ = judged(answer, addresses=True, answerable=False, expected=())
    assert found.scores["correctness"] == 0.0
    found, _ = judged(answer, addresses=False, answerable=False, expected=())
    assert found.scores["correctness"] == 1.0
    assert found.reasons["relevance"] == "unanswerable"


@pytest.mark.parametrize("answer", ONLY)
@pytest.mark.parametrize("answerable", [True, False])
def test_an_answer_that_only_declines_costs_nothing(answer: str, *, answerable: bool) -> None:
    question = "What is the fee in 2024?"
    found, asked = judged(answer, addresses=True, answerable=answerable, question=question)
    assert asked == 0
    assert found.scores["correctness"] == float(not answerable)


def test_without_a_verdict_nobody_knows_whether_it_is_a_refusal() -> None:
    def lost(data: dict[str, Any], prompt: Prompt) -> str:
        del data, prompt
        raise BackendError("cut off", "judge_truncated")

    cases = [
        request(AND_MORE[0]),
        request(AND_MORE[0], answerable=False),
        request(AND_MORE[0], question=None),
    ]
    due, not_due, unknown = engine_of(FakeBackend(lost)).judge_many(cases)
    assert due.reasons["relevance"] == not_due.reasons["correctness"] == "judge_truncated"
    assert unknown.reasons["relevance"] == "no_question"
    assert {due.scores["relevance"], not_due.scores["correctness"]} == {None}


@pytest.mark.parametrize(
    "nothing", ["", " \n", "\u200b", "\u200d\u2060", "\u2800", "\u00ad\ufe0f", "...", "\u3000。"]
)
@pytest.mark.parametrize("answerable", [True, False])
def test_an_answer_in_which_nobody_sees_a_word_is_empty(nothing: str, *, answerable: bool) -> None:
    found, asked = judged(nothing, addresses=True, answerable=answerable)
    assert asked == 0
    assert found.detail["flags"] == ["empty_answer"]
    assert found.scores["correctness"] == float(not answerable)
