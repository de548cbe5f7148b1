"""Asking until there is a reply: concurrency, rate limits, retries and deadlines of every kind of backend."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NoReturn

from rag_gate.calls.rate_limit import RateLimiter
from rag_gate.judge.llm.backend import BackendError, Failure, Prompt, Reply, Usage
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
from rag_gate.judge.llm.clients.hope import Hope
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.text import counted

_FIRST_BACKOFF_S = 0.5
_LONGEST_BACKOFF_S = 20.0
#: Spread of those that a service told to come back at the same moment, as a part of the wait.
_SPREAD = 0.1


class Asking:
    """Sends one prompt's requests, all prompts of a backend sharing the limits.

    Args:
        settings: limits and deadlines.
        jitter: returns a number from 0 to 1.
    """

    def __init__(self, settings: BackendSettings, jitter: Callable[[], float] = random.random) -> None:
        self._settings = settings
        self._jitter = jitter
        self._in_flight = asyncio.Semaphore(settings.concurrency)
        self._limiter = RateLimiter(settings.requests_per_minute, settings.tokens_per_minute)
        self._hope = Hope(settings.deadline_s)

    async def ask(self, prompt: Prompt, attempt: Callable[[Prompt], Awaitable[Answer]]) -> Reply:
        """Return the first usable reply.

        Args:
            prompt: what is asked.
            attempt: sends one request; raises AttemptError.

        Raises:
            BackendError: if no usable reply came.
        """
        self._hope.check()
        spent: list[Usage] = []
        limit = asyncio.timeout_at(self._hope.deadline)
        try:
            async with limit:
                answer = await self._until_answered(prompt, attempt, spent)
        except TimeoutError:
            if not limit.expired():
                raise
            self._give_up(self._hope.too_late(), spent)
        except BackendError as error:
            self._give_up(error, spent)
        return Reply(answer.text, sum(spent, Usage()), answer.served_model)

    def _give_up(self, error: BackendError, spent: list[Usage]) -> NoReturn:
        error.usage = sum(spent, Usage())
        self._hope.failed(error)
        raise error from None

    async def _until_answered(
        self, prompt: Prompt, attempt: Callable[[Prompt], Awaitable[Answer]], spent: list[Usage]
    ) -> Answer:
        tries = 0
        while True:
            try:
                answer = await self._once(prompt, attempt, spent)
            except AttemptError as error:
                if error.reason == "judge_unreachable":
                    self._hope.unreachable(str(error))
                else:
                    self._hope.reached()
                if error.then == "step_down":
                    continue
                tries += 1
                await self._wait(error, tries)
            else:
                self._hope.reached()
                return answer

    async def _once(
        self, prompt: Prompt, attempt: Callable[[Prompt], Awaitable[Answer]], spent: list[Usage]
    ) -> Answer:
        """Send one request when a slot is free and the rate allows it."""
        async with self._in_flight:
            self._hope.check()
            passage = await self._limiter.enter(self._estimate(prompt))
            self._hope.check()
            prompt.admit(sum(usage.uncounted for usage in spent))
            spent.append(Usage(requests=1, uncounted=1))  # until its end tells what it cost
            limit = asyncio.timeout(self._settings.timeout_s)
            try:
                async with limit:
                    answer = await attempt(prompt)
            except TimeoutError:
                message = f"no whole reply within {self._settings.timeout_s:g} s"
                raise AttemptError(message, "judge_unreachable") from None
            except AttemptError as error:
                spent[-1] = Usage(requests=1) + error.usage
                raise
            spent[-1] = Usage(requests=1) + answer.usage
            self._limiter.settle(passage, answer.usage.prompt_tokens + answer.usage.completion_tokens)
            return answer

    async def _wait(self, error: AttemptError, tries: int) -> None:
        """Sleep before the next request, without a slot.

        Raises:
            BackendError: if there is to be none.
        """
        if error.then != "retry":
            fatal, bad_text = error.then == "stop_all", error.then == "bad_text"
            raise BackendError(str(error), error.reason, fatal=fatal, bad_text=bad_text) from None
        remaining = self._hope.remaining_s
        if error.wait_s is not None and error.wait_s >= remaining:
            reason: Failure = "judge_deadline"
            if error.reason == "judge_rate_limited":
                reason = error.reason
            message = f"{error}; the service asks to wait {error.wait_s:.0f} s, beyond the judge's deadline"
            raise BackendError(message, reason, fatal=True) from None
        if tries >= self._settings.max_attempts:
            raise BackendError(f"{error} ({counted(tries, 'attempt')})", error.reason) from None
        wait = self._backoff(tries) if not error.wait_s else error.wait_s * (1 + _SPREAD * self._jitter())
        await asyncio.sleep(min(wait, max(remaining, 0)))

    def _backoff(self, tries: int) -> float:
        """Return seconds by exponential backoff with full jitter."""
        return self._jitter() * min(_LONGEST_BACKOFF_S, _FIRST_BACKOFF_S * 2.0 ** (tries - 1))

    def _estimate(self, prompt: Prompt) -> int:
        """Return tokens of prompt and reply: four ASCII characters to a token, others one each."""
        text = prompt.system + prompt.user
        plain = len(text.encode("ascii", "ignore"))
        return plain // 4 + len(text) - plain + self._settings.max_output_tokens
