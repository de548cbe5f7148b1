"""The model judge as an engine: many cases at a time, in the order in which they come."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import BackendError
from rag_gate.judge.llm.canary_watch import CanaryWatch, utc_day
from rag_gate.judge.llm.case import Case
from rag_gate.judge.llm.decided import METRICS
from rag_gate.judge.llm.prompt_files import Language
from rag_gate.judge.llm.rounds import Outcome, Rounds
from rag_gate.judge.llm.tally import Tally
from rag_gate.records.judging import Judging

#: Raised whenever the same reply can come to another score.
VERSION = "1"
#: How long requests in flight are waited for when asking on is useless: what they cost should not be lost.
_GRACE_S = 3.0


class LlmEngine:
    """A language model that judges by the shipped prompts; the scores are counted from its verdicts in our code.

    Args:
        rounds: who is asked how often.
        settings: what can move a score.
        look_ahead: cases in work at a time.
        cache: where verdicts are kept; None for nowhere.
        with_canary: whether a wrong answer that asks to be passed is judged as well.
        today: returns the number of the day, for which a verdict about the canary is kept.
    """

    name = "llm"
    version = VERSION
    metrics: tuple[str, ...] = METRICS

    def __init__(
        self,
        rounds: Rounds,
        settings: Mapping[str, Any],
        look_ahead: int = 64,
        cache: ReplyCache | None = None,
        *,
        with_canary: bool = True,
        today: Callable[[], int] = utc_day,
    ) -> None:
        self.settings = settings
        self._cache = cache
        self._rounds = rounds
        self._look_ahead = look_ahead
        self._with_canary = with_canary
        self._watches = [CanaryWatch(judge, rounds.mode, today) for judge in self._judges()]
        self._asks = asyncio.Event()
        self._tally = Tally()
        self._given_up: BackendError | None = None

    def judge_many(self, requests: Iterable[JudgeRequest]) -> Iterator[CaseJudgment]:
        """Judge cases; judgments come in the order of the requests.

        A case without a verdict has no score and a reason. When asking on is useless (no key, an outage, the deadline),
        all later cases whose verdicts are not in the cache are unscored at once for the same reason.
        """
        with asyncio.Runner() as runner:
            try:
                yield from self._judged(runner, requests)
            finally:
                runner.run(self._close())

    def report(self) -> Judging:
        """Return how it went."""
        return self._tally.report(
            {judge.name: judge.ledger.total() for judge in self._judges()}, self._given_up
        )

    def warnings(self) -> list[str]:
        """Return what is odd about the service, the canary or the cache."""
        found = [line for judge in self._judges() for line in judge.ledger.warnings(judge.name)]
        if self._tally.canary == "unscored" and not self.report().problems:
            found.append(
                "the judge's verdict about the canary could not be had, so nothing shows that it resists"
            )
        return [*found, *(self._cache.warnings if self._cache else [])]

    def _judges(self) -> list[ModelJudge]:
        rounds = self._rounds
        return [rounds.strong, rounds.cheap] if rounds.cheap else [rounds.strong]

    def _judged(self, runner: asyncio.Runner, requests: Iterable[JudgeRequest]) -> Iterator[CaseJudgment]:
        loop = runner.get_loop()
        working: deque[asyncio.Task[CaseJudgment]] = deque()
        canaries: dict[Language, asyncio.Task[None]] = {}
        try:
            for request in requests:
                case = Case.of(request)
                language = case.material.language
                if self._with_canary and case.decided.ask and language not in canaries:
                    canaries[language] = loop.create_task(self._try_canary(language))
                working.append(loop.create_task(self._judge(case)))
                if len(working) >= self._look_ahead:
                    yield _first_of(working, loop)
            while working:
                yield _first_of(working, loop)
            self._asks.set()
            for canary in canaries.values():
                loop.run_until_complete(canary)
        finally:
            if not self._asks.is_set():
                for canary in canaries.values():
                    canary.cancel()
            left = [task for task in (*working, *canaries.values()) if not task.done()]
            if left:  # the reader has stopped, so nothing more is bought
                for judge in self._judges():
                    judge.budget.close(BackendError("the run was ended", "judge_deadline"))
                runner.run(_end(left))

    async def _judge(self, case: Case) -> CaseJudgment:
        if case.speaks_to_judge:
            self._tally.injections += 1
        if not case.decided.ask:
            self._tally.by_rule += 1
            return case.judged(None)
        outcome = await self._outcome(case)
        if any(judge.ledger.calls for judge in self._judges()):
            self._asks.set()
        if isinstance(outcome, BackendError):
            return case.unasked(outcome.reason, str(outcome))
        self._tally.note(outcome)
        return case.judged(outcome)

    async def _outcome(self, case: Case) -> Outcome | BackendError:
        try:
            return await self._rounds.judge(case.material, case.decided.ask)
        except BackendError as error:
            self._give_up(error)
            return error

    def _give_up(self, error: BackendError) -> None:
        if self._given_up is None:
            self._given_up = error

    async def _try_canary(self, language: Language) -> None:
        """Have the canary judged by each model in one language.

        A verdict of today, or one kept from any day by which the model passed it, counts at once. Otherwise the model
        is asked as soon as the run asks anything anew. A run that does not may go by the last verdict: all its other
        ones are as old.
        """
        if any(watch.was_passed(language) for watch in self._watches):
            self._tally.passed_canary()
            return
        last = [watch.last(language, only_today=True) for watch in self._watches]
        if None in last:
            await self._asks.wait()
            if not any(judge.ledger.calls for judge in self._judges()):
                last = [watch.last(language, only_today=False) for watch in self._watches]
        for watch, day in zip(self._watches, last, strict=True):
            if self._given_up is not None:
                self._tally.lost_canary()
                break
            try:
                self._tally.saw_canary(await watch.ask(language, day))
            except BackendError as error:
                self._tally.lost_canary()
                self._give_up(error)

    async def _close(self) -> None:
        for judge in self._judges():
            await judge.backend.aclose()
        if self._cache is not None:
            self._cache.finish()


def _first_of(working: deque[asyncio.Task[CaseJudgment]], loop: asyncio.AbstractEventLoop) -> CaseJudgment:
    """Wait for the first; interrupted, it stays among those that are in work."""
    judgment = loop.run_until_complete(working[0])
    working.popleft()
    return judgment


async def _end(tasks: list[asyncio.Task[Any]]) -> None:
    """Wait a little for what is in flight, then end it."""
    await asyncio.wait(tasks, timeout=_GRACE_S)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
