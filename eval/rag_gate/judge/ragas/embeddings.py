"""An embedding model as a backend: the prompt is a JSON list of texts, the reply a JSON list of vectors."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from rag_gate.errors import ConfigError
from rag_gate.files import canonical_json, fingerprint
from rag_gate.judge.llm.backend import Backend, BackendError, Prompt, Reply
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
from rag_gate.judge.llm.clients.endpoint import endpoint_of
from rag_gate.judge.llm.clients.http_backend import HttpBackend
from rag_gate.judge.llm.clients.reply_text import model_name, usage_of
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.llm.clients.wire import checked_options

_VECTORS: TypeAdapter[list[list[float]]] = TypeAdapter(
    list[list[float]], config={"allow_inf_nan": False, "strict": False}
)


class EmbeddingWire:
    """OpenAI's embeddings, which vLLM, Ollama, llama.cpp and others speak too.

    Args:
        model: as the service calls it.
        options: further fields of each request, such as ``dimensions``.
    """

    path = "embeddings"
    forms: tuple[str, ...] = ("vectors",)

    def __init__(self, model: str, options: Mapping[str, Any]) -> None:
        self._fields = {"model": model, "encoding_format": "float", **checked_options(options)}

    def body(self, prompt: Prompt, form: str) -> dict[str, Any]:
        """Return the request."""
        del form
        return {**self._fields, "input": json.loads(prompt.user)}

    def answer(self, reply: Mapping[str, Any], form: str) -> Answer:
        """Return the vectors in the order of the texts.

        Raises:
            AttemptError: if they are not one list of numbers for each.
        """
        del form
        usage = usage_of(reply.get("usage"), ("prompt_tokens",), "completion_tokens")
        try:
            rows = sorted(reply["data"], key=lambda row: row["index"])
            vectors = _VECTORS.validate_python([row["embedding"] for row in rows])
        except (KeyError, TypeError, ValueError):
            raise AttemptError("the reply holds no embeddings", "judge_bad_reply", usage=usage) from None
        return Answer(canonical_json(vectors), usage, model_name(reply.get("model")))


def embedding_backend(settings: BackendSettings, environ: Mapping[str, str]) -> Backend:
    """Return the embedding model that the settings describe; nothing is asked yet.

    Raises:
        ConfigError: if a setting or a key is missing or wrong.
    """
    if settings.provider != "openai":
        raise ConfigError(
            f"judge.ragas: embeddings are asked for in OpenAI's wire format only, found {settings.provider}"
        )
    wire = EmbeddingWire(settings.model, settings.request_options)
    return HttpBackend(settings, endpoint_of(settings, environ, wire.path), wire)


async def embed(backend: Backend, texts: Sequence[str]) -> tuple[list[list[float]], Reply]:
    """Return one vector per text, and the reply for its usage.

    Raises:
        BackendError: if there are none, or they cannot be compared.
    """
    user = canonical_json(list(texts))
    prompt = Prompt("", user, {}, "embeddings", fingerprint({"texts": list(texts)}))
    reply = await backend.complete(prompt)
    vectors = _VECTORS.validate_json(reply.text)
    comparable = len({len(vector) for vector in vectors}) == 1 and all(any(vector) for vector in vectors)
    if len(vectors) != len(texts) or not comparable:
        raise BackendError("the embeddings cannot be compared", "judge_bad_reply", usage=reply.usage)
    return vectors, reply
