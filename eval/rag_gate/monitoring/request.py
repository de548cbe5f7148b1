"""What is gathered while one request is answered."""

import re
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from random import getrandbits
from typing import Any, TypeVar

_T = TypeVar("_T")


@dataclass(slots=True)
class Request:
    """One request, until it is answered. Its texts are dropped when the signals are made.

    Attributes:
        request_id: names it in logs.
        retrieved: the results of all its retrievals that worked.
        searched: whether a retrieval worked.
        retrieval_ms: milliseconds of all its retrievals together.
        generated: whether an answer was generated to its end.
        answer: the answer's text, None where it could not be read.
        citations: sources named beside the answer.
        generation_ms: milliseconds of all its generations together.
        question: the question, for logs that may hold texts.
        finished: whether it was counted already; what comes later, such as a stream that is read afterwards, counts alone.
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
    finished: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether neither retrieval nor generation took place."""
        return not (self.searched or self.generated)


_PLAIN_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,100}")


def plain_id(given: object) -> str | None:
    """Return an id as text if it is a plain one: a free text, which a client may send as its id, is not kept."""
    text = "" if given is None else str(given)
    return text if _PLAIN_ID.fullmatch(text) else None


def new_id() -> str:
    """Return a random name for a request."""
    return f"{getrandbits(128):032x}"  # needs no secret, only no twin; seeded anew after a fork


#: Of the request that is being answered. Threads that are started with a copy of the context share it.
CURRENT: ContextVar[Request | None] = ContextVar("rag_gate_request", default=None)


def leave(variable: ContextVar[_T], token: Token[_T]) -> None:
    """Put a variable back to what it was.

    A generator may be closed in another context than it began in (a thread pool reads it, or the loop tidies it up). There is
    nothing to put back there, and no reason to fail.
    """
    try:  # noqa: SIM105 - of every request, and suppress() takes longer
        variable.reset(token)
    except ValueError:
        pass
