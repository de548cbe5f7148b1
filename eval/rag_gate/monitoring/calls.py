"""Watching calls of any kind: plain, asynchronous, streaming, or returning a stream."""

import asyncio
import concurrent.futures
import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from time import perf_counter
from typing import Any, NamedTuple, TypeVar, cast

from rag_gate.monitoring.request import CURRENT, Request, leave
from rag_gate.monitoring.streams import watched_stream

_AnyFuture = asyncio.Future[Any] | concurrent.futures.Future[Any]
Function = TypeVar("Function", bound=Callable[..., Any])


class Call(NamedTuple):
    """A call that worked.

    Attributes:
        request: what was being answered when it began.
        question: the first text among its arguments.
        value: what it returned, or the list of all pieces that it yielded.
        in_pieces: whether it is that list.
        seconds: how long it took.
    """

    request: Request | None
    question: str | None
    value: Any
    in_pieces: bool
    seconds: float


Seen = Callable[[Call], None]
#: Neither streams nor futures, without asking them: most results are of these.
_VALUES = frozenset((list, tuple, str, dict, type(None)))
#: Whether a watched retriever or generator is at work: one that another of its kind calls is a part of that one.
_RETRIEVING: ContextVar[bool] = ContextVar("rag_gate_retrieving", default=False)
_GENERATING: ContextVar[bool] = ContextVar("rag_gate_generating", default=False)


def watched(function: Function, seen: Seen, *, streams: bool) -> Function:
    """Return a function that does the same and tells what came of it. Exceptions pass through and are not told.

    Args:
        function: plain, ``async``, a generator or an asynchronous generator; it may also return a future.
        seen: must not raise.
        streams: whether it is a generator, whose returned iterators are followed to their end.
    """
    at_work = _GENERATING if streams else _RETRIEVING

    async def later(waiting: Any, question: str | None, began: float) -> Any:  # noqa: ANN401 - as the function
        token = at_work.set(True)
        try:
            result = await waiting
        finally:
            leave(at_work, token)
        return _told(result, seen, question, began, streams=streams)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the function
            if at_work.get():
                return await function(*args, **kwargs)
            return await later(function(*args, **kwargs), _first(args, kwargs), perf_counter())

        return cast("Function", awaited)

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the function
        if at_work.get():
            return function(*args, **kwargs)
        began, token = perf_counter(), at_work.set(True)
        try:
            result = function(*args, **kwargs)
        finally:
            leave(at_work, token)
        if type(result) not in _VALUES and inspect.isawaitable(result):
            if not isinstance(result, asyncio.Future):
                return later(result, _first(args, kwargs), began)
            _when_done(result, seen, _first(args, kwargs), began)
            return result
        return _told(result, seen, _first(args, kwargs), began, streams=streams)

    return cast("Function", called)


def _told(result: Any, seen: Seen, question: str | None, began: float, *, streams: bool) -> Any:  # noqa: ANN401 - whatever a function returns
    """Tell a result, at once or when its stream has reached its end, and return what the caller gets."""
    taken, request = perf_counter() - began, CURRENT.get()
    if type(result) not in _VALUES:
        if isinstance(result, concurrent.futures.Future):
            _when_done(result, seen, question, began)
            return result

        def done(pieces: list[Any], seconds: float) -> None:
            seen(Call(request, question, pieces, in_pieces=True, seconds=taken + seconds))

        stream = watched_stream(result, done) if streams else None
        if stream is not None:
            return stream
    seen(Call(request, question, result, in_pieces=False, seconds=taken))
    return result


def _when_done(future: _AnyFuture, seen: Seen, question: str | None, began: float) -> None:
    """Tell the result of a future, which the caller gets untouched."""
    request = CURRENT.get()

    def told(ended: _AnyFuture) -> None:
        if not ended.cancelled() and ended.exception() is None:
            seen(Call(request, question, ended.result(), in_pieces=False, seconds=perf_counter() - began))

    future.add_done_callback(told)


def _first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return the first text among the arguments: the question, also of a method."""
    for values in (args, kwargs.values()):
        for value in values:
            if isinstance(value, str):
                return value
    return None
