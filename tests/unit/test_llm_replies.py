"""What counts as a reply of a model: one JSON object that says what was asked, and nothing else."""

import json
from typing import Any

import pytest

from rag_gate.judge.llm.prompt_files import PARTS
from rag_gate.judge.llm.replies import BadReplyError, read_reply, schema_of

NONCE = "0123456789abcdef0123456789abcdef"
CLAIM = {"text": "5 days", "evidence": "5 days", "document": 1, "supported": True}
GOOD: dict[str, Any] = {
    "nonce": NONCE,
    "claims": [CLAIM],
    "relevance": {"missing": [], "superfluous": [], "addresses": True},
    "correctness": "correct",
}


def test_a_good_reply_is_read() -> None:
    verdict = read_reply(f" {json.dumps(GOOD)}\n", PARTS, NONCE)
    assert verdict.claims
    assert verdict.claims[0].supported
    assert verdict.correctness == "correct"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I think it is faithful, about 8/10.",
        f"Here it is: {json.dumps(GOOD)}",
        f"{json.dumps(GOOD)} {json.dumps(GOOD)}",
        f"```json\n{json.dumps(GOOD)}\n```",
        json.dumps([GOOD]),
        json.dumps(GOOD)[:-3],
        json.dumps(GOOD).replace("true", "NaN", 1),
        '{"nonce": "x", ' + json.dumps(GOOD)[1:],
        "[" * 100_000,
        json.dumps({**GOOD, "nonce": "f" * 32}),
        json.dumps({**GOOD, "faithfulness_score": 1.0}),
        json.dumps({**GOOD, "claims": []}),
        json.dumps({**GOOD, "claims": [{**CLAIM, "supported": "true"}]}),
        json.dumps({**GOOD, "claims": [{**CLAIM, "supported": 1}]}),
        json.dumps({**GOOD, "claims": [{**CLAIM, "document": "1"}]}),
        json.dumps({**GOOD, "claims": [{"text": "5 days", "supported": True}]}),
        json.dumps({**GOOD, "claims": [{**CLAIM, "text": ""}]}),
        json.dumps({**GOOD, "correctness": "Correct"}),
        json.dumps({**GOOD, "correctness": None}),
        json.dumps({key: value for key, value in GOOD.items() if key != "relevance"}),
    ],
)
def test_anything_else_is_no_reply(text: str) -> None:
    with pytest.raises(BadReplyError):
        read_reply(text, PARTS, NONCE)


def test_what_was_not_asked_must_not_be_answered() -> None:
    with pytest.raises(BadReplyError, match="correctness"):
        read_reply(json.dumps(GOOD), ("claims", "relevance"), NONCE)


def test_a_kept_reply_has_the_nonce_of_its_own_request() -> None:
    assert read_reply(json.dumps(GOOD), PARTS, None).nonce == NONCE


def objects_in(schema: Any) -> list[dict[str, Any]]:
    if not isinstance(schema, dict):
        return []
    below = [found for value in schema.values() for found in objects_in(value)]
    return [schema, *below] if schema.get("type") == "object" else below


def test_the_schema_is_what_strict_modes_take() -> None:
    schema = schema_of(PARTS, NONCE)
    assert len(objects_in(schema)) == 3
    for found in objects_in(schema):
        assert found["required"] == list(found["properties"])
        assert found["additionalProperties"] is False
    assert schema["properties"]["nonce"]["enum"] == [NONCE]


def test_whoever_takes_the_first_choice_passes_nothing() -> None:
    assert schema_of(PARTS, NONCE)["properties"]["correctness"]["enum"][0] == "incorrect"
