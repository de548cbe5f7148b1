"""When a request that GitHub did not grant is worth asking again, and how long to wait."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rag_gate.github.answers import ApiError

_BUSY = frozenset({429, 500, 502, 503, 504})
_FORBIDDEN, _TOO_MANY = 403, 429
_LONGEST = 60.0


@dataclass
class Patience:
    """How often and how long one command waits for GitHub, over all its requests.

    Attributes:
        most: requests for one answer.
        budget_s: seconds that all waits together may take.
        sleep, now: exchangeable for tests.
    """

    most: int = 4
    budget_s: float = 120.0
    sleep: Callable[[float], None] = field(default=time.sleep)
    now: Callable[[], float] = field(default=time.time)

    def attempts(self) -> Iterator["Attempt"]:
        """Yield the attempts at one request."""
        for number in range(self.most):
            yield Attempt(self, number)

    def spend(self, seconds: float) -> bool:
        """Wait, unless that is longer than is left to wait."""
        if seconds > min(self.budget_s, _LONGEST):
            return False
        self.budget_s -= seconds
        self.sleep(seconds)
        return True


@dataclass(frozen=True)
class Attempt:
    """One try of a request."""

    patience: Patience
    number: int

    def wait_for(self, error: ApiError) -> bool:
        """Wait before the next try; False where none is worth it."""
        if self.number + 1 >= self.patience.most or not _may_pass(error):
            return False
        return self.patience.spend(self._delay(error))

    def _delay(self, error: ApiError) -> float:
        said = error.headers.get("retry-after", "")
        if said.isascii() and said.isdecimal():
            return float(said[:9])
        reset = error.headers.get("x-ratelimit-reset", "")
        if error.headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdecimal():
            return max(0.0, float(reset[:12]) - self.patience.now()) + 1
        if _is_rate_limit(error) or error.status == _TOO_MANY:
            return _LONGEST  # what GitHub asks for where it does not say how long
        jitter = random.random() / 2  # noqa: S311 - spreads load, protects nothing
        return float(2**self.number) * (0.75 + jitter)


def _may_pass(error: ApiError) -> bool:
    if error.status is None:
        return "too-large" not in error.headers
    return error.status in _BUSY or (error.status == _FORBIDDEN and _is_rate_limit(error))


def _is_rate_limit(error: ApiError) -> bool:
    return (
        "retry-after" in error.headers
        or error.headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in error.message.lower()
    )
