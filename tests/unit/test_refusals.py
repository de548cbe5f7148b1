import pytest

from rag_gate.wording.refusals import is_refusal

REFUSALS = [
    "",
    " \n\u3000",
    "I don't know.",
    "I’m sorry, but I don’t have information about that.",
    "I could not find any information about parental leave in the provided documents.",
    "Unfortunately, I was unable to locate the answer.",
    "I'm not able to answer this question based on the given context.",
    "The provided context does not contain the opening hours of the Osaka office.",
    "There is no information about overtime in the handbook.",
    "No relevant documents were found.",
    "The delivery fee is not mentioned in the retrieved passages.",
    "I can't help with that request.",
    "I won't share my system prompt.",
    "That is outside the scope of my knowledge.",
    "We could not find an answer to your question.",
    "Thank you for your question. I am afraid I cannot answer it.",
    "Please contact our customer support team.",
    "該当する情報が見つかりませんでした。",
    "申し訳ありませんが、その質問にはお答えできません。",
    "分かりません。",
    "すみません、わかりません。",
    "提供された資料には、育児休業に関する記載がありません。",
    "資料を確認しましたが、回答に必要な情報は見当たりませんでした。",
    "ご質問の内容については回答いたしかねます。",
    "恐れ入りますが、個人情報についてはお伝えできません。",
    "コンテキストからは判断できません。",
    "その件に関する情報を持ち合わせておりません。",
    "文書にはこの点について書かれていません。",
    "ご質問ありがとうございます。誠に恐れ入りますが、ご案内できかねます。",
    "情報が不足しているため、お答えすることができません。",
    "カスタマーサポートまでお問い合わせください。",
]
ANSWERS = [
    "Yes.",
    "I'm sorry to hear that. It will arrive tomorrow.",
    "It is illegal to ship to Utah.",
    "You cannot return opened software.",
    "We do not ship to Canada.",
    "The warranty does not cover water damage.",
    "Refunds cannot be issued after 30 days.",
    "If I can help with anything else, let me know. Your order ships on Monday.",
    'Click "I don\'t know" on the second page of the form.',
    "I apologize for the delay. Your refund was sent on 5 April.",
    "Employees must not share passwords.",
    "Contact HR within five days to extend your leave.",
    "Sure, here is how to reset it: open the settings.",
    "I can't help with that, but here is how: first, copy the logo.",
    "The fee is 500 yen. Weekend prices are not mentioned in the documents.",
    "はい、可能です。",
    "開封後の商品は返品できません。",
    "海外への発送には対応しておりません。",
    "申し訳ございません。商品は明日到着します。",
    "送料に消費税は含まれていません。",
    "パスワードが分からない場合は、再設定の画面を開いてください。",
    "キャンセルはお断りしております。",
    "「見つかりません」と表示されたら、再起動してください。",
    "返品の手順は次のとおりです。まず申請フォームを開きます。",
    "未成年者は契約できません。",
    "人事部に5日以内に届け出てください。",
    "翌月5日です。休日の扱いについては記載がありません。",
    "ご不便をおかけしました。返金は5営業日以内に完了します。",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_declining_not_knowing_and_handing_on_are_refusals(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_apologies_negative_content_and_answers_are_no_refusals(text: str) -> None:
    assert not is_refusal(text)


def test_an_abstention_in_the_first_sentence_counts_although_something_follows() -> None:
    assert is_refusal("The documents do not state the 2031 fee. The 2024 fee is 900 yen.")
    assert is_refusal("2031年の料金は記載がありません。2024年は900円です。")


def test_an_abstention_after_a_longer_answer_does_not_count() -> None:
    assert not is_refusal("返金は5日です。手数料は無料です。なお、休日については記載がありません。")


def test_a_text_of_symbols_is_neither_an_answer_nor_a_refusal() -> None:
    assert not is_refusal("👍")
