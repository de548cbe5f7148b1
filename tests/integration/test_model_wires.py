"""What is sent in each wire format, and how the form of structured output is found."""

import asyncio
from typing import Any

import pytest
from model_faults import error
from model_server import SCHEMA, VERDICT, ModelServer, Turn, chat, messages
from model_user import KEY, ask, ask_all, backend_for, prompt, settings_for

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import BackendError, Reply
from rag_gate.judge.llm.clients.http_backend import HttpBackend

pytestmark = pytest.mark.usefixtures("quick_backoff")

NO_FORM = error(400, "response_format: unknown type json_schema")
ANTHROPIC: dict[str, Any] = {"provider": "anthropic", "api_key_env": "JUDGE_KEY", "model": "judge-1"}
CALLED = [{"type": "tool_use", "id": "t", "name": "judgment", "input": {"verdict": "支持"}}]


async def exchange(
    *script: Turn, prompts: int = 1, **settings: Any
) -> tuple[ModelServer, list[Reply | BackendError], str]:
    """Ask prompts one after the other; return server, outcomes and the form that was found."""
    async with ModelServer(*script) as server, backend_for(settings_for(server, **settings)) as backend:
        outcomes = [await ask(backend, prompt(f"q{n}")) for n in range(prompts)]
        assert isinstance(backend, HttpBackend)
        return server, outcomes, backend.form


def test_a_chat_request_holds_what_is_set_and_nothing_else() -> None:
    server, _, _ = asyncio.run(exchange(request_options={"temperature": 0, "seed": 7}, max_output_tokens=500))
    [request] = server.requests
    assert request.target == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "judge-1",
        "temperature": 0,
        "seed": 7,
        "max_tokens": 500,
        "messages": [
            {"role": "system", "content": prompt().system},
            {"role": "user", "content": prompt("q0").user},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "judgment", "strict": True, "schema": SCHEMA},
        },
    }


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({}, {"max_tokens": 2048}),
        ({"max_completion_tokens": None}, {"max_completion_tokens": 2048}),
        ({"max_completion_tokens": 9000}, {"max_completion_tokens": 9000}),
    ],
)
def test_the_token_limit_has_the_name_that_the_model_wants(
    options: dict[str, Any], sent: dict[str, int]
) -> None:
    server, _, _ = asyncio.run(exchange(request_options=options))
    assert {key: value for key, value in server.requests[0].body.items() if "tokens" in key} == sent


@pytest.mark.parametrize("key", ["stream", "n", "messages", "response_format", "tools"])
def test_an_option_that_the_judge_sets_itself_is_refused(key: str) -> None:
    with pytest.raises(ConfigError, match=f"'{key}' is set by the judge"):
        asyncio.run(exchange(request_options={key: True}))


def test_an_unsupported_form_is_stepped_down_and_remembered() -> None:
    server, outcomes, form = asyncio.run(exchange(NO_FORM, error(422, "json_object"), Turn(), prompts=3))
    assert [outcome.usage.requests for outcome in outcomes] == [3, 1, 1]
    assert form == "text"
    sent = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert sent == ["json_schema", "json_object", None, None, None]
    for request in server.requests[1:]:
        assert '"verdict": {"type": "string"}' in request.body["messages"][0]["content"]


def test_prompts_in_flight_together_step_down_once_only() -> None:
    async def main() -> None:
        async with ModelServer(*[NO_FORM] * 8, Turn()) as server:
            async with backend_for(settings_for(server, concurrency=8)) as backend:
                outcomes = await ask_all(backend, 20)
                assert isinstance(backend, HttpBackend)
                assert backend.form == "json_object"
            assert all(isinstance(outcome, Reply) for outcome in outcomes)
            assert len(server.requests) == 28

    asyncio.run(main())


def test_a_400_about_anything_else_is_no_reason_to_step_down() -> None:
    server, [outcome], form = asyncio.run(exchange(error(400, "Unsupported parameter: temperature")))
    assert isinstance(outcome, BackendError)
    assert "Unsupported parameter: temperature" in str(outcome)
    assert (outcome.fatal, form, len(server.requests)) == (True, "json_schema", 1)


