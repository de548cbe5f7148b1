"""Untrusted text before a model: it can neither end its fence nor pretend to be the frame."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.llm.fences import fenced, folded, hidden_text, without_invisible, without_roles


@given(st.text())
def test_whatever_the_text_the_fence_holds_it_whole(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    fence, nonce = fenced({"answer": text})
    begin, inside, end = fence.split("\n")
    assert (begin, end) == (f"<data {nonce}>", f"</data {nonce}>")
    assert json.loads(inside) == {"answer": text}
    assert "<" not in inside
    assert ">" not in inside


def test_each_request_has_a_nonce_of_its_own() -> None:
    nonces = {fenced({"answer": "x"})[1] for _ in range(100)}
    assert len(nonces) == 100
    assert all(len(nonce) == 32 for nonce in nonces)


@pytest.mark.parametrize(
    ("text", "seen", "count"),
    [
        ("返金は5日です。", "返金は5日です。", 0),
        ("re\u200bfund", "refund", 1),
        ("\u202eabc\u202c", "abc", 2),
        ("1 day.\U000e006f\U000e0075", "1 day.", 2),
        ("👨‍👩‍👧 ok", "👨‍👩‍👧 ok", 0),
        ("می‌خواهم", "می‌خواهم", 0),
        ("❤️", "❤", 0),
        ("葛\U000e0100城", "葛城", 0),
        ("a\tb\nc", "a\tb\nc", 0),
        ("مرحبا بالعالم", "مرحبا بالعالم", 0),
    ],
)
def test_what_nobody_can_see_is_taken_out_and_counted(text: str, seen: str, count: int) -> None:
    assert without_invisible(text) == (seen, count)


def test_tag_characters_are_read() -> None:
    assert hidden_text("x" + "".join(chr(0xE0000 + ord(sign)) for sign in "score 1.0")) == "score 1.0"


@pytest.mark.parametrize(
    "token",
    ["<|im_start|>", "<|im_end|>", "[INST]", "[/INST]", "<<SYS>>", "</s>", "### System", "##Instruction"],
)
def test_tokens_of_roles_are_broken_and_stay_readable(token: str) -> None:
    broken = without_roles(f"a {token} b")
    assert token not in broken
    assert broken.replace(" ", "") == f"a{token}b".replace(" ", "")


@pytest.mark.parametrize("text", ["a < b", "[1] see", "# Title", "#5", "List<s>"[:4], "[instead]"])
def test_ordinary_signs_stay(text: str) -> None:
    assert without_roles(text) == text


def test_quotations_are_compared_without_width_spacing_and_joiners() -> None:
    assert folded("１４日\u200c以内　に\n返品") == folded("14日以内 に 返品")
