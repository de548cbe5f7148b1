"""What a cached reply is found by: everything that can change it, and nothing else."""

import hashlib
from collections.abc import Mapping
from typing import Any

from rag_gate.files import canonical_json
from rag_gate.judge.llm.backend import Prompt

#: Raised when replies that older versions kept must not be used any more.
REPLY_VERSION = 1


def content_key(parts: Mapping[str, Any]) -> str:
    """Return 64 hexadecimal digits (SHA-256) that stand for a JSON object.

    Raises:
        ValueError: if it holds NaN or infinity.
        TypeError: if it holds what JSON cannot say.
    """
    return hashlib.sha256(canonical_json(parts).encode("utf-8", "surrogatepass")).hexdigest()


def cache_key(identity: Mapping[str, Any], prompt: Prompt, *, repeat: int = 0) -> str:
    """Return what the reply to one prompt is found by.

    Args:
        identity: of the backend: provider, endpoint, model, every parameter of the request.
        prompt: its ``key`` stands for the whole messages with the nonce replaced. The schema itself is
            left out, for it may hold the nonce; its name must change when it does.
        repeat: which of several askings of the same prompt, from 0.
    """
    return content_key(
        {
            "version": REPLY_VERSION,
            "identity": dict(identity),
            "prompt": prompt.key,
            "schema": prompt.schema_name,
            "repeat": repeat,
        }
    )