def test_a_service_that_refuses_every_form_is_fatal() -> None:
    server, [outcome], _ = asyncio.run(exchange(NO_FORM))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.fatal, len(server.requests)) == ("judge_refused", True, 3)


def test_content_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": VERDICT[:5]}, {"type": "text", "text": VERDICT[5:]}]
    reply = chat() | {"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": parts}}]}
    _, [outcome], _ = asyncio.run(exchange(Turn(body=reply)))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.served_model) == (VERDICT, "judge-1-2026")


def test_azure_gets_its_key_header_and_its_api_version() -> None:
    async def main() -> None:
        async with ModelServer() as server:
            address = f"http://127.0.0.1:{server.port}/openai/deployments/judge?api-version=2026-01-01"
            async with backend_for(settings_for(server, base_url=address)) as backend:
                assert isinstance(await ask(backend), Reply)
            [request] = server.requests
            assert request.target == "/openai/deployments/judge/chat/completions?api-version=2026-01-01"
            assert request.headers["api-key"] == KEY
            assert "authorization" not in request.headers

    asyncio.run(main())


def test_a_local_service_needs_no_key_and_gets_none() -> None:
    async def main() -> None:
        async with ModelServer() as server:
            environ = {"OPENAI_API_KEY": KEY}
            async with backend_for(settings_for(server, api_key_env=None), environ) as backend:
                assert isinstance(await ask(backend), Reply)
            assert KEY not in str(server.requests)

    asyncio.run(main())


def test_a_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with ModelServer() as proxy:
            monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
            monkeypatch.delenv("NO_PROXY", raising=False)
            settings = settings_for(proxy, base_url="http://judge.example/v1")
            async with backend_for(settings) as backend:
                assert isinstance(await ask(backend), Reply)
            assert [request.target for request in proxy.requests] == [
                "http://judge.example/v1/chat/completions"
            ]

    asyncio.run(main())


def test_a_message_request_holds_what_is_set_and_nothing_else() -> None:
    options = {"thinking": {"type": "disabled"}, "output_config": {"effort": "low"}}
    server, [outcome], form = asyncio.run(exchange(**ANTHROPIC, request_options=options))
    [request] = server.requests
    assert request.target == "/v1/messages"
    assert request.headers["x-api-key"] == KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in request.headers
    assert request.body == {
        "model": "judge-1",
        "thinking": {"type": "disabled"},
        "max_tokens": 2048,
        "system": prompt().system,
        "messages": [{"role": "user", "content": prompt("q0").user}],
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
    }
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.served_model, form) == (VERDICT, "judge-1-2026", "output_config")
    assert (outcome.usage.prompt_tokens, outcome.usage.completion_tokens) == (11, 7)


def test_a_refused_output_config_becomes_a_tool_that_must_be_called() -> None:
    refused = error(400, "output_config: Extra inputs are not permitted")
    called = Turn(body=messages(content=CALLED, stop="tool_use"))
    server, outcomes, form = asyncio.run(exchange(refused, called, prompts=2, **ANTHROPIC))
    assert [outcome.text if isinstance(outcome, Reply) else outcome for outcome in outcomes] == [VERDICT] * 2
    assert (form, len(server.requests)) == ("tool", 3)
    assert server.requests[2].body["tool_choice"] == {"type": "tool", "name": "judgment"}
    assert [tool["input_schema"] for tool in server.requests[2].body["tools"]] == [SCHEMA]


@pytest.mark.parametrize(
    ("turn", "reason", "requests"),
    [
        (Turn(body=messages('{"verdict', "max_tokens")), "judge_truncated", 1),
        (Turn(body=messages(VERDICT, "model_context_window_exceeded")), "judge_truncated", 1),
        (Turn(body=messages("", "refusal")), "judge_refused", 1),
        (Turn(body=messages("")), "judge_bad_reply", 4),
        (Turn(body=messages(content=[])), "judge_bad_reply", 4),
        (
            Turn(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            "judge_unreachable",
            4,
        ),
        (error(400, "prompt is too long: 210000 tokens > 200000 maximum"), "judge_refused", 1),
    ],
)
def test_what_messages_can_end_with(turn: Turn, reason: str, requests: int) -> None:
    server, [outcome], _ = asyncio.run(exchange(turn, **ANTHROPIC))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.fatal, len(server.requests)) == (reason, False, requests)
