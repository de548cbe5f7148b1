"""Text comparison that knows Japanese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.evidence import evidence_found, evidence_ranks, evidence_recall_at_k
from rag_gate.text import answers_match, contains, find_whole, is_japanese, normalise


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ("翌月5日", "翌月５日"),
        (" 翌月 5日 。", "翌月5日"),
        ("ｶﾌﾞｼｷ", "カブシキ"),
        ("Monthly   Report\n", "monthly report"),
        ("ＡＢＣ-１２", "abc-12"),
        ("はい!", "はい"),
        ("STRASSE", "straße"),
        ("!", "！"),
        ("か゛そりん", "がそりん"),
    ],
)
def test_width_case_spaces_and_closing_punctuation_do_not_matter(actual: str, expected: str) -> None:
    assert answers_match(actual, expected)
    assert answers_match(expected, actual)


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ("翌月15日", "翌月5日"),
        ("翌月の5日まで", "翌月5日"),
        ("monthlyreport", "monthly report"),
        ("-5", "5"),
        ("", "?"),
        ("。", "!"),
        ("", "はい"),
    ],
)
def test_another_answer_does_not_match(actual: str, expected: str) -> None:
    assert not answers_match(actual, expected)


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(), st.text())
def test_matching_has_no_direction_and_every_answer_matches_itself(left: str, right: str) -> None:
    assert answers_match(left, left)
    assert answers_match(left, right) == answers_match(right, left)


@pytest.mark.parametrize(
    ("needle", "haystack", "wanted"),
    [
        ("5日", "締め切りは15日", -1),
        ("5日", "締め切りは5日", 5),
        ("5", "3.5", 2),
        ("cat", "concatenate", -1),
        ("cat", "a concat, a cat", 12),
        ("表", "一覧表示", 2),
        ("5日", "15日か5日", 4),
        ("abc", "ab", -1),
        ("caf", "café", -1),
        ("api", "api는 무료", 0),
        ("api", "ใช้api", 3),
        ("api", "это api", 4),
        ("고양이", "고양이api", 0),
        ("café", "cafés", 0),
        ("5", "٣5", -1),
    ],
)
def test_a_whole_is_found_and_a_part_of_a_number_or_word_is_not(
    needle: str, haystack: str, wanted: int
) -> None:
    assert find_whole(needle, haystack) == wanted
    assert contains(needle, haystack) == (wanted != -1)


def test_an_empty_text_is_contained_nowhere() -> None:
    with pytest.raises(ValueError, match="contained nowhere"):
        contains("", "x")
    with pytest.raises(ValueError, match="contained nowhere"):
        evidence_ranks([" "], ["x"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("返品できます", True), ("返品規程", True), ("Return policy", False), ("API返品", False), ("", False)],
)
def test_japanese_is_recognised(text: str, *, wanted: bool) -> None:
    assert is_japanese(text) is wanted


def test_evidence_must_stand_whole_in_one_of_the_first_k_chunks() -> None:
    passages, chunks = ["締め切りは5日", "上長の承認"], ["締め切りは", "5日です", "上長の 承認"]
    assert evidence_found(passages, chunks, 3) == [False, True]
    assert evidence_ranks(passages, [*chunks[:2], None, chunks[2]]) == [None, 4]
    assert evidence_recall_at_k(passages, chunks, 3) == 0.5
    assert evidence_recall_at_k(passages, chunks, 2) == 0.0


@pytest.mark.parametrize(("passages", "k"), [([], 1), (["x"], 0)])
def test_evidence_recall_without_passages_or_k_is_not_defined(passages: list[str], k: int) -> None:
    with pytest.raises(ValueError, match=r"not defined|at least 1"):
        evidence_recall_at_k(passages, ["x"], k)
