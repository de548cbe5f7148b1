import pytest

from rag_gate.judge.evidence import Evidence
from rag_gate.judge.lexical import judge_answer
from rag_gate.judge.whole_answer import copy_rate, in_other_language, question_coverage

CONTEXT = (
    "経費精算の申請は、毎月末日までに経費精算システムから行い、部門責任者の承認を受けてください。"
    "承認後、翌月5日に登録口座へ振り込まれます。領収書の原本は7年間保管する必要があります。"
)


def test_a_copy_is_copied_and_a_rewording_is_not() -> None:
    evidence = Evidence([CONTEXT])
    assert copy_rate("承認後、翌月5日に登録口座へ振り込まれます。", evidence) == 1.0
    assert copy_rate("振込は承認の翌月、五日に指定の口座へ行われることになっています。", evidence) == 0.0
    assert (
        0
        < copy_rate(
            "承認後、翌月5日に登録口座へ振り込まれます。原本は捨てないでずっと持っていましょう。", evidence
        )
        < 1
    )
    assert copy_rate("", evidence) == 0.0


def test_an_answer_that_is_all_that_was_retrieved_is_flagged() -> None:
    pages = [
        CONTEXT,
        "送料は全国一律で500円です。ただし沖縄県と離島への配送には追加で800円がかかります。" * 8,
    ]
    assert "copy_rate" in judge_answer("経費は？", "".join(pages), pages, []).flags
    assert "copy_rate" not in judge_answer("経費は？", CONTEXT, [*pages, CONTEXT * 5], []).flags


@pytest.mark.parametrize(
    ("answer", "question", "other"),
    [
        ("You can return the item within thirty days.", "返品はできますか？", True),
        ("Your refund arrives in five days (返金).", "返金はいつですか？", True),
        ("Open the settings and choose VPN there.", "VPN設定方法", True),
        ("返金は5営業日以内です。", "How long does it take?", True),
        ("返金は5営業日以内に行われます。", "When?", True),
        ("请在30天内退货并联系客服。", "How do I return it?", True),
        ("주문은 5일 안에 도착합니다.", "When does my order arrive?", True),
        ("주문은 5일 안에 도착합니다.", "注文はいつ届きますか？", True),
        ("Ваш заказ прибудет через пять дней.", "When does my order arrive?", True),
        ("Ваш заказ прибудет через пять дней.", "Когда прибудет мой заказ?", False),
        ("It means refund of the money.", "What does 返金 mean?", False),
        ("東京都千代田区丸の内一丁目", "Where is the office?", False),
        ("iPhone 15 Pro Max 256GB", "返品できる商品は？", False),
        ("The angle is α + β = γ, about 30 degrees.", "What is the angle?", False),
        ("返品は30日以内に受け付けます。", "Can I return the item?", True),
        ("返品は30日以内に受け付けます。", "返品はできますか？", False),
        ("You can return it.", "Can I return it?", False),
        ("Visa, Mastercard", "使えるカードは？", False),
        ("E-4107", "エラーコードは？", False),
        ("東京", "Where is the head office of the company?", False),
        ("Wi-Fiの設定で Reset Network Settings を選びます。", "どうすれば直りますか？", False),
        ("anything", "", False),
    ],
)
def test_another_language_than_the_question_is_told(answer: str, question: str, *, other: bool) -> None:
    assert in_other_language(answer, question) is other
    assert ("language_mismatch" in judge_answer(question, answer, [CONTEXT], []).flags) is other


def test_question_coverage_is_the_share_of_the_question_that_the_answer_takes_up() -> None:
    assert question_coverage("経費精算の締め日はいつですか？", "経費精算の締め日は翌月5日です。") == 1.0
    assert question_coverage("What is the refund period?", "The refund period is 30 days.") == 1.0
    assert question_coverage("What is the refund period?", "Shipping takes a week.") == 0.0
    assert question_coverage("", "30 days") is None
    found = question_coverage("How long is the refund period for shoes?", "The refund period is 30 days.")
    assert found is not None
    assert 0 < found < 1
