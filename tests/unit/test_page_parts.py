"""The parts of the page that need no browser: texts, marks, charts, words."""

import json
import re
import string
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_material import soft

from rag_gate.records.history import TrendPoint
from rag_gate.report.hiding import Hider, plain
from rag_gate.report.html.charts import WIDTH, change_chart, scale_of, trend_chart
from rag_gate.report.html.marking import Mark, claim_places, drawn, flat, locate, longest_part
from rag_gate.report.html.render import _inert
from rag_gate.report.html.words.english import ENGLISH
from rag_gate.report.html.words.japanese import JAPANESE
from rag_gate.resources import shipped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("a\r\nb\u2028c", "a\nb\nc"),
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("\U000e0041\U000e0042x", "⟦U+E0041 ×2⟧x"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x00\ud800", "⟦U+0000 ×2⟧"),
        ("山田さん ☃️", "山田さん ☃️"),
    ],
)
def test_every_character_is_seen(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text())
def test_nothing_hides_in_a_plain_text(text: str) -> None:
    shown = plain(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ud800-\udfff]", shown)
    assert plain(shown) == shown
    shown.encode()


def test_a_value_found_in_one_text_is_masked_in_all() -> None:
    hider = Hider()
    hider.learn(["Contact jane.roe@fabrikam.com now"])
    assert hider.text("ask jane.roe@fabrikam.com") == "ask [EMAIL]"
    assert hider.text("x" * 50, 10) == "xxxxxxxxx…"


@pytest.mark.parametrize(
    ("needle", "text", "place"),
    [
        ("30 分です", "はい。３０分です。", "３０分です"),
        ("Return Within", "you can return\n  within 5 days", "return\n  within"),
        ("not there", "something else", None),
        ("  ", "anything", None),
    ],
)
def test_a_text_is_found_whatever_its_width_case_and_spaces(
    needle: str, text: str, place: str | None
) -> None:
    found = locate(needle, text)
    assert (text[slice(*found)] if found else None) == place


def test_claims_stand_where_they_come_next() -> None:
    answer = "Yes. It takes 5 days. Yes. You can pay by card in the shop."
    places = claim_places(["Yes.", "Yes.", "Payment by card in the shop can be done", "Cats fly"], answer)
    assert [answer[slice(*place)] if place else None for place in places] == [
        "Yes.", "Yes.", "You can pay by card in the shop.", None,
    ]  # fmt: skip
    assert places[0] != places[1]


def test_the_piece_of_a_passage_that_is_there_is_found() -> None:
    passage = "Parcels are refunded within 14 days of delivery."
    chunk = "## Refunds\nParcels are refunded within 14 da"
    found = longest_part(passage, chunk)
    assert found is not None
    assert chunk[slice(*found)] == "Parcels are refunded within 14 da"
    assert longest_part(passage, "Nothing of the kind is said here.") is None


spans = st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from([1, 2, 4, 8]))


@given(st.lists(spans.map(lambda row: Mark(min(row[:2]), max(row[:2]), row[2]))))
def test_marks_do_not_overlap_and_none_is_lost(marks: list[Mark]) -> None:
    found = flat(marks)
    assert all(one.end <= two.start for one, two in pairwise(found))
    for at in range(41):
        wanted = 0
        for mark in marks:
            wanted |= mark.kinds if mark.start <= at < mark.end else 0
        assert sum(mark.kinds for mark in found if mark.start <= at < mark.end) == wanted


@given(st.text(st.sampled_from(string.ascii_letters + "あ😀𠮷"), min_size=3))
def test_marks_are_counted_as_a_browser_counts(text: str) -> None:
    start, end, kinds = drawn(text, [Mark(1, 3, 4)])
    units = text.encode("utf-16-le")
    assert units[2 * start : 2 * end].decode("utf-16-le") == text[1:3]
    assert kinds == 4


def test_charts_of_one_unit_share_a_scale() -> None:
    fell, held = soft(delta=-0.36, ci_low=-0.49, ci_high=-0.23, tolerance=0.05), soft(delta=0.02)
    scale = scale_of([fell, held])
    low, high = change_chart(fell, scale), change_chart(held, scale)
    assert low is not None
    assert high is not None
    assert low.zero == high.zero
    assert low.band is not None
    assert 0 < (low.low or 0) < low.now < (low.high or 0) < low.band[0] < low.zero < high.now < WIDTH


def test_nothing_compared_has_no_chart() -> None:
    flat_metric = soft(delta=None, ci_low=None, ci_high=None, tolerance=None)
    assert scale_of([flat_metric]) is None
    assert change_chart(flat_metric, None) is None
    assert trend_chart([], 0.5) is None


def test_a_steady_history_is_a_level_line() -> None:
    points = [TrendPoint(promoted_at="2026-01-01", tier="core", mean=0.9, n=5) for _ in range(3)]
    found = trend_chart(points, None)
    assert found is not None
    assert len({y for _, y, _ in found.dots}) == 1
    assert found.now is None


@given(
    st.recursive(
        st.text() | st.none() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_data_is_inert_in_the_page_and_comes_out_the_same(value: object) -> None:
    text = str(_inert(value))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == value


def test_both_languages_have_the_same_words_with_the_same_values() -> None:
    assert ENGLISH.keys() == JAPANESE.keys()
    for key, text in ENGLISH.items():
        names = {name for _, name, _, _ in string.Formatter().parse(text.partition("|")[0]) if name}
        others = {name for _, name, _, _ in string.Formatter().parse(JAPANESE[key].partition("|")[0]) if name}
        assert names == others, key
    assert not [key for key, text in JAPANESE.items() if text == ENGLISH[key] and key != "title"]


def test_the_pictures_are_those_that_the_script_takes_and_small() -> None:
    docs = Path(__file__).parents[2] / "docs"
    taken = re.findall(r'Picture\(\s*"([a-z-]+)"', (docs / "screenshots.py").read_text(encoding="utf-8"))
    assert sorted(path.stem for path in (docs / "images").iterdir()) == sorted(taken)
    assert max(path.stat().st_size for path in (docs / "images").iterdir()) < 200_000


def test_every_word_that_template_and_script_name_is_there() -> None:
    folder = shipped("templates/html")
    named = set()
    for path in (*folder.glob("*.j2"), *folder.glob("js/*.js")):
        text = path.read_text(encoding="utf-8")
        named |= set(
            re.findall(r'"((?:js|form|heading|column|cells|table|legend)\.[a-z_]+(?:\.[a-z]+)?)"', text)
        )
    assert len(named) > 50
    assert named - ENGLISH.keys() == set()
    owned = {key for key in ENGLISH if key.startswith(("js.", "form.", "heading.", "column."))}
    assert {key for key in owned - named if not key.startswith("js.mark.")} == set()
