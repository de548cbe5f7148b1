"""Sentences that are nearly copies of their source: an exchanged name or a negation needs a reader."""

import pytest

from rag_gate.judge.evidence import Evidence
from rag_gate.judge.polarity import disagreements, negations, polarity
from rag_gate.judge.support import judge_claim

CONTEXTS = [
    "田中部長は2019年に大阪支社の開設を担当した。鈴木課長は2021年に福岡支社の開設を担当した。",
    "Anna Weber opened the office in Osaka. Tom Meyer opened the office in Berlin.",
    "高橋部長が名古屋支社の移転を担当した。佐藤課長が札幌支社の移転を担当した。",
    "ギターを弾いている男性がステージにいる。出荷済みの商品は返品できます。",
]


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("佐藤課長が名古屋支社の移転を担当した。", "佐藤課長"),
        ("Anna Weber opened the office in Berlin.", "Berlin"),
    ],
)
def test_a_name_from_elsewhere_in_a_near_copy_needs_a_review(claim: str, name: str) -> None:
    found = judge_claim(claim, CONTEXTS)
    assert found.verdict == "needs_review"
    assert "unknown_entity" in found.hints
    assert any(name in word or word in name for word in found.unmatched)


@pytest.mark.parametrize(
    ("claim", "question", "flags"),
    [
        ("田中部長は2021年に大阪支社の開設を担当した。", "", ("date_mismatch",)),
        ("田中部長は2021年に大阪支社の開設を担当した。", "2021年の担当は？", ()),
        ("田中部長は大阪支社の開設を担当した。", "", ()),
        ("田中部長は2019年に、鈴木課長は2021年に支社の開設を担当した。", "", ()),
    ],
)
def test_a_value_from_elsewhere_in_a_near_copy_is_a_mismatch(
    claim: str, question: str, flags: tuple[str, ...]
) -> None:
    assert judge_claim(claim, Evidence(CONTEXTS, also_known=question)).flags == flags


def test_a_name_that_no_context_holds_is_a_hint() -> None:
    assert "unknown_entity" in judge_claim("The office in Nagoya was opened by Anna Weber.", CONTEXTS).hints
    assert judge_claim("Anna Weber opened the office in Osaka.", CONTEXTS).hints == ()


@pytest.mark.parametrize(
    "claim",
    [
        "出荷済みの商品は返品できません。",
        "ギターを弾いている男性がステージにいない。",
        "Tom Meyer never opened the office in Berlin.",
        "Tom Meyer did not open the office in Berlin.",
    ],
)
def test_a_negation_of_a_near_copy_needs_a_review(claim: str) -> None:
    found = judge_claim(claim, CONTEXTS)
    assert found.verdict == "needs_review"
    assert found.hints == ("negation_mismatch",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ギターを弾いている男性は一人もいない", "男性がギターを弾いている"),
        ("そのことを知る社員は誰もいません。", "社員がそのことを知る。"),
        ("返品できる商品は一つもありません。", "この商品は返品できる。"),
    ],
)
def test_nobody_and_nothing_deny_the_whole_clause(one: str, other: str) -> None:
    assert disagreements(polarity(one), polarity(other))
    assert disagreements(polarity(one), polarity(one)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("申請しなければならない。", []),
        ("夢を見るのではないかと言われます。", []),
        ("返品できません。", ["ません"]),
        ("It is not only cheap.", ["not"]),
        ("There is no fee, and you can't pay.", ["no", "can't"]),
    ],
)
def test_negations_are_counted_without_duty_and_questions(text: str, found: list[str]) -> None:
    assert negations(text) == found
