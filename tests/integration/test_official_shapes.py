"""The providers' own Python packages know the fields of what we send, and read what our test service says."""

from typing import Any

import pytest
from model_server import chat, messages
from model_user import prompt
from pydantic import TypeAdapter

from rag_gate.judge.llm.clients.anthropic_wire import AnthropicWire
from rag_gate.judge.llm.clients.openai_wire import OpenAiWire
from rag_gate.judge.llm.clients.wire import Wire

OPENAI_OPTIONS = {"temperature": 0, "seed": 1, "max_completion_tokens": None, "reasoning_effort": "low"}
ANTHROPIC_OPTIONS = {"thinking": {"type": "disabled"}, "output_config": {"effort": "low"}}
WIRES: dict[str, Wire] = {
    "openai": OpenAiWire("judge-1", OPENAI_OPTIONS, 500),
    "anthropic": AnthropicWire("judge-1", ANTHROPIC_OPTIONS, 500),
}
FORMS = [(name, form) for name, wire in WIRES.items() for form in wire.forms]


@pytest.fixture(scope="module")
def shapes() -> dict[str, Any]:
    """Import the packages here: it takes seconds, and each worker would spend them on collecting."""
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    return {"openai": CompletionCreateParamsNonStreaming, "anthropic": MessageCreateParamsNonStreaming}


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_a_request_holds_fields_that_the_provider_knows(shapes: dict[str, Any], name: str, form: str) -> None:
    wire, shape = WIRES[name], shapes[name]
    body = wire.body(prompt(), form)
    assert set(body) <= set(shape.__annotations__)
    understood = TypeAdapter(shape).validate_python(body)
    assert set(understood) == set(body)
    for nested in ("response_format", "output_config"):
        if nested in body:
            assert understood[nested] == body[nested]


@pytest.mark.parametrize("finish", ["stop", "length", "content_filter"])
def test_the_test_service_says_what_openai_can_say(finish: str) -> None:
    from openai.types.chat import ChatCompletion

    read = ChatCompletion.model_validate(chat(finish=finish, refusal=None), strict=True)
    assert read.choices[0].finish_reason == finish


@pytest.mark.parametrize("stop", ["end_turn", "max_tokens", "refusal", "tool_use"])
def test_the_test_service_says_what_anthropic_can_say(stop: str) -> None:
    from anthropic.types import Message

    assert Message.model_validate(messages(stop=stop), strict=True).stop_reason == stop
