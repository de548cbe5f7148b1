import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.evidence import Evidence
from rag_gate.judge.support import judge_claim
from rag_gate.wording.sentences import split_sentences

JAPANESE = (
    "経費精算の申請は、毎月末日までに経費精算システムから行い、部門責任者の承認を受けてください。"
    "承認後、翌月5日に「登録口座」へ1,200円以上の金額が振り込まれます。"
    "開封後の商品は返品できませんが、未開封の商品は30日以内であれば返品できます。"
    "会員の条件を満たす方は送料が無料です。"
)
ENGLISH = (
    "Employees must submit expense reports by the last day of each month through the expense portal. "
    'After approval, refunds are paid to the "registered account" within 5 business days. '
    "Opened software cannot be returned, but unopened items can be returned within 30 days."
)
CONTEXTS = ["会社の設立は2001年です。本社は東京にあります。", JAPANESE, ENGLISH]


@pytest.mark.parametrize(
    "claim",
    [
        "承認後、翌月5日に「登録口座」へ1,200円以上の金額が振り込まれます。",
        "経費精算の申請は毎月末日までに行います。",
        "経費精算システムから申請し、部門責任者の承認を受けてください。",
        "「登録口座」",
        "部門責任者の承認",
        "未開封の商品は３０日以内なら返品できます。",
        "承認後、金額が翌月５日に振り込まれます。",
        "Employees must submit expense reports by the last day of each month through the expense portal.",
        "Expense reports are submitted through the expense portal.",
        "Refunds are paid within five business days.",
        '"registered account"',
        "Unopened items can be returned within 30 days.",
        "You cannot return opened software.",
        "EMPLOYEES MUST SUBMIT EXPENSE REPORTS",
    ],
)
def test_copied_shortened_and_quoted_sentences_are_supported(claim: str) -> None:
    found = judge_claim(claim, CONTEXTS)
    assert found.verdict == "supported"
    assert found.flags == ()
    assert found.score >= 0.7


@pytest.mark.parametrize(
    ("claim", "index", "words"),
    [
        ("未開封の商品は返品できます。", 1, "未開封の商品は30日以内"),
        ("Refunds are paid within 5 business days.", 2, "within 5 business days"),
        ("本社は東京です。", 0, "本社は東京にあります。"),
    ],
)
def test_the_evidence_is_the_passage_that_says_it(claim: str, index: int, words: str) -> None:
    found = judge_claim(claim, CONTEXTS)
    assert found.context_index == index
    assert words in found.evidence
    assert found.evidence_span is not None
    start, end = found.evidence_span
    assert CONTEXTS[index][start:end] == found.evidence


@pytest.mark.parametrize(
    ("claim", "flag", "unmatched"),
    [
        ("承認後、翌月10日に振り込まれます。", "number_mismatch", "10日"),
        ("承認後、翌月5時間で振り込まれます。", "number_mismatch", "5時間"),
        ("会社の設立は2002年です。", "date_mismatch", "2002年"),
        ("Refunds are paid within 15 business days.", "number_mismatch", "15 business days"),
        ("未開封の商品は約60日以内であれば返品できます。", "number_mismatch", "60日"),
    ],
)
def test_another_number_or_date_makes_a_claim_unsupported(claim: str, flag: str, unmatched: str) -> None:
    found = judge_claim(claim, CONTEXTS)
    assert found.verdict == "unsupported"
    assert found.flags == (flag,)
    assert unmatched in found.unmatched


@pytest.mark.parametrize(
    "claim",
    [
        "会員の条件を満たさない方は送料が無料です。",
        "本社は東京にありません。",
        "Employees must not submit expense reports through the expense portal.",
    ],
)
def test_a_denied_word_needs_a_review(claim: str) -> None:
    assert judge_claim(claim, CONTEXTS).verdict == "needs_review"


def test_something_else_is_unsupported_and_says_what_is_unmatched() -> None:
    found = judge_claim("社員食堂では週替わりの和食ランチを提供しています。", CONTEXTS)
    assert found.verdict == "unsupported"
    assert any("食堂" in stretch for stretch in found.unmatched)
    assert judge_claim("The cafeteria serves lunch on weekdays.", CONTEXTS).verdict == "unsupported"


def test_a_half_known_claim_needs_a_review() -> None:
    found = judge_claim("The expense portal of each month is for employees and their families.", CONTEXTS)
    assert found.verdict == "needs_review"


@pytest.mark.parametrize("contexts", [[], [""], ["\n"]])
def test_without_contexts_nothing_is_supported(contexts: list[str]) -> None:
    found = judge_claim("翌月5日です。", contexts)
    assert (found.verdict, found.score, found.evidence) == ("unsupported", 0.0, "")
    assert found.context_index is None


def test_two_neighbouring_sentences_can_be_one_evidence() -> None:
    found = judge_claim(
        "申請は部門責任者の承認を受けてください。承認後、翌月5日に「登録口座」へ振り込まれます", CONTEXTS
    )
    assert found.verdict == "supported"
    assert found.evidence.count("。") == 2


def test_values_of_the_question_are_known() -> None:
    contexts = ["送料は無料です。"]
    claim = "2030年の送料は無料です。"
    assert judge_claim(claim, contexts).flags == ("date_mismatch",)
    assert judge_claim(claim, Evidence(contexts, also_known="2030年の送料は？")).flags == ()


def test_citations_inside_a_claim_do_not_lower_its_score() -> None:
    assert (
        judge_claim("本社は[文書 12]東京にあります。", CONTEXTS).score
        == judge_claim("本社は東京にあります。", CONTEXTS).score
    )


@given(st.lists(st.text(), max_size=4))
def test_every_sentence_of_a_context_is_supported_and_never_flagged(contexts: list[str]) -> None:
    evidence = Evidence(contexts)
    for context in contexts:
        for sentence in split_sentences(context):
            found = judge_claim(sentence, evidence)
            assert found.verdict == "supported"
            assert found.flags == ()


@given(st.text(), st.lists(st.text(), max_size=3))
def test_evidence_is_a_stretch_of_its_context_and_the_score_a_share(claim: str, contexts: list[str]) -> None:
    found = judge_claim(claim, contexts)
    assert 0.0 <= found.score <= 1.0
    if found.context_index is None:
        assert found.evidence == ""
    else:
        assert found.evidence in contexts[found.context_index]


SENTENCES = [sentence.text for context in CONTEXTS for sentence in split_sentences(context)]


@given(st.permutations(SENTENCES), st.integers(1, len(SENTENCES)))
def test_the_order_of_contexts_does_not_change_a_score(order: list[str], n: int) -> None:
    claim = "申請は部門責任者が5日以内に承認します。"
    assert judge_claim(claim, order[:n]).score == judge_claim(claim, sorted(order[:n])).score
