"""llama.cpp's server speaks both wire formats and is not ours: what we send is understood, what it says too."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from model_user import KEY, ask, ask_all, backend_for
from tiny_model import write_tiny_model

from rag_gate.judge.llm.backend import BackendError, Prompt, Reply
from rag_gate.judge.llm.clients.http_backend import HttpBackend
from rag_gate.judge.llm.clients.settings import BackendSettings

pytestmark = pytest.mark.usefixtures("quick_backoff")

#: Without free text: random weights never end a string.
VERDICTS: dict[str, Any] = {
    "type": "object",
    "properties": {"supported": {"type": "boolean"}, "verdict": {"enum": ["支持", "不支持"]}},
    "required": ["supported", "verdict"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Service:
    """A running server."""

    url: str


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    model = tmp_path_factory.mktemp("model") / "tiny.gguf"
    write_tiny_model(model)
    command = [sys.executable, str(Path(__file__).with_name("llama_cpp.py")), str(model), KEY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next((line.strip() for line in process.stdout if line.startswith("http")), "")
        assert address, "the server did not start"
        yield Service(f"{address}/v1")
        process.communicate(timeout=20)


def prompt(key: str = "q", words: str = "翌月5日です。") -> Prompt:
    return Prompt("Judge.", f"{key}: {words}", VERDICTS, "judgment", key)


def settings(service: Service, **changes: Any) -> BackendSettings:
    given: dict[str, Any] = {
        "provider": "openai",
        "model": "tiny",
        "base_url": service.url,
        "api_key_env": "JUDGE_KEY",
        "max_output_tokens": 400,
        "concurrency": 4,
    }
    return BackendSettings(**(given | changes))


def outcome_of(asked: BackendSettings, question: Prompt | None = None) -> tuple[Reply | BackendError, str]:
    async def main() -> tuple[Reply | BackendError, str]:
        async with backend_for(asked) as backend:
            assert isinstance(backend, HttpBackend)
            return await ask(backend, question or prompt()), backend.form

    return asyncio.run(main())


def test_a_schema_is_kept_and_tokens_are_counted(service: Service) -> None:
    outcome, form = outcome_of(settings(service, request_options={"temperature": 0, "seed": 1}))
    assert isinstance(outcome, Reply)
    verdict = json.loads(outcome.text)
    assert set(verdict) == {"supported", "verdict"}
    assert verdict["verdict"] in {"支持", "不支持"}
    assert (form, outcome.usage.requests) == ("json_schema", 1)
    assert outcome.usage.prompt_tokens > len("Judge.") + len("翌月5日です。".encode())
    assert outcome.usage.completion_tokens > 20
    assert outcome.served_model


def test_prompts_at_once_all_get_their_reply(service: Service) -> None:
    async def main() -> None:
        async with backend_for(settings(service)) as backend:
            outcomes = await ask_all(backend, 20, prompt)
        assert all(isinstance(outcome, Reply) for outcome in outcomes)

    asyncio.run(main())


def test_a_wrong_key_is_refused_for_good(service: Service) -> None:
    async def main() -> None:
        async with backend_for(settings(service), {"JUDGE_KEY": "sk-wrong"}) as backend:
            outcome = await ask(backend, prompt())
        assert isinstance(outcome, BackendError)
        assert (outcome.reason, outcome.fatal, outcome.usage.requests) == ("judge_refused", True, 1)
        assert "check the key in the environment variable JUDGE_KEY" in str(outcome)

    asyncio.run(main())


def test_a_wrong_path_is_final(service: Service) -> None:
    outcome, _ = outcome_of(settings(service, base_url=service.url + "/v9"))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.fatal) == ("judge_unreachable", True)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_reply_at_the_token_limit_is_truncated(service: Service, provider: str) -> None:
    outcome, _ = outcome_of(settings(service, provider=provider, max_output_tokens=5))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.usage.completion_tokens) == ("judge_truncated", 5)


def test_a_prompt_beyond_the_context_window_fails_alone(service: Service) -> None:
    outcome, _ = outcome_of(settings(service), prompt("long", "あ" * 6000))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.fatal, outcome.usage.requests) == ("judge_refused", False, 1)
    assert "too long for the model" in str(outcome)


def test_an_option_that_the_service_does_not_take_is_named(service: Service) -> None:
    outcome, _ = outcome_of(settings(service, request_options={"top_logprobs": 3}))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.fatal) == ("judge_refused", True)
    assert "top_logprobs" in str(outcome)


def test_prose_from_a_service_that_ignores_the_form_is_a_bad_reply(service: Service) -> None:
    """Its Anthropic side knows no `output_config`, and does not say so."""
    stop = {"stop_sequences": list("abcdefghijklmnopqrstuvwxyz")}
    outcome, _ = outcome_of(settings(service, provider="anthropic", request_options=stop))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.bad_text, outcome.usage.requests) == ("judge_bad_reply", True, 1)
