"""Regular expressions that are compiled when they are first used act as compiled ones."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.late import Late

PATTERN = r"(?P<word>[a-c]+)|-"
TEXTS = st.text("abc- ", max_size=12)


def spans(found: re.Match[str] | None) -> tuple[int, int] | None:
    return found.span() if found else None


@given(TEXTS, st.integers(0, 6), st.integers(0, 12))
def test_it_finds_what_the_compiled_expression_finds(text: str, start: int, end: int) -> None:
    compiled = re.compile(PATTERN)
    for late in (Late(PATTERN), Late(lambda: PATTERN)):
        for _ in range(2):  # the first use compiles
            assert spans(late.search(text, start, end)) == spans(compiled.search(text, start, end))
            assert spans(late.match(text, start, end)) == spans(compiled.match(text, start, end))
            assert spans(late.fullmatch(text, start, end)) == spans(compiled.fullmatch(text, start, end))
            assert late.findall(text, start, end) == compiled.findall(text, start, end)
            assert [*map(spans, late.finditer(text, start, end))] == [
                *map(spans, compiled.finditer(text, start, end))
            ]
            assert late.split(text) == compiled.split(text)
            assert late.split(text, 1) == compiled.split(text, 1)
            assert late.sub("x", text) == compiled.sub("x", text)
            assert late.subn("x", text, 1) == compiled.subn("x", text, 1)


@pytest.mark.parametrize(
    "method", ["search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn"]
)
def test_each_method_compiles_at_its_first_use(method: str) -> None:
    late = Late("A", re.IGNORECASE)
    given = ("x", "a") if method.startswith("sub") else ("a",)
    assert getattr(late, method)(*given) is not None
    assert getattr(late, method).__self__ == re.compile("A", re.IGNORECASE)


def test_a_broken_expression_is_noticed_when_it_is_used_and_not_before() -> None:
    late = Late("(")
    with pytest.raises(re.error):
        late.search("")


def test_it_tells_what_it_is_made_of() -> None:
    assert Late("(?P<a>x)").groupindex == {"a": 1}
    assert Late("x").pattern == Late(lambda: "x").pattern == "x"
