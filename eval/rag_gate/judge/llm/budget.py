"""Hard limits of what a run may cost: room is reserved before each request, so no limit is ever passed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rag_gate.judge.llm.backend import BackendError, Usage
from rag_gate.judge.llm.models import ModelEntry


class Budget:
    """Calls and USD that are left.

    A call is one prompt put to a model; the client's own repeats of a request that the service refused or lost are
    not counted as calls, what they cost is. Where the limit might be passed by the requests in flight at their worst, a
    new one waits until it is known what those cost.

    Args:
        max_calls: prompts, at most; None for no limit.
        max_cost_usd: USD, at most; None for no limit.

    Attributes:
        calls: prompts put to a model so far.
        cost_usd: spent so far.
    """

    def __init__(self, max_calls: int | None = None, max_cost_usd: float | None = None) -> None:
        self.calls = 0
        self.cost_usd = 0.0
        self._max_calls = max_calls
        self._max_cost = max_cost_usd
        self._reserved = 0.0
        self._in_flight = 0
        self._settled = asyncio.Condition()

    @asynccontextmanager
    async def reserve(
        self, model: ModelEntry, most_prompt_tokens: int, attempts: int = 1
    ) -> AsyncIterator["Spending"]:
        """Hold what one prompt can cost at most, and book what it did cost in the end.

        Args:
            model: who is asked.
            most_prompt_tokens: upper bound of the prompt's tokens.
            attempts: how many replies may have to be paid before there is a usable one.

        Raises:
            BackendError: if a limit leaves no room.
        """
        worst = attempts * (model.cost(Usage(1, most_prompt_tokens, model.max_output)) or 0.0)
        await self._wait_for_room(worst)
        self.calls += 1
        self._in_flight += 1
        self._reserved += worst
        spending = Spending()
        try:
            yield spending
        finally:
            async with self._settled:
                self._in_flight -= 1
                self._reserved -= worst
                self.cost_usd += model.cost(spending.usage) or 0.0
                self._settled.notify_all()

    async def _wait_for_room(self, worst: float) -> None:
        if self._max_calls is not None and self.calls >= self._max_calls:
            raise BackendError(f"the limit of {self._max_calls} calls is reached", "judge_over_budget")
        if self._max_cost is None:
            return
        async with self._settled:
            while self._in_flight and self.cost_usd + self._reserved + worst > self._max_cost:
                await self._settled.wait()
        if self.cost_usd + self._reserved + worst > self._max_cost:
            raise BackendError(
                f"the next call could cost {worst:.4f} USD, and of {self._max_cost:g} USD {self.cost_usd:.4f} are spent",
                "judge_over_budget",
            )


class Spending:
    """What one prompt has cost; to be filled in by whoever asks it."""

    def __init__(self) -> None:
        self.usage = Usage()
