"""A question is data: it fills its place in a request and changes nothing else of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.config_target import ReplyMapping
from rag_gate.errors import ConfigError
from rag_gate.record.mapping import Mapper
from rag_gate.record.question import Question
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import TargetError
from rag_gate.record.template import fill, places

TEMPLATE: Any = {
    "messages": [{"role": "user", "content": "Please: {question} ({language})"}],
    "raw": "{question}",
    "docs": "{contexts}",
    "text": "From:\n{contexts}",
    "seed": "{seed}",
    "stream": False,
    "keep": "{braces} and ${HOME}",
}
CONTEXTS = ({"id": "a", "text": "first"}, {"id": "b"})


def test_places_are_filled_and_all_else_stays() -> None:
    question = Question("q1", "why?", language="en", contexts=CONTEXTS, stage="generation", seed=7)
    assert fill(TEMPLATE, question.fields()) == {
        "messages": [{"role": "user", "content": "Please: why? (en)"}],
        "raw": "why?",
        "docs": CONTEXTS,
        "text": "From:\nfirst\n\nb",
        "seed": 7,
        "stream": False,
        "keep": "{braces} and ${HOME}",
    }


def test_what_a_case_does_not_have_is_null_or_empty() -> None:
    filled = fill(TEMPLATE, Question("q1", "why?").fields())
    assert (filled["docs"], filled["seed"], filled["text"]) == (None, None, "From:\n")


@given(st.text())
@pytest.mark.parametrize("more", ["", "{contexts}", '", "admin": true, "x": "', "${BOT_TOKEN}", "{question}"])
def test_a_question_stays_one_text_whatever_it_says(more: str, text: str) -> None:
    asked = f"{text}{more}"
    filled = json.loads(json.dumps(fill(TEMPLATE, Question("q1", asked).fields())))
    assert filled.keys() == TEMPLATE.keys()
    assert filled["raw"] == asked
    assert filled["messages"][0]["content"] == f"Please: {asked} ()"


def test_a_bot_is_told_nothing_that_a_label_says() -> None:
    told = Question("q1", "why?", language="en", tenant="acme").fields()
    assert told == {"question_id": "q1", "question": "why?", "language": "en", "tenant": "acme"}
    assert sorted(places(TEMPLATE)) == ["contexts", "contexts", "language", "question", "question", "seed"]


def mapped(content: Any, **expressions: str) -> dict[str, Any]:
    return Mapper(ReplyMapping(**expressions)).row(content)


def test_a_nested_reply_is_mapped() -> None:
    reply = {
        "data": {"reply": "yes", "hits": [{"_id": 3, "_score": 0.5, "_source": {"doc": "d", "body": "t"}}]},
        "meta": {"tokens": {"total_tokens": 12}},
    }
    row = mapped(
        reply,
        answer="data.reply",
        retrieved="data.hits",
        id="_id",
        doc_id="_source.doc",
        text="_source.body",
        score="_score",
        usage="meta.tokens",
        citations='data.hits[]."_source".doc',
    )
    assert row["answer"] == "yes"
    assert row["retrieved"] == [{"id": 3, "doc_id": "d", "text": "t", "score": 0.5}]
    assert (row["usage"], row["citations"]) == ({"total_tokens": 12}, ["d"])


def test_an_error_that_the_mapping_finds_wins_over_a_missing_answer() -> None:
    assert mapped({"failure": "no index"}, answer="data.reply", error="failure")["error"] == "no index"
    with pytest.raises(
        TargetError, match=r"reply.answer \('data.reply'\) finds nothing in the reply \(its keys: failure\)"
    ):
        mapped({"failure": None}, answer="data.reply", error="failure")


def test_a_mapped_answer_takes_the_place_of_what_is_called_answer() -> None:
    row = mapped({"answer": {"text": "yes"}, "retrieved": []}, answer="answer.text")
    assert row["answer"] == "yes"


def test_environment_variables_are_filled_in_and_hidden() -> None:
    secrets = Secrets({"BOT_TOKEN": "tok-123456", "TENANT": "acme-corporation"})
    assert (
        secrets.expand("Bearer ${BOT_TOKEN} of ${TENANT}", "http.headers.X")
        == "Bearer tok-123456 of acme-corporation"
    )
    assert secrets.quote("who is tok-123456\nof acme-corporation?") == "who is *** of ***?"
    assert secrets.found_in({"a": ["is tok-123456."]}) == "BOT_TOKEN"
    assert secrets.found_in({"a": ["acme-corporation"]}) is None  # no credential by its name
    with pytest.raises(ConfigError, match=r"target.http.url: the environment variable NOWHERE is not set"):
        secrets.expand("${NOWHERE}", "http.url")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("OPENAI_API_KEY", True),
        ("BOT_TOKEN", True),
        ("APIKEY", True),
        ("DB_PASSWORD", True),
        ("API_KEY_2", True),
        ("TOKENIZER_MODEL", False),
        ("KEY_VAULT_NAME", False),
        ("GIT_AUTHOR_NAME", False),
    ],
)
def test_only_credentials_by_name_are_kept_out_of_records(name: str, *, kept: bool) -> None:
    assert (Secrets({name: "value-0123456"}).found_in("it is value-0123456") == name) == kept


def test_what_a_credential_header_holds_is_kept_out_whatever_the_variable_is_called() -> None:
    secrets = Secrets({"WHO": "value-0123456"})
    secrets.expand("Basic ${WHO}", "http.headers.Authorization", is_credential=True)
    assert secrets.found_in(["value-0123456"]) == "WHO"
