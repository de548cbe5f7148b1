import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.safety.citations import CitationSettings, citation_scores, find_citations, resolve_ranks


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("返金は3日です [出典: refund_v3]。", ["refund_v3"]),
        ("返金は3日です［出典：返金規約、配送規約］。", ["返金規約", "配送規約"]),
        ("[参考: a.md; b.md] [出典: a.md]", ["a.md", "b.md"]),
        ("[文書 12] と [文書3, 4]", ["12", "3", "4"]),
        ("【出典：返金規約】", ["返金規約"]),
        ("（出典：返金規約）", ["返金規約"]),
        ("[source: faq.md, p. 3]", ["faq.md"]),
        ("[Sources: faq.md#2, Terms of Use]", ["faq.md#2", "Terms of Use"]),
        ("Refunds take 3 days (Source: refund policy).", ["refund policy"]),
        ("First[1], then [2, 3] and [5-7].", ["1", "2", "3", "5", "6", "7"]),
        ("配送は2日です【1】【2†source】。", ["1", "2"]),
        ("See [^4].", ["4"]),
        ("[出典: 規約 第2条、出典: faq]", ["規約 第2条", "faq"]),
        ("[出典: FAQ] [出典: ｆａｑ]", ["FAQ"]),
        ("Nothing here (see above), [0], [note], [sourced], 【重要】.", []),
        ("", []),
    ],
)
def test_markers_are_found_in_order_and_split(answer: str, cited: list[str]) -> None:
    assert find_citations(answer) == cited


def test_own_markers_replace_the_usual_ones() -> None:
    settings = CitationSettings((r"<src>([^<]+)</src>",))
    assert find_citations("<src>a, b</src> [1]", settings) == ["a", "b"]


@pytest.mark.parametrize(
    ("markers", "problem"),
    [
        ((), "no citation marker"),
        (("(",), "not a valid"),
        ((r"\[x\]",), "no group"),
        ((r"(a+)+",), "repeated group"),
    ],
)
def test_a_marker_that_cannot_be_used_is_refused(markers: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        CitationSettings(markers)


def test_numbers_stand_for_ranks_unless_they_are_ids() -> None:
    assert resolve_ranks(["1", "2", "9", "x"], ["doc-a", "doc-b"]) == ["doc-a", "doc-b", "9", "x"]
    assert resolve_ranks(["2"], ["2", "7"]) == ["2"]


def test_expected_citations_are_compared_after_normalisation() -> None:
    scores = citation_scores(["ＦＡＱ", "extra"], ["faq", "terms"], ["faq", "extra"])
    assert (scores.has_citation, scores.precision, scores.recall, scores.unknown) == (True, 0.5, 0.5, [])


def test_without_expectations_the_retrieved_documents_count() -> None:
    scores = citation_scores(["a", "ghost"], [], ["a", "b"])
    assert (scores.precision, scores.recall, scores.unknown) == (0.5, None, ["ghost"])


def test_what_cannot_be_compared_has_no_score() -> None:
    assert citation_scores([], ["a"], ["a"]).precision is None
    assert citation_scores([], ["a"], ["a"]).recall == 0
    nothing = citation_scores(["a"], [], [])
    assert (nothing.precision, nothing.unknown) == (None, ["a"])


def test_a_chunk_counts_for_its_document_only_by_alias() -> None:
    assert citation_scores(["doc#3"], ["doc"], ["doc#3"]).recall == 0
    scores = citation_scores(["doc#3"], ["doc"], ["doc#3"], {"doc#3": "doc"})
    assert (scores.precision, scores.recall, scores.unknown) == (1, 1, [])


@given(st.lists(st.text(max_size=4)), st.lists(st.text(max_size=4)), st.lists(st.text(max_size=4)))
def test_scores_stay_between_zero_and_one(
    cited: list[str], expected: list[str], retrieved: list[str]
) -> None:
    scores = citation_scores(cited, expected, retrieved)
    assert all(value is None or 0 <= value <= 1 for value in (scores.precision, scores.recall))
    assert scores == citation_scores(cited, expected[::-1], retrieved[::-1])


@given(st.text(alphabet="[]【】()出典:source 1,-3、\n", max_size=200))
def test_any_text_gives_distinct_ids(answer: str) -> None:
    cited = find_citations(answer)
    assert len(set(cited)) == len(cited)
    assert all(item.strip() for item in cited)
