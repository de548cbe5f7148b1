"""What is gathered while one request is answered."""

import uuid
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Request:
    """One request, until it is answered. Its texts are dropped when the signals are made.

    Attributes:
        request_id: names it in logs.
        retrieved: the results of its last retrieval that worked.
        searched: whether a retrieval worked.
        retrieval_ms: milliseconds of all its retrievals together.
        generated: whether an answer was generated to its end.
        answer: the answer's text, None where it could not be read.
        citations: sources named beside the answer.
        generation_ms: milliseconds of all its generations together.
        question: the question, for logs that may hold texts.
    """

    request_id: str | None = None
    retrieved: list[Any] = field(default_factory=list)
    searched: bool = False
    retrieval_ms: float = 0.0
    generated: bool = False
    answer: str | None = None
    citations: tuple[str, ...] | None = None
    generation_ms: float = 0.0
    question: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether neither retrieval nor generation took place."""
        return not (self.searched or self.generated)


def new_id() -> str:
    """Return a random name for a request."""
    return uuid.uuid4().hex


#: Of the request that is being answered. Threads that are started with a copy of the context share it.
CURRENT: ContextVar[Request | None] = ContextVar("rag_gate_request", default=None)
