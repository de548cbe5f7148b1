"""Asking a backend in tests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from model_server import NONCE, SCHEMA, ModelServer

from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import Backend, BackendError, Prompt, Reply
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.llm.material import Material
from rag_gate.judge.llm.models import ModelEntry
from rag_gate.judge.llm.prompting import Question

KEY = "sk-test-3f9a0c71"
ENVIRON = {"JUDGE_KEY": KEY}


def prompt(key: str = "q1") -> Prompt:
    return Prompt("You judge answers.", f"回答: 翌月5日です。 ({key})", SCHEMA, "judgment", key)


def settings_for(server: ModelServer, **changes: Any) -> BackendSettings:
    given = {"provider": "openai", "model": "judge-1", "base_url": server.url, "api_key_env": "JUDGE_KEY"}
    return BackendSettings(**(given | changes))


def question() -> Question:
    """Return a question that the model server's usual reply answers."""
    return Question(prompt(), ("correctness",), NONCE, 100, 200, Material("", "", {}, (), "en"))


def judge_of(backend: Backend) -> ModelJudge:
    return ModelJudge("judge-1", ModelEntry(prompt="v1"), backend, Budget(), None, lambda _, __: "")


@asynccontextmanager
async def backend_for(
    settings: BackendSettings, environ: Mapping[str, str] = ENVIRON
) -> AsyncIterator[Backend]:
    backend = backend_of(settings, environ)
    try:
        yield backend
    finally:
        await backend.aclose()


async def ask(backend: Backend, asked: Prompt | None = None) -> Reply | BackendError:
    """Return the reply, or the error in its place."""
    try:
        return await backend.complete(asked or prompt())
    except BackendError as error:
        return error


async def ask_all(
    backend: Backend, number: int, asked: Callable[[str], Prompt] = prompt
) -> list[Reply | BackendError]:
    """Ask different prompts at once."""
    return await asyncio.gather(*(ask(backend, asked(f"q{n}")) for n in range(number)))
