"""Asking until there is a reply: time limits, rate limit, and another try where nothing was heard."""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rag_gate.calls.rate_limit import RateLimiter
from rag_gate.config_target import TargetConfig
from rag_gate.record.question import Question
from rag_gate.record.reply import Replies
from rag_gate.record.targets import Answered, Target, TargetError
from rag_gate.text import counted

_FIRST_BACKOFF_S = 0.5
_LONGEST_BACKOFF_S = 20.0
#: A bot that asks to wait longer is not waited for.
_LONGEST_WAIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case ended.

    Attributes:
        row: what is recorded, with an ``error`` where there is no answer.
        passing: the bot was not reached: the next call may ask again.
    """

    row: dict[str, Any]
    passing: bool = False

    @property
    def error(self) -> str | None:
        """Why there is no answer."""
        return self.row.get("error")


class Asker:
    """Asks one case at a time; all cases share the rate limit.

    Args:
        target: the bot.
        replies: brings replies into one form.
        config: limits.
        jitter: returns a number from 0 to 1.
    """

    def __init__(
        self,
        target: Target,
        replies: Replies,
        config: TargetConfig,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._target = target
        self._replies = replies
        self._config = config
        self._jitter = jitter
        self._limiter = RateLimiter(config.requests_per_minute, None)

    async def ask(self, question: Question) -> Outcome:
        """Ask one case; whatever goes wrong is its outcome."""
        tries = 0
        while True:
            tries += 1
            await self._limiter.enter(0)
            started = time.perf_counter()
            try:
                answered = await self._once(question)
                row = self._replies.row(question, answered, 1000 * (time.perf_counter() - started))
            except TargetError as error:
                again = error.passing and tries < self._config.max_attempts
                if again and (error.wait_s or 0) <= _LONGEST_WAIT_S:
                    await asyncio.sleep(self._pause(tries) if error.wait_s is None else error.wait_s)
                    continue
                return _failed(question, error, tries)
            return Outcome({"question_id": question.question_id, **row})

    async def _once(self, question: Question) -> Answered:
        limit = asyncio.timeout(self._config.timeout_s)
        try:
            async with limit:
                return await self._target.ask(question)
        except TimeoutError:
            if not limit.expired():
                raise
            raise TargetError(f"no whole reply within {self._config.timeout_s:g} s") from None

    def _pause(self, tries: int) -> float:
        """Return seconds by exponential backoff with full jitter."""
        return self._jitter() * min(_LONGEST_BACKOFF_S, _FIRST_BACKOFF_S * 2.0 ** (tries - 1))


def _failed(question: Question, error: TargetError, tries: int) -> Outcome:
    said = f"{error} ({counted(tries, 'try', 'tries')})" if tries > 1 else str(error)
    return Outcome({"question_id": question.question_id, "error": said}, passing=error.passing)
