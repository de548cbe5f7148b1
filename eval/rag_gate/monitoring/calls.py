"""Watching calls of any kind: plain, asynchronous, streaming, or returning a stream."""

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple, TypeVar, cast

from rag_gate.monitoring.request import CURRENT, Request
from rag_gate.monitoring.streams import WatchedAsyncStream, WatchedStream

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


def watched(function: Function, seen: Seen, *, streams: bool) -> Function:
    """Return a function that does the same and tells what came of it. Exceptions pass through and are not told.

    Args:
        function: plain, ``async``, a generator or an asynchronous generator.
        seen: must not raise.
        streams: whether returned iterators are followed to their end.
    """

    def result_of(question: str | None, result: Any, began: float) -> Any:  # noqa: ANN401 - whatever the function returns
        taken, request = perf_counter() - began, CURRENT.get()

        def done(pieces: list[Any], seconds: float) -> None:
            seen(Call(request, question, pieces, in_pieces=True, seconds=taken + seconds))

        if streams and isinstance(result, AsyncIterator):
            return WatchedAsyncStream(result, done)
        if streams and isinstance(result, Iterator):
            return WatchedStream(result, done)
        seen(Call(request, question, result, in_pieces=False, seconds=taken))
        return result

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the function
            began = perf_counter()
            return result_of(_first(args, kwargs), await function(*args, **kwargs), began)

        return cast("Function", awaited)

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the function
        began = perf_counter()
        result = function(*args, **kwargs)
        if inspect.isawaitable(result):
            return _later(result, lambda value: result_of(_first(args, kwargs), value, began))
        return result_of(_first(args, kwargs), result, began)

    return cast("Function", called)


async def _later(waiting: Any, result_of: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - as the function
    return result_of(await waiting)


def _first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return the first text among the arguments: the question, also of a method."""
    return next((value for value in (*args, *kwargs.values()) if isinstance(value, str)), None)
