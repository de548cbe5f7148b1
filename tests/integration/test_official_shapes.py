"""The providers' own Python packages know the fields of what we send, and read what our test service says."""

from typing import Any

import pytest
from anthropic.types import Message
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from model_server import chat, messages
from model_user import prompt
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter

from rag_gate.judge.llm.clients.anthropic_wire import AnthropicWire
from rag_gate.judge.llm.clients.openai_wire import OpenAiWire
from rag_gate.judge.llm.clients.wire import Wire

OPENAI_OPTIONS = {"temperature": 0, "seed": 1, "max_completion_tokens": None, "reasoning_effort": "low"}
ANTHROPIC_OPTIONS = {"thinking": {"type": "disabled"}, "output_config": {"effort": "low"}}
WIRES: dict[str, tuple[Wire, Any]] = {
    "openai": (OpenAiWire("judge-1", OPENAI_OPTIONS, 500), CompletionCreateParamsNonStreaming),
    "anthropic": (AnthropicWire("judge-1", ANTHROPIC_OPTIONS, 500), MessageCreateParamsNonStreaming),
}
FORMS = [(name, form) for name, (wire, _) in WIRES.items() for form in wire.forms]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_a_request_holds_fields_that_the_provider_knows(name: str, form: str) -> None:
    wire, shape = WIRES[name]
    body = wire.body(prompt(), form)
    assert set(body) <= set(shape.__annotations__)
    understood = TypeAdapter(shape).validate_python(body)
    assert set(understood) == set(body)
    for nested in ("response_format", "output_config"):
        if nested in body:
            assert understood[nested] == body[nested]


@pytest.mark.parametrize("finish", ["stop", "length", "content_filter"])
def test_the_test_service_says_what_openai_can_say(finish: str) -> None:
    read = ChatCompletion.model_validate(chat(finish=finish, refusal=None), strict=True)
    assert read.choices[0].finish_reason == finish


@pytest.mark.parametrize("stop", ["end_turn", "max_tokens", "refusal", "tool_use"])
def test_the_test_service_says_what_anthropic_can_say(stop: str) -> None:
    assert Message.model_validate(messages(stop=stop), strict=True).stop_reason == stop
