import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.clients.attempt import AttemptError
from rag_gate.judge.llm.clients.quoting import Quoter
from rag_gate.judge.llm.clients.reply_text import count, model_name, only_object, usage_of

OBJECTS = st.dictionaries(st.text(), st.text() | st.integers() | st.booleans() | st.none())
PROSE = st.text(min_size=1).filter(lambda text: text.strip() and not text.strip().startswith(("{", "```")))


def written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@given(OBJECTS)
def test_an_object_is_taken_bare_or_in_one_fence(value: dict[str, object]) -> None:
    text = written(value)
    for form in (text, f"\n{text} ", f"```json\n{text}\n```", f"```\n{text}\n```\n"):
        assert json.loads(only_object(form, Usage())) == value


@given(OBJECTS, PROSE)
def test_an_object_with_prose_around_it_is_not_taken(value: dict[str, object], prose: str) -> None:
    text = written(value)
    for form in (
        f"{prose}{text}",
        f"{text}{prose}",
        f"{prose}\n```json\n{text}\n```",
        f"```json\n{text}\n```\n{prose}",
    ):
        with pytest.raises(AttemptError, match="not one JSON object"):
            only_object(form, Usage())


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "1",
        "null",
        '"{}"',
        "{}{}",
        "{} {}",
        '{"a": NaN}',
        "{'a': 1}",
        "```json\n```json\n{}\n```\n```",
        "```json\n{}\n```\n```json\n{}\n```",
        "<think>x</think>{}",
    ],
)
def test_whatever_is_not_one_object_is_not_taken(text: str) -> None:
    with pytest.raises(AttemptError, match="not one JSON object"):
        only_object(text, Usage())


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_text_is_said_to_be_empty(text: str) -> None:
    with pytest.raises(AttemptError, match="empty"):
        only_object(text, Usage())


@pytest.mark.parametrize("value", [-1, True, "7", 1.5, None, 10**30, [1]])
def test_a_count_that_cannot_be_one_is_0(value: object) -> None:
    assert count(value) == 0
    assert usage_of({"a": value, "b": 3}, ("a",), "b") == Usage(0, 0, 3)
    assert usage_of(value, ("a",), "b") == Usage()


@pytest.mark.parametrize("value", ["", "a\nb", "x" * 201, 7, None, "\x1b[31m"])
def test_a_model_name_that_cannot_be_shown_is_not_taken(value: object) -> None:
    assert model_name(value) is None


def test_a_quote_is_short_on_one_line_and_without_secrets() -> None:
    quote = Quoter(["sk-abcdef", "judge.example", "no"])
    assert (
        quote("bad key SK-ABCDEF at judge.example\n::error::no\x1b[31m")
        == "bad key *** at *** ::error::no [31m"
    )
    assert len(quote("x" * 10_000)) == 200
    assert quote("\u202e\u200b") == ""
    assert quote("\n" * 795 + "sk-abcdef") == "***"  # what is cut off first is no half of a secret
    assert Quoter()("plain") == "plain"


@given(st.text(), st.text())
def test_a_quote_never_holds_a_secret(before: str, after: str) -> None:
    assert "sk-abcdef" not in Quoter(["sk-abcdef"])(f"{before}sk-abcdef{after}").lower()
