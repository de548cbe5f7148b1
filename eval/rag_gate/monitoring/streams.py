"""Streams of a generator's output, watched on their way to the user and otherwise left as they are."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from time import perf_counter
from types import TracebackType
from typing import Any

#: Called with all pieces and the seconds that the source took, when a stream has reached its end.
Done = Callable[[list[Any], float], None]


class WatchedStream(Generator[Any, Any, Any]):
    """A stream that is passed on piece by piece; only the time inside the source counts, not the reader's."""

    def __init__(self, source: Iterator[Any], done: Done) -> None:
        self._source, self._done = source, done
        self._pieces: list[Any] = []
        self._seconds = 0.0

    def _step(self, advance: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever the source yields
        began = perf_counter()
        try:
            piece = advance()
        except StopIteration:
            self._done(self._pieces, self._seconds + perf_counter() - began)
            raise
        self._seconds += perf_counter() - began
        self._pieces.append(piece)
        return piece

    def __next__(self) -> Any:  # noqa: ANN401 - as above
        return self._step(self._source.__next__)

    def send(self, value: Any) -> Any:  # noqa: ANN401 - as above
        """Send a value into the source, if it takes any."""
        if value is None:
            return self.__next__()
        return self._step(lambda: self._source.send(value))  # type: ignore[attr-defined] # fails as without us

    def throw(
        self,
        typ: Any,  # noqa: ANN401 - a class, or an exception
        val: BaseException | object = None,
        tb: TracebackType | None = None,
    ) -> Any:  # noqa: ANN401 - as above
        """Raise an exception inside the source, if it takes any; else here."""
        throw = getattr(self._source, "throw", None)
        if throw is None:
            return super().throw(typ, val, tb)
        error = typ if isinstance(typ, BaseException) else val if isinstance(val, BaseException) else typ()
        return self._step(lambda: throw(error.with_traceback(tb) if tb else error))

    def close(self) -> None:
        """Close the source; a stream that was left early is not counted."""
        close = getattr(self._source, "close", None)
        if close is not None:
            close()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what the source has beside its pieces
        return getattr(self._source, name)


class WatchedAsyncStream(AsyncGenerator[Any, Any]):
    """The same for asynchronous streams."""

    def __init__(self, source: AsyncIterator[Any], done: Done) -> None:
        self._source, self._done = source, done
        self._pieces: list[Any] = []
        self._seconds = 0.0

    async def _step(self, advance: Callable[[], Any]) -> Any:  # noqa: ANN401 - as above
        began = perf_counter()
        try:
            piece = await advance()
        except StopAsyncIteration:
            self._done(self._pieces, self._seconds + perf_counter() - began)
            raise
        self._seconds += perf_counter() - began
        self._pieces.append(piece)
        return piece

    async def __anext__(self) -> Any:  # noqa: ANN401 - as above
        return await self._step(self._source.__anext__)

    async def asend(self, value: Any) -> Any:  # noqa: ANN401 - as above
        """Send a value into the source, if it takes any."""
        if value is None:
            return await self.__anext__()
        return await self._step(lambda: self._source.asend(value))  # type: ignore[attr-defined] # fails as without us

    async def athrow(
        self,
        typ: Any,  # noqa: ANN401 - a class, or an exception
        val: BaseException | object = None,
        tb: TracebackType | None = None,
    ) -> Any:  # noqa: ANN401 - as above
        """Raise an exception inside the source, if it takes any; else here."""
        athrow = getattr(self._source, "athrow", None)
        if athrow is None:
            return await super().athrow(typ, val, tb)
        error = typ if isinstance(typ, BaseException) else val if isinstance(val, BaseException) else typ()
        return await self._step(lambda: athrow(error.with_traceback(tb) if tb else error))

    async def aclose(self) -> None:
        """Close the source; a stream that was left early is not counted."""
        close = getattr(self._source, "aclose", None) or getattr(self._source, "close", None)
        if close is not None:
            ended = close()
            if ended is not None:
                await ended

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what the source has beside its pieces
        return getattr(self._source, name)
