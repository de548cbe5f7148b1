"""Hard limits of what a run may cost: room is reserved before each request, so no limit is ever passed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rag_gate.judge.llm.backend import BackendError, Usage
from rag_gate.judge.llm.models import ModelEntry
from rag_gate.judge.spent import Spent


class Budget:
    """Calls and USD that are left.

    A call is one prompt put to a model; the client's own repeats of a request that the service refused or lost are
    not counted as calls, what they cost is. Where the limit might be passed by the requests in flight at their worst, a
    new one waits until it is known what those cost. What is never known counts at its worst.

    Args:
        max_calls: prompts, at most; None for no limit.
        max_cost_usd: USD, at most; None for no limit.
        spent: what was spent before; by default nothing.

    Attributes:
        spent: what was spent so far; other budgets may share it, one after the other.
    """

    def __init__(
        self, max_calls: int | None = None, max_cost_usd: float | None = None, spent: Spent | None = None
    ) -> None:
        self.spent = Spent() if spent is None else spent
        self._max_calls = max_calls
        self._max_cost = max_cost_usd
        self._reserved = 0.0
        self._in_flight = 0
        self._closed: BackendError | None = None
        self._settled = asyncio.Condition()

    def close(self, error: BackendError) -> None:
        """Let nothing more be asked, since every prompt would fail as one has, or nobody waits for replies any more."""
        self._closed = self._closed or error

    @asynccontextmanager
    async def reserve(self, model: ModelEntry, most_prompt_tokens: int) -> AsyncIterator["Spending"]:
        """Hold what one reply can cost at most, and book what it did cost in the end.

        Args:
            model: who is asked.
            most_prompt_tokens: upper bound of the prompt's tokens.

        Raises:
            BackendError: if a limit leaves no room, or the budget is closed.
        """
        worst = model.at_most(Usage(uncounted=1), most_prompt_tokens)
        await self._enter(worst)
        spending = Spending(self, worst)
        try:
            yield spending
        finally:
            async with self._settled:
                self._in_flight -= 1
                self._reserved -= spending.held_usd
                self.spent.cost_usd += model.at_most(spending.usage, most_prompt_tokens)
                self._settled.notify_all()

    async def _enter(self, worst: float) -> None:
        """Wait for room and take it in the same step, so that two cannot take the same."""
        async with self._settled:
            self._require_call()
            while self._in_flight and not self._has_room(worst):
                await self._settled.wait()
                self._require_call()
            self.hold(worst)
            self.spent.calls += 1
            self._in_flight += 1

    def hold(self, worst: float) -> None:
        """Keep room for one more request.

        Raises:
            BackendError: if there is none.
        """
        self.require_open()
        if not self._has_room(worst):
            raise BackendError(
                f"the next call could cost {worst:.4f} USD, and of {self._max_cost:g} USD "
                f"{self.spent.cost_usd:.4f} are spent",
                "judge_over_budget",
            )
        self._reserved += worst

    def require_open(self) -> None:
        """Refuse to go on where the budget is closed.

        Raises:
            BackendError: why it is.
        """
        if self._closed is not None:
            raise BackendError(str(self._closed), self._closed.reason, fatal=True)

    def _require_call(self) -> None:
        self.require_open()
        if self._max_calls is not None and self.spent.calls >= self._max_calls:
            raise BackendError(f"the limit of {self._max_calls} calls is reached", "judge_over_budget")

    def _has_room(self, worst: float) -> bool:
        return self._max_cost is None or self.spent.cost_usd + self._reserved + worst <= self._max_cost


class Spending:
    """What one prompt costs.

    Args:
        budget: what it is held from.
        worst: USD that one request can cost.

    Attributes:
        usage: what it has cost; to be filled in by whoever asks it.
        held_usd: room that is kept for it.
    """

    def __init__(self, budget: Budget, worst: float) -> None:
        self.usage = Usage(uncounted=1)
        self.held_usd = worst
        self._budget = budget
        self._worst = worst
        self._held = 1

    def admit(self, uncounted: int) -> None:
        """Let one more request be sent for the prompt, beside those whose cost will not be known.

        Raises:
            BackendError: if there is no room for it, or the budget is closed.
        """
        self._budget.require_open()
        while self._held <= uncounted:
            self._budget.hold(self._worst)
            self._held += 1
            self.held_usd += self._worst
