import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.wording.sentences import split_sentences

EXAMPLES = [
    ["経費は翌月5日までに申請します。", "承認は部門責任者が行います。"],
    ["本当ですか？", "はい！", "すぐ届きます。"],
    ["担当者は「はい。承知しました。」と答えました。", "以上です。"],
    ["（休日を除く。ただし祝日は含む。）3日以内に届きます。", "送料は無料です。"],
    ["価格は3.5万円です．", "送料は別です．"],
    ["『注意。』と書かれた箱です。", "開けないでください。"],
    ["Refunds take 3.5 days on average.", "Contact Mr. Smith."],
    ["See e.g. Section 3 and No. 5 of the list.", "It applies to the U.S. market."],
    ["Version v2.1 is out.", "Is it stable?", "Yes!"],
    ['He said "It works. Trust me." and left.', "Nobody knew."],
    ["Dr. Jones vs. Prof. Lee was short.", "J. R. R. Tolkien wrote it."],
    ["The office opens at 9 a.m. on Monday.", "It closes at 5 p.m."],
    ["Visit https://example.com/a.b?c=1 for details.", "Then log in."],
    ["Acme Inc. sells pens, ink, etc. to schools.", "The answer is no.", "We checked."],
    ["He paid $3.50 (approx. 3 euros. Maybe less) for it.", "Cheap!"],
    ["Wait... what happened?", "Nothing."],
    ["APIキーは設定画面で発行します。", "The key is valid for 30 days.", "期限後は再発行してください。"],
    ["She moved to Washington D.C. in May.", "The move took 2 days."],
]


def texts(text: str) -> list[str]:
    return [span.text for span in split_sentences(text)]


def joined(sentences: list[str]) -> str:
    return "".join(one if one[-1] in "。！？．" else f"{one} " for one in sentences)


@pytest.mark.parametrize("sentences", EXAMPLES)
def test_sentences_of_one_line_are_told_apart(sentences: list[str]) -> None:
    assert texts(joined(sentences)) == sentences


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_line_end_always_ends_a_sentence(end: str) -> None:
    everything = [sentence for example in EXAMPLES for sentence in example]
    assert texts(end.join(everything)) == everything


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 申請する\n2. 承認する", ["申請する", "承認する"]),
        ("１．申請する\n(2) 承認する", ["申請する", "承認する"]),
        ("- first\n* second\n+ third", ["first", "second", "third"]),
        ("・申請\n① 承認\n> quoted", ["申請", "承認", "quoted"]),
        ("## 手順\n10) 開く", ["手順", "開く"]),
        ("3.5 days pass.\n-5 degrees.", ["3.5 days pass.", "-5 degrees."]),
        ("2024年です", ["2024年です"]),
    ],
)
def test_list_markers_are_left_out(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("返金は5日です。[1] 送料は無料です。[出典: 規程.pdf]", ["返金は5日です。", "送料は無料です。"]),
        ("返金は5日です [出典: 規程. 第3版]", ["返金は5日です"]),
        ("It takes 5 days. [source: faq.md]", ["It takes 5 days."]),
        ("It takes 5 days [1, 2].", ["It takes 5 days [1, 2]."]),
        ("【出典: 規程】", []),
        ("[文書 3]返金は5日です（参考：FAQ）", ["返金は5日です"]),
        ("詳しくは[規程](https://example.com)を見る", ["詳しくは[規程](https://example.com)を見る"]),
    ],
)
def test_citation_markers_are_no_claims(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_japanese_without_a_full_stop_is_a_sentence() -> None:
    assert texts("翌月5日") == ["翌月5日"]


@pytest.mark.parametrize("text", ["", " ", "\u3000\n\t", "---", "。。。", "***\n…"])
def test_a_text_without_letters_or_digits_has_no_sentence(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "「未閉の引用です。次の文です。終わり。",
        "閉じるだけ」です。次の文です。終わり。",
        "（はじめ。次の文です。終わり。",
        '"open. The next one. The end.',
    ],
)
def test_an_unbalanced_quote_does_not_swallow_the_rest(text: str) -> None:
    assert len(texts(text)) == 3


@given(st.text())
def test_spans_map_back_to_the_text_in_order(text: str) -> None:
    end = 0
    for span in split_sentences(text):
        assert text[span.start : span.end] == span.text
        assert end <= span.start < span.end
        assert span.text == span.text.strip()
        end = span.end


@given(st.text(alphabet='。.!?「」()"[]出典:1 \nあaA-・', max_size=60))
def test_no_letter_or_digit_is_lost_but_markers(text: str) -> None:
    kept = "".join(span.text for span in split_sentences(text))
    assert kept.count("a") + kept.count("A") + kept.count("あ") >= (
        text.count("a") + text.count("A") + text.count("あ") - 10 * text.count("出典")
    )


@pytest.mark.parametrize("unit", ["「", "(", '"a. ', "[出典:", "1. ", "。", "a.", "!?", "[1]"])
def test_time_grows_with_the_length_only(unit: str) -> None:
    started = time.process_time()
    split_sentences(unit * 30_000)
    assert time.process_time() - started < 3
