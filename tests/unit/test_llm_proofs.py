"""What a judge says of claims is checked: no gain for one that lies or obeys, no loss for one that is honest."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_material import request

from rag_gate.judge.llm.material import material_of
from rag_gate.judge.llm.replies import Claim, ModelVerdict
from rag_gate.judge.llm.scoring import Scored, score

FIVE = "Refunds arrive within 5 business days."
FIVE_JA = "返金は5営業日以内に行われます。"


def judged(
    answer: str, documents: str | Sequence[str], *claims: tuple[str, str | None], question: str = "When?"
) -> Scored:
    contexts = (documents,) if isinstance(documents, str) else tuple(documents)
    said = [
        Claim(text=text, evidence=evidence, document=1, supported=evidence is not None)
        for text, evidence in claims
    ]
    material = material_of(request(answer, contexts=contexts, question=question))
    return score(ModelVerdict(nonce="n", claims=said), material)


def flags(found: Scored) -> list[str]:
    return [flag for row in found.detail["claims"] for flag in row.get("flags", [])]


def notes(found: Scored) -> list[str]:
    return [note for row in found.detail["claims"] for note in row.get("notes", [])]


@pytest.mark.parametrize(
    ("answer", "document", "claim", "evidence", "flag"),
    [
        ("Refunds arrive within 90 days.", FIVE, FIVE, FIVE, "number_not_in_answer"),
        ("返金は90日以内に行われます。", FIVE_JA, FIVE_JA, FIVE_JA, "number_not_in_answer"),
        ("返金は九十日以内です。", FIVE_JA, "返金は5営業日以内です", FIVE_JA, "number_not_in_answer"),
        ("It takes ninety days.", "It takes ten days.", "It takes ten days", "It takes ten days.", "number_not_in_answer"),
        ("It began on 4 May 2024.", "It began on 5 May 2024.", "It began on 5 May 2024", "It began on 5 May 2024", "number_not_in_answer"),
        ("Refunds arrive within 90 days.", FIVE, "Refunds arrive within 90 days.", FIVE, "number_not_in_evidence"),
        ("It takes ninety days.", FIVE, "Refunds take ninety days", FIVE, "number_not_in_evidence"),
        ("返金は九十日です。", FIVE_JA, "返金は九十日です", FIVE_JA, "number_not_in_evidence"),
        (
            "Refunds arrive within 90 days.",
            f"{FIVE} The warranty lasts 90 days.",
            "Refunds arrive within 90 days",
            "Refunds arrive within 5 business days",
            "number_not_in_evidence",
        ),
        (
            "Refunds arrive within 90 days.",
            "Refunds arrive within 5 business days, and the warranty lasts 90 days.",
            "Refunds arrive within 90 days",
            "Refunds arrive within 5 business days",
            "number_not_in_evidence",
        ),
        ("The fee is 5 euros.", f"{FIVE} The fee is due.", "The fee is 5 euros", FIVE, "number_not_in_evidence"),
        ("It began on 4 May 2024.", "It began on 5 May 2024.", "It began on 4 May 2024", "It began on 5 May 2024.", "number_not_in_evidence"),
        ("Opened items can be returned.", "Opened items cannot be returned.", "Opened items can be returned", "Opened items cannot be returned.", "negation"),
        ("Opened items can be returned.", "Opened items can't be returned.", "Opened items can be returned", "Opened items", "negation"),
        ("開封品は返品できます。", "開封品は返品できません。", "開封品は返品できます", "開封品は返品できません", "negation"),
        ("The moon is made of cheese.", FIVE, "The moon is made of cheese", "Refunds arrive", "evidence_unrelated"),
        ("月はチーズです。", FIVE_JA, "月はチーズです", "返金は5営業日以内", "evidence_unrelated"),
        ("The fee is 3.5 euros.", "The fee is 3.5 euros.", "The fee is 5 euros", "5 euros", "evidence_not_found"),
        ("The fee is 5 euros.", "The fee is 15 euros.", "The fee is 5 euros", "5 euros.", "evidence_not_found"),
        ("Fees are waived.", "Fees" + " apply." + " They must be paid at once." * 40 + " Nothing is waived.", "Fees are waived", "Fees ... waived", "evidence_not_found"),
    ],
)  # fmt: skip
def test_a_claim_that_its_quotation_or_the_answer_does_not_bear_out_counts_as_unsupported(
    answer: str, document: str, claim: str, evidence: str, flag: str
) -> None:
    found = judged(answer, document, (claim, evidence))
    assert found.scores == {"faithfulness": 0.0}
    assert flag in flags(found)


@pytest.mark.parametrize(
    ("answer", "document", "claims"),
    [
        (f"{FIVE} The fee is 5 euros.", FIVE, [FIVE]),
        (f"{FIVE} The fee is 7 euros.", FIVE, [FIVE]),
        (f"{FIVE} Returns take ninety days.", FIVE, [FIVE]),
        (f"{FIVE_JA}送料は九百円です。", FIVE_JA, [FIVE_JA]),
        (f"{FIVE_JA}送料は5円です。", FIVE_JA, [FIVE_JA]),
        (f"{FIVE} It changed on 4 May 2024.", FIVE, [FIVE]),
    ],
)
def test_a_number_that_no_claim_states_of_its_sentence_counts_as_unsupported(
    answer: str, document: str, claims: list[str]
) -> None:
    found = judged(answer, document, *((claim, document) for claim in claims))
    assert found.scores == {"faithfulness": 0.5}
    assert flags(found) == ["not_claimed"]


CHEESE = ("The moon is made of cheese", None)


@pytest.mark.parametrize(
    "copies",
    [
        [FIVE] * 20,
        [FIVE, FIVE.upper(), f'"{FIVE}"', "Refunds arrive within 5  business days"],
        [FIVE, "Refunds arrive", "Refunds arrive within 5 days", "Within 5 business days refunds arrive"],
        [FIVE, "Refunds", "arrive", "business"],
    ],
)
def test_what_is_claimed_again_does_not_count_again(copies: list[str]) -> None:
    found = judged(f"{FIVE} The moon is made of cheese.", FIVE, *((copy, FIVE) for copy in copies), CHEESE)
    assert found.scores == {"faithfulness": 0.5}
    assert found.detail["repeated_claims"] == len(copies) - 1


def test_a_claim_that_is_called_supported_and_unsupported_is_unsupported() -> None:
    found = judged(FIVE, FIVE, (FIVE, FIVE), (FIVE, None))
    assert found.scores == {"faithfulness": 0.0}


def test_unsupported_claims_of_the_same_words_in_another_order_are_two() -> None:
    found = judged("A beats B. B beats A.", FIVE, ("A beats B", None), ("B beats A", None))
    assert found.detail["unsupported_claims"] == 2


TEN = [
    "Drones deliver parcels daily", "Gift cards never expire", "Shops close early on Mondays", "Cheese grows on the moon",
    "Managers answer angry letters", "Cats guard the warehouse", "Boxes are painted yellow", "Clerks speak ancient Greek",
    "Trains carry frozen food", "Refunds arrive within days",
]  # fmt: skip


def test_a_reply_that_passes_over_most_of_a_long_answer_is_no_verdict() -> None:
    found = judged(". ".join(TEN) + ".", FIVE, ("Refunds arrive within days", "Refunds arrive within"))
    assert "faithfulness" not in found.scores
    assert found.unscored is not None
    assert found.unscored[0] == "judge_bad_reply"
    assert len(found.detail["passed_over"]) == 9


def test_a_few_statements_that_are_passed_over_are_shown() -> None:
    found = judged(f"{FIVE} Cats guard the warehouse.", FIVE, (FIVE, FIVE))
    assert found.scores == {"faithfulness": 1.0}
    assert found.detail["passed_over"] == ["Cats guard the warehouse."]


@pytest.mark.parametrize(
    ("answer", "document", "claim", "evidence"),
    [
        ("料金は5ユーロです。", "料金は\n5ユーロです。", "料金は5ユーロです", "料金は5ユーロです"),
        ("返品は14日以内です。", "返品は１４日\n以内に限り可能。", "返品は14日以内", "返品は14日以内に限り"),
        ("It's open.", "It’s open daily.", "It's open", "It's open daily"),
        ("It is open.", "It is open daily.", "It is open", '"It is open daily."'),
        ("It is open.", "It is open daily.", "It is open", "“It is open daily”"),
        ("返品できます。", "未開封なら返品できます。", "返品できます", "「未開封なら返品できます。」"),
        ("The fee is 5 euros.", "The **fee** is _5_ euros.", "The fee is 5 euros", "The fee is 5 euros"),
        ("The fee is 5 euros.", "The fee is 5 euros.", "The fee is 5 euros", "The **fee** is 5 euros"),
        ("Refunds are immediate.", "Refunds are imme-\ndiate.", "Refunds are immediate", "Refunds are immediate"),
        ("Refunds are immediate.", "Refunds are imme-\ndiate.", "Refunds are immediate", "Refunds are imme-diate"),
        ("The hotline is open.", "THE HOTLINE IS OPEN.", "The hotline is open", "The hotline is open"),
        ("The hotline is open.", "The hotline, as always, is open.", "The hotline is open", "The hotline ... is open"),
        ("窓口は開いています。", "窓口は、祝日を除き、開いています。", "窓口は開いています", "窓口は…開いています"),
        ("窓口は開いています。", "窓口は、祝日を除き、開いています。", "窓口は開いています", "窓口は（中略）開いています"),
        ("The hotline is open.", "We note: the hotline is open.", "The hotline is open", "[...] the hotline is open ..."),
        ("The fee is 1,200 euros.", "The fee is 1,200 euros.", "The fee is 1200 euros", "fee is 1200 euros"),
        ("It takes 3 to 5 days.", "It takes 3–5 days.", "It takes 3-5 days", "It takes 3-5 days"),
        ("3～5日です。", "3〜5日です。", "3~5日", "3~5日です"),
        ("Use <s> tags.", "Use <s> tags. ### System notes", "Use <s> tags", "Use <s> tags"),
        ("Open Settings.", "Open <b>Settings</b> now.", "Open Settings", "Open Settings now"),
        ("See the manual.", "See [the manual](https://a.example/x) first.", "See the manual", "See the manual first"),
        ("Tom & Co pay.", "Tom &amp; Co pay.", "Tom & Co pay", "Tom & Co pay"),
        ("It is red, green.", "- It is red\n- green", "It is red, green", "It is red\\n- green"),
        ("カードが使えます。", "ｶｰﾄﾞが使えます。", "カードが使えます", "カードが使えます"),
        ("The fee is 5 euros.", "The f\u200bee is 5 euros.", "The fee is 5 euros", "The fee is 5 euros"),
        ("The fee is 5 euros [1].", "The fee is 5 euros.", "The fee is 5 euros", "The fee is 5 euros."),
        ("はい。", "開封済みでも返品できます。", "開封済みでも返品できる", "開封済みでも返品できます"),
        ("Yes.", "Opened items can be returned.", "Opened items can be returned", "Opened items can be returned"),
        ("Your money is back in a week.", FIVE, "The refund takes one week", FIVE),
        ("お金は1週間ほどで戻ります。", FIVE_JA, "返金には約1週間かかる", FIVE_JA),
        ("It takes two weeks.", "Delivery takes 14 days.", "Delivery takes two weeks", "Delivery takes 14 days"),
        ("返品は14日以内です。", "Items can be returned within 14 days.", "返品は14日以内", "can be returned within 14 days"),
        ("Items can be returned within 14 days.", "返品は14日以内です。", "Items can be returned within 14 days", "返品は14日以内"),
        ("Refunds are not possible after 14 days.", "Refunds are possible within 14 days.", "Refunds are not possible after 14 days", "Refunds are possible within 14 days"),
        ("Opened items cannot be returned.", "Opened items are excluded from returns.", "Opened items cannot be returned", "Opened items are excluded from returns"),
        ("返品はできません。", "返品は禁止されています。", "返品はできません", "返品は禁止されています"),
        ("In 2024 the fee is 5 euros.", "Fees of 2024\nThe fee is 5 euros.", "In 2024 the fee is 5 euros", "The fee is 5 euros"),
        ("The fee is 5 euros.", "Fees\nNormally the fee is 5 euros.", "The fee is 5 euros", "the fee is"),
        ("Case 3: refunds take 5 days.", "Refunds take 5 days.", "Refunds take 5 days", "Refunds take 5 days"),
        ("5 days.", "Refunds take 5 days.", "Refunds take 5 days", "Refunds take 5 days"),
        ("1. Open Settings.\n2. Click Save.", "Open Settings. Click Save.", "Open Settings and click Save", "Open Settings. Click Save."),
        ("٩٠ يوما.", "تستغرق ٩٠ يوما", "٩٠ يوما", "٩٠ يوما"),
        ("환불은 5일 걸립니다.", "환불이 5일 걸립니다.", "환불은 5일 걸립니다", "환불이 5일 걸립니다."),
    ],
)  # fmt: skip
def test_an_honest_judge_loses_nothing_by_how_it_quotes_and_puts_things(
    answer: str, document: str, claim: str, evidence: str
) -> None:
    found = judged(answer, document, (claim, evidence))
    assert flags(found) == []
    assert found.scores == {"faithfulness": 1.0}


def test_a_quotation_from_another_document_than_named_counts_and_is_put_right() -> None:
    found = judged(FIVE, ("The hotline is closed.", FIVE), (FIVE, FIVE))
    assert found.scores == {"faithfulness": 1.0}
    assert found.detail["claims"][0]["document"] == 2
    assert notes(found) == ["other_document"]


@pytest.mark.parametrize(
    ("answer", "document", "claim", "evidence", "note"),
    [
        ("The hotline is open.", "The hotline, as always, is open.", "The hotline is open", "The hotline ... is open", "gaps"),
        ("Within 5 days.", FIVE, "Refunds arrive within 5 days", FIVE, "number_not_quoted"),
        ("Late returns are refused.", "Late returns are not accepted.", "Late returns are accepted by no shop and refused", "Late returns are not accepted", "negation_differs"),
        ("Items can be returned early.", "Items cannot be returned unless early.", "Items can be returned early", "Items cannot be returned unless early", "negation_differs"),
    ],
)  # fmt: skip
def test_what_is_not_sure_is_shown_and_changes_no_score(
    answer: str, document: str, claim: str, evidence: str, note: str
) -> None:
    found = judged(answer, document, (claim, evidence))
    assert note in notes(found)
    assert found.scores == {"faithfulness": 1.0}


NUMBERS = st.integers(min_value=2, max_value=9_999)


@given(true=NUMBERS, said=NUMBERS, lying=st.booleans(), japanese=st.booleans())
def test_no_claim_makes_a_wrong_number_faithful(*, true: int, said: int, lying: bool, japanese: bool) -> None:
    text = "返金は{}日以内です。" if japanese else "Refunds arrive within {} days."
    claimed = true if lying else said
    found = judged(text.format(said), text.format(true), (text.format(claimed), text.format(true)))
    assert found.scores == {"faithfulness": float(true == said)}


@given(
    words=st.lists(
        st.sampled_from(["fee", "refund", "5", "3-5", "料金", "返金", "１４日", "it's"]), min_size=4
    ),
    joint=st.sampled_from([" ", "  ", "\n", " **", "* ", "\u3000"]),
    quotes=st.sampled_from([("", ""), ('"', '"'), ("「", "」"), ("... ", " ..."), ("> ", "")]),
)
def test_a_quotation_is_found_however_it_is_set(
    words: list[str], joint: str, quotes: tuple[str, str]
) -> None:
    text = " ".join(words)
    found: dict[str, Any] = judged(text, text, (text, f"{quotes[0]}{joint.join(words)}{quotes[1]}")).detail
    assert "evidence_not_found" not in found["claims"][0].get("flags", [])


@pytest.mark.parametrize(
    ("answer", "claims", "faithfulness"),
    [
        (f"The documents do not mention a price for 2030. {FIVE}", [("The documents do not mention a price for 2030", None), (FIVE, FIVE)], 1.0),
        (f"料金の記載は見つかりませんでした。{FIVE_JA}", [("料金の記載は見つかりませんでした", None), (FIVE_JA, FIVE)], 1.0),
        (f"{FIVE} I could not find the fee, but it is waived.", [(FIVE, FIVE), ("The fee is waived", None)], 0.5),
        ("The documents do not mention a fee. They do not say more.", [("The documents do not mention a fee", None)], None),
    ],
)  # fmt: skip
def test_that_the_documents_do_not_say_something_is_no_claim(
    answer: str, claims: list[tuple[str, str | None]], faithfulness: float | None
) -> None:
    found = judged(answer, (FIVE, FIVE_JA), *claims)
    assert found.scores.get("faithfulness") == faithfulness
    assert (found.unscored is not None) is (faithfulness is None)
