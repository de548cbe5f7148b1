import pytest

from rag_gate.judge.courtesy import is_courtesy
from rag_gate.judge.lexical import judge_answer


@pytest.mark.parametrize(
    "sentence",
    [
        "Thank you for your question.",
        "That's a great question!",
        "We are very sorry for the inconvenience.",
        "I hope this helps!",
        "Please do not hesitate to write again if anything is unclear.",
        "If you have any other questions, feel free to ask.",
        "This is what our documents say:",
        "You can do it in two ways:",
        "お問い合わせいただきありがとうございます。",
        "良いご質問ですね。",
        "申し訳ございません。",
        "ご不便をおかけして申し訳ございません。",
        "ほかにご不明な点がございましたら、お知らせください。",
        "ご質問の件は、以下のとおりです。",
        "よろしくお願いいたします。",
    ],
)
def test_a_phrase_of_courtesy_claims_nothing(sentence: str) -> None:
    assert is_courtesy(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Unfortunately, opened items cannot be returned.",
        "Thank you for your order, which ships from Osaka within two days.",
        "If you have a receipt, we refund the full price.",
        "The fee is 500 yen:",
        "その他の商品は返品できません。",
        "申し訳ございませんが、返品できません。",
        "ご質問の件は30日以内です。",
        "他に送料がかかります。",
        "ありがとうございますと書かれた紙が届きます。",
    ],
)
def test_a_sentence_that_says_something_is_a_claim(sentence: str) -> None:
    assert not is_courtesy(sentence)


def test_courtesy_does_not_lower_support() -> None:
    context = "返品は30日以内に受け付けます。送料は500円です。"
    answer = "お問い合わせありがとうございます。送料は500円です。ほかにご不明な点がございましたら、お知らせください。"
    assert judge_answer("送料は？", answer, [context], []).support == 1.0
    found = judge_answer("送料は？", "お問い合わせありがとうございます。", [context], [])
    assert (found.support, found.reasons["support"]) == (None, "the answer makes no claim")
