import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.calls.quoting import Quoter
from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
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


@pytest.mark.parametrize(
    "stated",
    [
        None,
        [],
        7,
        {},
        {"a": 5},
        {"b": 5},
        {"a": 0, "b": 0},
        {"a": -5, "b": "7"},
        {"a": 1.5, "b": True},
        {"a": 0, "b": 3},
    ],
)
def test_a_reply_that_does_not_tell_its_tokens_is_not_free(stated: object) -> None:
    assert usage_of(stated, ("a",), "b") == Usage(uncounted=1)


def test_the_tokens_of_a_prompt_are_added_up_and_a_reply_without_text_has_no_others() -> None:
    assert usage_of({"a": 1, "c": 2, "b": 3}, ("a", "c"), "b") == Usage(0, 3, 3)
    assert usage_of({"a": 1, "b": 3}, ("a",), None) == Usage(0, 1, 0)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        ("gpt-4o", "gpt-4o"),
        ("a\nb\u202e", "a b"),
        ("x" * 201, "x" * 199 + "…"),
        ("\x1b[31m", "[31m"),
        ("\u200b\n", "(not printable)"),
        ("", "(no name)"),
        (7, "(no name)"),
        (["gpt-4o"], "(no name)"),
        ("m sk-abcdef", "m ***"),
    ],
)
def test_a_model_name_is_shown_or_told_to_be_none(value: object, shown: str | None) -> None:
    assert Answer("{}", served_model=model_name(value)).named(Quoter(["sk-abcdef"])).served_model == shown


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


SPLIT = [
    "sk-\nabcdef",
    "sk-\u200babc\u200bdef",
    "s k - a b c d e f",
    "sk-abc\r\n def",
    "sk-\u00adabcdef",
    "sk-a\ufe0fbcdef",
]


@pytest.mark.parametrize("text", [*SPLIT, "SK-\tABC\u2060DEF"])
def test_a_secret_is_hidden_wherever_it_is_split(text: str) -> None:
    assert Quoter(["sk-abcdef"])(f"bad key {text}: no") == "bad key ***: no"


@pytest.mark.parametrize("secret", SPLIT[:3])
def test_a_secret_that_is_split_itself_is_hidden(secret: str) -> None:
    assert Quoter([secret])("bad key sk-abcdef, no") == "bad key ***, no"


@given(
    st.text(),
    st.text(),
    st.lists(st.text("\n\t \u200b\u2060\u00ad\ufe0f", max_size=2), min_size=9, max_size=9),
)
def test_no_split_shows_a_secret(before: str, after: str, between: list[str]) -> None:
    split = "".join(sign + gap for sign, gap in zip("sk-abcdef", between, strict=True))
    shown = Quoter(["sk-abcdef"])(f"{before}{split}{after}")
    assert "sk-abcdef" not in "".join(shown.lower().split())


@given(st.text(), st.text())
def test_a_quote_never_holds_a_secret(before: str, after: str) -> None:
    assert "sk-abcdef" not in Quoter(["sk-abcdef"])(f"{before}sk-abcdef{after}").lower()
