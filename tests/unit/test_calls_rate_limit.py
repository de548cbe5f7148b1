import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.calls.rate_limit import RateLimiter


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


def times(requests: int | None, tokens: int | None, costs: Sequence[int]) -> list[float]:
    """Return when each request is let through, in seconds from the first."""
    clock = Clock()
    limiter = RateLimiter(requests, tokens, clock=clock, sleep=clock.sleep)

    async def main() -> list[float]:
        found = []
        for cost in costs:
            await limiter.enter(cost)
            found.append(clock.now - 100)
        return found

    return asyncio.run(main())


def test_requests_beyond_the_limit_wait_until_the_first_is_a_minute_old() -> None:
    assert times(3, None, [1] * 7) == pytest.approx([0, 0, 0, 60, 60, 60, 120])


def test_tokens_beyond_the_limit_wait() -> None:
    assert times(None, 1000, [400, 600, 1, 999, 1]) == pytest.approx([0, 0, 60, 60, 120])


def test_without_limits_nothing_waits() -> None:
    assert times(None, None, [10**9] * 5) == [0.0] * 5


def test_a_request_beyond_the_limit_alone_goes_when_nothing_else_is_counted() -> None:
    assert times(None, 100, [5000, 1, 5000]) == pytest.approx([0, 60, 120])


def test_a_request_that_cost_less_than_estimated_lets_the_next_one_go() -> None:
    clock = Clock()
    limiter = RateLimiter(None, 1000, clock=clock, sleep=clock.sleep)

    async def main() -> None:
        first = await limiter.enter(1000)
        limiter.settle(first, 100)
        await limiter.enter(900)
        assert clock.now == 100
        silent = await limiter.enter(900)
        limiter.settle(silent, 0)
        assert silent.tokens == 900

    asyncio.run(main())


@given(
    st.integers(1, 5),
    st.integers(50, 500),
    st.lists(st.integers(1, 200), min_size=1, max_size=30),
)
def test_no_minute_holds_more_than_the_limits(requests: int, tokens: int, costs: list[int]) -> None:
    when = times(requests, tokens, costs)
    assert when == sorted(when)
    for start in when:
        inside = [cost for at, cost in zip(when, costs, strict=True) if start <= at < start + 60 - 1e-6]
        assert len(inside) <= requests
        assert sum(inside) <= tokens or len(inside) == 1
