from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.sequences import common_subsequence, longest_gap, weakest_stretch

words = st.lists(st.sampled_from("abc"), max_size=9)


def by_recursion(first: list[str], second: list[str]) -> int:
    @cache
    def length(i: int, j: int) -> int:
        if i == len(first) or j == len(second):
            return 0
        if first[i] == second[j]:
            return 1 + length(i + 1, j + 1)
        return max(length(i + 1, j), length(i, j + 1))

    return length(0, 0)


@given(words, words)
def test_the_common_subsequence_is_as_long_as_the_textbook_says(first: list[str], second: list[str]) -> None:
    assert common_subsequence(first, second) == by_recursion(first, second)


@pytest.mark.parametrize(("keys", "gap"), [("", 0), ("xx", 0), ("axb", 1), ("xabxa", 2), ("ab", 2)])
def test_the_longest_gap_is_the_longest_run_without_evidence(keys: str, gap: int) -> None:
    assert longest_gap(keys, {"x"}) == gap


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=12),
    st.lists(st.sets(st.sampled_from("abcd")), max_size=4),
)
def test_the_weakest_stretch_is_the_one_that_no_piece_covers_better(
    keys: list[str], pieces: list[set[str]]
) -> None:
    held = [piece & set(keys) for piece in pieces]
    width = min(6, len(keys))
    stretches = [keys[at : at + width] for at in range(len(keys) - width + 1)]
    expected = min(
        max((sum(key in piece for key in stretch) for piece in held), default=0) for stretch in stretches
    )
    assert weakest_stretch(keys, held) == expected / width
