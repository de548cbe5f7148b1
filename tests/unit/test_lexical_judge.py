import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.lexical import MAX_CLAIMS, VERSION, AnswerJudgment, judge_answer

CONTEXTS = [
    "経費精算は翌月5日までに申請フォームから行います。部門責任者の承認が必要です。",
    "返品は30日以内に受け付けます。送料はお客様の負担です。",
]
QUESTION = "経費精算の締め日は？"


def judged(
    answer: str, contexts: list[str] | None = None, expected: list[str] | None = None
) -> AnswerJudgment:
    return judge_answer(QUESTION, answer, CONTEXTS if contexts is None else contexts, expected or [])


def test_the_version_names_the_judge() -> None:
    assert VERSION == "lexical-v1"


def test_a_supported_correct_answer() -> None:
    found = judged(
        "1. 翌月５日までに申請フォームから行います。[出典: 規程]\n2. 部門責任者の承認が必要です。",
        expected=["翌月5日"],
    )
    assert (found.support, found.number_match, found.correctness) == (1.0, 1.0, 1.0)
    assert [claim.text for claim in found.claims] == [
        "翌月５日までに申請フォームから行います。",
        "部門責任者の承認が必要です。",
    ]
    assert found.flags == ()
    assert found.reasons["support"] == "2 of 2 claims supported"


def test_a_wrong_number_is_flagged_and_lowers_support() -> None:
    found = judged(
        "翌月10日までに申請フォームから行います。部門責任者の承認が必要です。", expected=["翌月5日"]
    )
    assert (found.support, found.number_match, found.correctness) == (0.5, 0.0, 0.0)
    assert found.flags == ("number_mismatch",)
    assert found.missing == ("5日",)


def test_an_answer_without_values_has_no_number_match() -> None:
    found = judged("部門責任者の承認が必要です。")
    assert found.number_match is None
    assert found.reasons["number_match"] == "the answer states no number, date or code"
    assert found.correctness is None


@pytest.mark.parametrize(
    ("answer", "flag"),
    [
        ("", "empty_answer"),
        (" \n", "empty_answer"),
        ("該当する情報が見つかりません。", "refusal"),
        ("I don't know.", "refusal"),
    ],
)
def test_nothing_is_claimed_by_an_empty_answer_or_a_refusal(answer: str, flag: str) -> None:
    found = judged(answer, expected=["翌月5日"])
    assert (found.support, found.number_match, found.correctness) == (None, None, 0.0)
    assert found.flags == (flag,)
    assert found.claims == ()
    assert found.reasons["support"]


@pytest.mark.parametrize("contexts", [[], ["", " "]])
def test_without_contexts_support_cannot_be_judged(contexts: list[str]) -> None:
    found = judged("翌月5日です。", contexts, ["翌月5日"])
    assert (found.support, found.number_match, found.correctness) == (None, None, 1.0)
    assert found.reasons["support"] == "no context was given"


def test_an_answer_of_markers_only_makes_no_claim() -> None:
    found = judged("[出典: 規程]")
    assert found.support is None
    assert found.reasons["support"] == "the answer makes no claim"


def test_values_of_the_question_are_not_missed() -> None:
    found = judge_answer("2030年の締め日は？", "2030年の締め日は翌月5日です。", CONTEXTS, [])
    assert found.number_match == 1.0


def test_claims_beyond_the_limit_are_not_judged_and_that_is_said() -> None:
    found = judged("部門責任者の承認が必要です。" * (MAX_CLAIMS + 3))
    assert len(found.claims) == MAX_CLAIMS
    assert found.flags == ("cut",)
    assert found.reasons["support"].endswith("the other 3 were not judged")


@given(st.text(), st.text(), st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=2))
def test_any_text_is_judged_the_same_way_twice(
    question: str, answer: str, contexts: list[str], expected: list[str]
) -> None:
    found = judge_answer(question, answer, contexts, expected)
    assert found == judge_answer(question, answer, contexts, expected)
    assert found.support is None or 0.0 <= found.support <= 1.0
    assert found.number_match in (0.0, 1.0, None)
    assert set(found.reasons) == {"support", "number_match", "correctness"}
    for claim in found.claims:
        assert answer[claim.span[0] : claim.span[1]] == claim.text


def test_a_typical_answer_takes_milliseconds() -> None:
    context = "経費精算の申請は翌月5日までに行い、部門責任者の承認を受けてください。" * 11
    answer = "経費精算は翌月5日までに申請します。部門責任者が承認します。送料は500円です。"
    judged(answer)
    started = time.process_time()
    for number in range(50):
        judge_answer(QUESTION, answer, [f"{number}{index}。{context}" for index in range(5)], ["翌月5日"])
    # 3 ms on a quiet machine; the limit leaves room for a busy one.
    assert (time.process_time() - started) / 50 < 0.015


@pytest.mark.parametrize(
    "unit",
    [
        "経費は5日までに申請します。",
        "経費は5日までに申請",
        "1",
        "(",
        "「",
        "[出典:",
        "1-",
        "1,",
        "情報",
        "i do not ",
        "ません",
        "一",
        "万1",
    ],
)
def test_a_hostile_long_answer_takes_seconds_at_most(unit: str) -> None:
    started = time.process_time()
    long = unit * (50_000 // len(unit))
    judged(long, expected=["翌月5日"])
    judged("返金は5日です。", [long], [long])
    assert time.process_time() - started < 5
