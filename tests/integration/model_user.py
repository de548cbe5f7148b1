"""Asking a backend in tests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from model_server import SCHEMA, ModelServer

from rag_gate.judge.llm.backend import Backend, BackendError, Prompt, Reply
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.llm.clients.settings import BackendSettings

KEY = "sk-test-3f9a0c71"
ENVIRON = {"JUDGE_KEY": KEY}


def prompt(key: str = "q1") -> Prompt:
    return Prompt("You judge answers.", f"回答: 翌月5日です。 ({key})", SCHEMA, "judgment", key)


def settings_for(server: ModelServer, **changes: Any) -> BackendSettings:
    given = {"provider": "openai", "model": "judge-1", "base_url": server.url, "api_key_env": "JUDGE_KEY"}
    return BackendSettings(**(given | changes))


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
