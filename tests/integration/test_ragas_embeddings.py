"""Embeddings for ragas, from a service that also misbehaves."""

import asyncio
from typing import Any

import pytest
from model_server import ModelServer, Turn
from model_user import ENVIRON, settings_for

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import BackendError, Usage
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.embeddings import embed, embedding_backend

pytestmark = pytest.mark.usefixtures("quick_backoff")


def reply(*vectors: list[Any], order: list[int] | None = None) -> Turn:
    numbers = order or list(range(len(vectors)))
    data = [
        {"object": "embedding", "index": n, "embedding": v} for n, v in zip(numbers, vectors, strict=True)
    ]
    return Turn(body={"object": "list", "model": "e", "data": data, "usage": {"prompt_tokens": 9}})


async def embedded(*script: Turn, **changes: Any) -> tuple[list[list[float]], Usage, ModelServer]:
    async with ModelServer(*script) as server:
        backend = embedding_backend(settings_for(server, **changes), ENVIRON)
        try:
            vectors, answer = await embed(backend, ["質問", "answer"])
        finally:
            await backend.aclose()
        return vectors, answer.usage, server


def test_vectors_come_in_the_order_of_the_texts() -> None:
    turn = reply([0, 1], [1.5, 0], order=[1, 0])
    vectors, usage, server = asyncio.run(embedded(turn, request_options={"dimensions": 2}))
    assert vectors == [[1.5, 0], [0, 1]]
    assert usage == Usage(1, 9, 0)
    (request,) = server.requests
    assert request.target == "/v1/embeddings"
    assert request.body == {
        "model": "judge-1",
        "input": ["質問", "answer"],
        "encoding_format": "float",
        "dimensions": 2,
    }


@pytest.mark.parametrize(
    "turn",
    [
        reply([0, 1]),
        reply([0, 1], [1, 0], [1, 1]),
        reply([0, 1], [1, 0, 0]),
        reply([0, 1], [0, 0]),
        reply([0, 1], ["a", "b"]),
        reply([], []),
        Turn(body=b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'),
        Turn(body={"data": [{"embedding": [1]}]}),
        Turn(body={"data": [1]}),
        Turn(body={"data": 5}),
        Turn(body={}),
    ],
)
def test_what_cannot_be_compared_is_a_bad_reply(turn: Turn) -> None:
    with pytest.raises(BackendError) as found:
        asyncio.run(embedded(turn, max_attempts=2))
    assert found.value.reason == "judge_bad_reply"


def test_an_outage_and_a_wrong_key_are_told_apart() -> None:
    vectors, usage, _ = asyncio.run(embedded(Turn(503), reply([0, 1], [1, 0])))
    assert (len(vectors), usage.requests) == (2, 2)
    with pytest.raises(BackendError) as found:
        asyncio.run(embedded(Turn(401)))
    assert (found.value.reason, found.value.fatal) == ("judge_refused", True)


def test_only_one_wire_format_has_embeddings() -> None:
    with pytest.raises(ConfigError, match="OpenAI's wire format only, found anthropic"):
        embedding_backend(BackendSettings("anthropic", "m"), {})
