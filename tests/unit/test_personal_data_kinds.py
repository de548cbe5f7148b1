"""Other cases of each kind of personal data, and look-alikes (tests/data/privacy): all values are artificial."""

import json
from pathlib import Path

import pytest

from rag_gate.detectors.personal import find_personal_data

DATA = Path(__file__).parents[1] / "data" / "privacy"


def rows(name: str) -> list[tuple[str, str]]:
    table = json.loads((DATA / name).read_text(encoding="utf-8"))
    return [(kind, text) for kind, texts in table.items() for text in texts]


@pytest.mark.parametrize(("kinds", "text"), rows("values.json"))
def test_a_value_is_found_with_its_type_and_nothing_else_is(kinds: str, text: str) -> None:
    assert sorted(found.type for found in find_personal_data(text)) == kinds.split("+")


@pytest.mark.parametrize(("kind", "text"), rows("look_alikes.json"))
def test_a_look_alike_is_no_personal_data(kind: str, text: str) -> None:
    assert kind
    assert find_personal_data(text) == ()


def test_several_numbers_share_one_label() -> None:
    found = find_personal_data("個人番号は1234 5678 9018と1111-1111-1118です。")
    assert [item.type for item in found] == ["JP_MY_NUMBER", "JP_MY_NUMBER"]


def test_a_number_has_one_type() -> None:
    text = "SSN 212-45-6789, card 4242 4242 4242 4242, 03-5550-0177, 203.0.113.45"
    assert [item.type for item in find_personal_data(text)] == ["US_SSN", "CREDIT_CARD", "PHONE", "IP"]


@pytest.mark.parametrize(
    "text",
    [
        "🙂 maria@contoso.com です",
        "① ｍａｒｉａ＠ｃｏｎｔｏｓｏ．ｃｏｍ",
        "㈱ か\u3099 maria@\u200bcontoso.com!",
    ],
)
def test_offsets_are_of_the_original_text_in_code_points(text: str) -> None:
    (found,) = find_personal_data(text)
    shown = text[found.start : found.end]
    assert (shown[0], shown[-1]) in {("m", "m"), ("ｍ", "ｍ")}
    assert found.keys == {"maria@contoso.com"}


def test_a_number_is_the_same_however_it_is_written() -> None:
    forms = ["03-5550-0177", "０３（５５５０）０１７７", "+81 3 5550 0177", "03 5550 0177"]
    keys = [find_personal_data(f"電話 {form}")[0].keys for form in forms]
    assert frozenset.intersection(*keys)
