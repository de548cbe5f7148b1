import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.folding import fold
from rag_gate.safety.sentences import sentence_around


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ Ｉnstant", "abc instant"),
        ("ｱﾊﾟｰﾄ ｴﾗｰ", "アパート エラー"),
        ("か\u3099く", "がく"),
        ("㈱½", "(株)1\u20442"),
        ("same\u2011day don\u2019t “x”", 'same-day don\'t "x"'),
        ("即\u200b時\ufeff返\u00ad金\U000e0041", "即時返金"),
        ("**bold** 2*3", "bold 2*3"),
        ("Straße", "strasse"),
    ],
)
def test_forms_that_mean_the_same_fold_to_the_same(text: str, folded: str) -> None:
    assert fold(text).text == folded


def test_letter_case_can_be_kept() -> None:
    assert fold("ＡＢＣ", case=False).text == "ABC"


@given(st.text(max_size=60))
def test_each_folded_character_knows_its_place(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    for index, char in enumerate(folded.text):
        start, end = folded.original(index, index + 1)
        assert 0 <= start < end <= len(text)
        first, last = folded.place(start, end)
        assert first <= index < last
        assert char in folded.text[first:last]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("はい。XはYです。次。", "", "はYです"),
        ("First. We do not\noffer X, e.g. now. Last", " We do not\noffer ", ", e.g. now"),
        ("見出し\n・X：不可\n・Y：可", "・", ":不可"),
        ("- X: no\n- Y: yes", "- ", ": no"),
        ("「X」は可能です。", "", "は可能です"),
    ],
)
def test_the_sentence_around_a_span_ends_at_marks_and_items(text: str, before: str, after: str) -> None:
    folded = fold(text, case=False).text
    start = folded.index("X")
    sentence = sentence_around(folded, start, start + 1)
    assert (sentence.before, sentence.after, sentence.quoted) == (before, after, False)


def test_a_span_inside_a_longer_quotation_is_quoted() -> None:
    text = "「Xはできますか」とのことですが"
    assert sentence_around(text, 1, 2).quoted
    assert not sentence_around("「別」のXは", 4, 5).quoted
