"""Replies of a model that the judge has found valid, kept between runs."""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from rag_gate.judge.cache.store import MAX_BYTES, TTL, Counters, EntryCache
from rag_gate.judge.llm.backend import Reply, Usage
from rag_gate.records.base import OwnRecord

_Count = Annotated[int, Field(ge=0, strict=True)]


class _StoredUsage(OwnRecord):
    requests: _Count
    prompt_tokens: _Count
    completion_tokens: _Count


class _StoredReply(OwnRecord):
    text: Annotated[str, Field(min_length=1)]
    served_model: str | None
    usage: _StoredUsage


class ReplyCache:
    """Replies by key; see :class:`EntryCache` for what is promised.

    Only what was read, checked and used may be put: never an error, a truncated reply or one against the
    schema. The nonce that a reply echoes is that of its own request: check it before ``put``, not after ``get``.

    Attributes:
        saved: what the replies that were found had cost when they were asked for.
    """

    def __init__(
        self,
        folder: Path,
        ttl: timedelta = TTL,
        max_bytes: int = MAX_BYTES,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.saved = Usage()
        self._entries = EntryCache(folder, "reply", ttl, max_bytes, now)

    @property
    def counters(self) -> Counters:
        """Hits, misses and so on."""
        return self._entries.counters

    @property
    def warnings(self) -> list[str]:
        """What is wrong with the folder, one line each; the run goes on without it."""
        return self._entries.warnings

    def get(self, key: str) -> Reply | None:
        """Return a kept reply, or None. Its usage is what it once cost: saved now, not spent."""
        reply = self._entries.get(key, _parse)
        if reply is not None:
            self.saved += reply.usage
        return reply

    def put(self, key: str, reply: Reply, model: str | None = None) -> None:
        """Keep a reply.

        Args:
            key: of :func:`cache_key`.
            reply: a valid one.
            model: the model asked, for statistics; by default the one the service says it ran.
        """
        usage = reply.usage
        value = {
            "text": reply.text,
            "served_model": reply.served_model,
            "usage": {
                "requests": usage.requests,
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
            },
        }
        self._entries.put(key, model or reply.served_model, value)

    def finish(self) -> None:
        """End the run: remove what is too old or too much."""
        self._entries.finish()


def _parse(value: Mapping[str, Any]) -> Reply:
    stored = _StoredReply.model_validate(value)
    usage = stored.usage
    return Reply(
        text=stored.text,
        usage=Usage(usage.requests, usage.prompt_tokens, usage.completion_tokens),
        served_model=stored.served_model,
    )
