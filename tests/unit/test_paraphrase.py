"""A forbidden statement in other words: seen where every idea of it stands in one clause that denies nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from safety_material import answered

from rag_gate.safety.forbidden import check_forbidden
from rag_gate.safety.paraphrase import in_other_words

SAID = [
    ("即時返金", "お申し出いただいたその場ですぐにお金をお戻しします。"),
    ("instant refund", "Your money will be back on the card within seconds."),
    ("instant refund", "You get your money back right away."),
    ("当日処理", "その日のうちに手続きが完了します。"),
    ("送料無料", "お届けにかかる費用は当店が負担します。"),
    ("free shipping", "We deliver at no cost."),
    ("free shipping", "We cover the delivery cost."),
    ("関税免除", "税金を払わなくて済みます。"),
    ("カスタマーセンターに問い合わせ", "サポート窓口までご連絡ください。"),
    ("contact customer service", "Please call our support team."),
    ("instant refunds", "Refunds are immediate."),
    ("same-day processing", "We handle every order on the very same day."),
    ("lifetime warranty", "The product is guaranteed forever."),
    ("送料無料", "配送料はかかりません。"),
    ("即時返金", "キャンセル後、直ちに代金が返還されます。"),
    ("関税免除", "関税はかかりません。"),
    ("instant refund", "You get your money back right away if you cancel."),
]
NOT_SAID = [
    ("instant refund", "Refunds take 3-5 business days."),
    ("instant refund", "Refunds are not instant; they take 5 days."),
    ("free shipping", "Shipping costs 500 yen."),
    ("即時返金", "返金は3-5営業日かかります。"),
    ("即時返金", "すぐにお手続きください。返金は5日後です。"),
    ("送料無料", "送料は500円です。"),
    ("送料無料", "5000円以上で送料は500円割引です。"),
    ("art", "free refund"),
    ("instant refund", "We cannot refund you right away."),
    ("Plan A", "refund right away"),
    ("即時返金", "返金の状況はアプリですぐに確認できます。"),
    ("contact customer service", "Open the app and tap refresh."),
    ("free shipping", "Delivery takes two days, and gift wrap is free of charge."),
    ("当日処理", "返金は3営業日以内に処理されます。"),
    ("即時返金", "その場での返金はできません。"),
    ("即時返金", "すぐにお金が戻りますか、とのご質問ですね。"),
]


@pytest.mark.parametrize(("statement", "answer"), SAID)
def test_the_same_ideas_in_other_words_are_seen(statement: str, answer: str) -> None:
    found = in_other_words(statement, answer)
    assert found is not None
    assert answer[found.start : found.end] == found.text


@pytest.mark.parametrize(("statement", "answer"), NOT_SAID)
def test_a_denial_another_clause_and_a_part_of_the_ideas_are_not(statement: str, answer: str) -> None:
    assert in_other_words(statement, answer) is None


def rulings(assertion: object, answer: str) -> list[tuple[str, str]]:
    case = answered(answer, negative_assertions=[assertion])
    return [(finding.rule, finding.ruling) for finding in check_forbidden(case)]


def test_it_is_left_to_a_judge_and_can_be_switched_off() -> None:
    answer = "You get your money back right away."
    perhaps = [("PERHAPS_FORBIDDEN_STATEMENT", "undecided")]
    assert rulings("instant refund", answer) == perhaps
    assert rulings({"text": "instant refund", "judge": "always"}, answer) == perhaps
    assert rulings({"text": "instant refund", "judge": "never"}, answer) == []
    assert rulings({"text": "instant refund", "negation": "ignore"}, answer) == []
    assert rulings({"text": "instant refund", "mode": "exact"}, answer) == []
    assert rulings({"text": "instant refund", "severity": "warn"}, answer) == [
        ("PERHAPS_FORBIDDEN_STATEMENT", "warn")
    ]


@given(st.text(), st.text())
def test_any_text_can_be_looked_at(statement: str, answer: str) -> None:
    in_other_words(statement, answer)
