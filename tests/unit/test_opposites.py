"""Opposites: 以上 for 未満, before for after, possible for impossible."""

import pytest

from rag_gate.judge.opposites import reversed_words, says_the_opposite
from rag_gate.judge.reference import judge_correctness
from rag_gate.judge.support import judge_claim

NEAR_COPIES = [
    ("20歳以上が対象です。", "20歳未満が対象です。"),
    ("上限は5回です。", "下限は5回です。"),
    ("料金は値上げされます。", "料金は値下げされます。"),
    ("会員の登録は必須です。", "会員の登録は任意です。"),
    ("休日に発送します。", "平日に発送します。"),
    ("申請の期限は翌月5日です。", "申請の期限は翌々月5日です。"),
    ("It is impossible to change the name.", "It is possible to change the name."),
    ("Gift cards are nonrefundable.", "Gift cards are refundable."),
    ("Orders are ineligible for free shipping.", "Orders are eligible for free shipping."),
    ("The warranty excludes water damage.", "The warranty includes water damage."),
    ("None of the items are covered.", "All of the items are covered."),
    ("Nobody under 18 may register.", "Anybody under 18 may register."),
    ("Refunds are possible unless the seal is intact.", "Refunds are possible if the seal is intact."),
    ("The seller pays the shipping costs.", "The buyer pays the shipping costs."),
    ("It takes at least five days to arrive.", "It takes at most five days to arrive."),
    ("Returns are accepted after delivery only.", "Returns are accepted before delivery only."),
]


@pytest.mark.parametrize(("claim", "context"), NEAR_COPIES)
def test_a_near_copy_that_says_the_opposite_is_not_supported(claim: str, context: str) -> None:
    found = judge_claim(claim, [context])
    assert found.verdict != "supported"
    assert "negation_mismatch" in found.hints


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("会員のみ利用できます。", "会員しか利用できません。"),
        ("前払いでないと注文できません。", "前払いでのみ注文できます。"),
        ("利用不可です。", "利用できません。"),
        ("返品できません。", "返品は不可です。"),
        ("お問い合わせは電話でなくメールで受け付けます。", "お問い合わせはメールで受け付けます。"),
        ("サーバーの設定を開きます。", "サーバの設定を開きます。"),
        ("At least 5 days are needed.", "A minimum of 5 days is needed."),
        ("Refunds take no more than 5 days.", "Refunds take at most 5 days."),
        ("Sign in before you order and after you register.", "Before you order, sign in after you register."),
        ("Do not share your password.", "Never share your password."),
        ("最大10名まで参加できます。", "最大で10名まで参加できます。"),
    ],
)
def test_the_same_in_other_words_is_no_opposite(claim: str, context: str) -> None:
    assert judge_claim(claim, [context]).hints == ()


@pytest.mark.parametrize(
    ("answer", "expected", "score"),
    [
        ("before the deadline", "after the deadline", 0.0),
        ("18歳以上", "18歳未満", 0.0),
        ("5日以内", "5日以降", 0.0),
        ("at least 5 days", "at most 5 days", 0.0),
        ("more than 5 kg", "less than 5 kg", 0.0),
        ("できません。", "できます", 0.0),
        ("Apply after the deadline, not before it.", "after the deadline", 1.0),
        ("18歳未満の方です。18歳以上の方は対象外です。", "18歳未満", 1.0),
        ("Within a week.", "7 days", 1.0),
        ("登録は不要です", "登録は不要", 1.0),
    ],
)
def test_an_answer_that_says_the_opposite_is_wrong(answer: str, expected: str, score: float) -> None:
    assert judge_correctness(answer, [expected]).score == score


def test_an_opposite_in_another_sentence_than_the_one_that_answers_counts_for_nothing() -> None:
    sentences = ["Refunds take less than 5 days.", "More than half of them take two."]
    assert says_the_opposite(sentences, "Refunds take less than 5 days") == []
    assert says_the_opposite(["Refunds take more than 5 days."], "Refunds take less than 5 days") == [
        "more than"
    ]


def test_words_that_both_texts_have_are_not_reversed() -> None:
    assert reversed_words("open before and after noon", "open after noon") == []
    assert reversed_words("the price", "another price") == []
