"""What is done in less time gives what the plain way gives."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.counters import COUNTERS
from rag_gate.judge.numbers import extract_values
from rag_gate.judge.terms import keys_of, match_keys, plain_of, plain_pieces, stem, tokens
from rag_gate.wording.sentences import split_sentences

_WORD = re.compile(r"[a-z0-9A-Z]+(?:'[a-z0-9A-Z]{1,3})?")
_PARTS = (
    *(
        "The tea",
        " isn’t",
        " “hot”",
        ". ",
        "! ",
        "。",
        "\n",
        "- ",
        "(s",
        "(source: x. y)",
        "[1]",
        "[出典: A。B]",
        "[",
        "【",
    ),
    *("東京", "ガギ", "İ", "ß", "a_b", "rock'n'roll", "''", "\x1c", "\u00a0", "3.5 km", "正午", "無休"),
)
TEXTS = st.lists(st.sampled_from(_PARTS) | st.text(max_size=4), max_size=12).map("".join)


@given(TEXTS)
def test_the_pieces_of_a_text_have_the_units_that_each_has_alone(text: str) -> None:
    spans = split_sentences(text)
    together = [match_keys(plain) for plain in plain_pieces(text, spans)]
    assert together == [match_keys(plain_of(span.text)) for span in spans]


@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_ascii_words_are_letters_digits_and_what_an_apostrophe_ties_to_them(text: str) -> None:
    words = _WORD.findall(text)
    assert keys_of(text) == set(map(stem, words))
    assert tokens(text, 3) == list(map(stem, words))[:3]


@given(TEXTS)
def test_rounding_is_all_that_values_lack_where_nobody_asks_for_it(text: str) -> None:
    plain = extract_values(text, with_rounding=False)
    assert [(one.kind, one.canonical, one.unit, one.start, one.end) for one in plain] == [
        (one.kind, one.canonical, one.unit, one.start, one.end) for one in extract_values(text)
    ]


@pytest.mark.parametrize(
    ("text", "name", "end"),
    [
        ("business days left", "business_day", 13),
        ("business-day", "business_day", 12),
        ("days", "day", 4),
        ("daydream", None, 0),
        ("km", "km", 2),  # the beginning of km2, and the text ends
        ("km2", "km2", 3),
        ("km23", "km2", 3),
        ("m", "m", 1),
        ("mx", None, 0),
        ("日間の休み", "day", 2),
        ("日本", None, 0),
        ("日", "day", 1),
        ("分の3", None, 0),
        ("分の所要", "minute", 1),
        ("分野", None, 0),
        ("$5", None, 0),
        ("$", "USD", 1),
        ("u.s. dollars", "USD", 12),
        ("", None, 0),
        (" days", None, 0),
    ],
)
def test_the_longest_spelling_that_is_no_part_of_another_word_is_the_unit(
    text: str, name: str | None, end: int
) -> None:
    assert COUNTERS.at(text, 0) == (None if name is None else (name, end))
    assert COUNTERS.at(f"7{text}", 1) == (None if name is None else (name, end + 1))
