import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.records.assertion import NegativeAssertion
from rag_gate.safety.assertions import MAX_OCCURRENCES, AssertionResult, check_assertion


def check(assertion: object, answer: str) -> AssertionResult:
    return check_assertion(NegativeAssertion.model_validate(assertion), answer)


def test_an_occurrence_points_into_the_original_answer() -> None:
    answer = "👍 ㈱テスト：即時\u200b 返金 はできません。"
    (found,) = check("即時返金", answer).occurrences
    assert answer[found.start : found.end] == found.quote == "即時\u200b 返金"
    assert (found.status, found.cue) == ("negated", "ません")


def test_the_worst_occurrence_decides() -> None:
    result = check("即時返金", "即時返金はできません。とはいえ会員様には即時返金いたします。")
    assert [found.status for found in result.occurrences] == ["negated", "asserted"]
    assert result.status == "asserted"
    assert check("即時返金", "即時返金はできません。即時返金できますか？").status == "uncertain"


def test_polite_forms_and_direction_particles_are_the_same_statement() -> None:
    assert check("窓口にお問い合わせ", "窓口へ問い合わせてください。").status == "asserted"
    assert check("窓口に問い合わせ", "窓口にお問い合わせください。").status == "asserted"


def test_a_denying_prefix_makes_another_word() -> None:
    assert check("課税", "この商品は非課税です。").status == "negated"


def test_ignoring_negation_forbids_the_words_themselves() -> None:
    assert check({"text": "SAVE10", "negation": "ignore"}, "SAVE10 は使えません。").status == "asserted"
    assert check({"text": "SAVE10", "negation": "ignore"}, "SAVE100 は使えます。").status == "absent"


def test_an_exact_text_is_compared_as_written() -> None:
    exact = {"text": "Plan A", "mode": "exact"}
    assert check(exact, "Plan A is free.").status == "asserted"
    assert check(exact, "plan a is free.").status == "absent"
    assert check(exact, "Plan Alpha is not offered.").occurrences[0].quote == "Plan A"


def test_a_regex_is_aware_of_negation_too() -> None:
    pattern = {"regex": "即時.{0,3}返金|instant\\s+refunds?"}
    assert check(pattern, "即時での返金は行っておりません。").status == "negated"
    assert check(pattern, "We give INSTANT refunds.").status == "asserted"


def test_an_answer_too_long_for_a_regex_is_not_called_clean() -> None:
    assert check({"regex": "refund"}, "a " * 10_001 + "refund").status == "uncertain"
    assert check({"regex": "refund"}, "refund " + "a " * 10_001).status == "asserted"


def test_very_many_occurrences_are_cut_and_not_called_clean() -> None:
    result = check("refund", "No refund. " * (MAX_OCCURRENCES + 1))
    assert (result.status, len(result.occurrences)) == ("uncertain", MAX_OCCURRENCES)


@pytest.mark.parametrize(
    "answer", ["即時返金は" * 40_000, "not " * 50_000 + "即時返金", "即時返金\n" * 40_000, "「" * 200_000]
)
def test_hostile_answers_are_checked_in_a_moment(answer: str) -> None:
    begin = time.perf_counter()
    check("即時返金", answer)
    check("instant refund", answer)
    assert time.perf_counter() - begin < 10


@given(
    st.text(max_size=80), st.text(max_size=80), st.sampled_from(["即時返金", "instant refund", "don't know"])
)
def test_an_assertion_is_found_between_any_two_lines(before: str, after: str, phrase: str) -> None:
    answer = f"{before}\n{phrase}\n{after}"
    result = check(phrase, answer)
    assert result.status != "absent"
    for found in result.occurrences:
        assert answer[found.start : found.end] == found.quote


@given(st.text(max_size=200))
def test_the_same_answer_always_gives_the_same_result(answer: str) -> None:
    assert check("即時返金", answer) == check("即時返金", answer)
