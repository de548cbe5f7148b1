import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

_WINDOW_S = 60.0
#: Waiting is cut into pieces, since a request that cost less than estimated lets the next one go earlier.
_LONGEST_NAP_S = 1.0


@dataclass(slots=True)
class Passage:
    """One request let through, with the tokens it is counted with."""

    at: float
    tokens: int


class RateLimiter:
    """Lets requests through in order, so that no 60 seconds hold more than the limits.

    A request that alone is beyond the token limit goes when nothing else is counted.

    Args:
        requests: per minute; None for no limit.
        tokens: per minute; None for no limit.
        clock: monotonic seconds.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        requests: int | None,
        tokens: int | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._requests = requests
        self._tokens = tokens
        self._clock = clock
        self._sleep = sleep
        self._passed: deque[Passage] = deque()
        self._turn = asyncio.Lock()

    async def enter(self, tokens: int) -> Passage:
        """Wait until a request may be sent, and count it.

        Args:
            tokens: estimate of prompt and reply; give the true count to `settle`.
        """
        if self._requests is None and self._tokens is None:
            return Passage(0.0, tokens)
        async with self._turn:
            while (wait := self._wait_s(tokens)) > 0:
                await self._sleep(min(wait, _LONGEST_NAP_S))
            passage = Passage(self._clock(), tokens)
            self._passed.append(passage)
        return passage

    @staticmethod
    def settle(passage: Passage, tokens: int) -> None:
        """Replace an estimate by what the service counted; 0 (it did not say) leaves the estimate."""
        passage.tokens = tokens or passage.tokens

    def _wait_s(self, tokens: int) -> float:
        """Return how long the oldest passages must age before one more fits."""
        now = self._clock()
        while self._passed and self._passed[0].at <= now - _WINDOW_S:
            self._passed.popleft()
        too_many = self._requests is not None and len(self._passed) >= self._requests
        spent = sum(passage.tokens for passage in self._passed)
        too_much = self._tokens is not None and bool(self._passed) and spent + tokens > self._tokens
        return self._passed[0].at + _WINDOW_S - now if too_many or too_much else 0.0
