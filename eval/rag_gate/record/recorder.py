"""The recording: all cases, at most so many at a time, each on disk as soon as it is known."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rag_gate.record.asking import Asker, Outcome
from rag_gate.record.frozen import OtherRun
from rag_gate.record.journal import Journal
from rag_gate.record.outage import Outage
from rag_gate.record.question import Question
from rag_gate.record.targets import TargetError


@dataclass
class Recorded:
    """What became of the cases.

    Attributes:
        rows: question id -> row, of all that ended.
        open: cases without an answer that the next call asks again; those not reached, and those not asked.
        stopped: why not all were asked.
        before: how many an earlier call had recorded.
    """

    rows: dict[str, dict[str, Any]]
    open: set[str] = field(default_factory=set)
    stopped: str | None = None
    before: int = 0

    @property
    def errors(self) -> list[tuple[str, str]]:
        """The cases that ended without an answer, and why."""
        return [(key, row["error"]) for key, row in self.rows.items() if "error" in row]


class Recorder:
    """Asks cases and keeps a journal of them.

    Args:
        asker: asks one case.
        journal: what was recorded before, and where more goes.
        concurrency: cases in work at a time, at most.
        deadline_s: limit of everything.
        contexts: run whose results are answered from.
        answers: run whose answers are kept.
    """

    def __init__(
        self,
        asker: Asker,
        journal: Journal,
        concurrency: int,
        deadline_s: float,
        *,
        contexts: OtherRun | None = None,
        answers: OtherRun | None = None,
    ) -> None:
        self._asker = asker
        self._journal = journal
        self._concurrency = concurrency
        self._deadline_s = deadline_s
        self._contexts = contexts
        self._answers = answers
        self._outage = Outage()

    async def record(
        self, questions: Sequence[Question], tick: Callable[[int], object], *, retry_errors: bool = False
    ) -> Recorded:
        """Ask all cases that are not recorded yet.

        Args:
            questions: all cases.
            tick: is called with how many more cases have ended.
            retry_errors: ask again what was recorded with an error.
        """
        known = {item.question_id for item in questions}
        before = {
            key: row
            for key, row in self._journal.rows.items()
            if key in known and not (retry_errors and "error" in row)
        }
        found = Recorded(rows=dict(before), before=len(before))
        waiting = [item for item in questions if item.question_id not in before]
        tick(len(before))
        limit = asyncio.timeout(self._deadline_s)
        try:
            async with limit:
                await self._all(waiting, found, tick)
        except TimeoutError:
            if not limit.expired():
                raise
            found.stopped = f"the deadline of {self._deadline_s:g} s has passed"
        found.stopped = found.stopped or self._outage.why
        found.open |= {item.question_id for item in waiting if item.question_id not in found.rows}
        return found

    async def _all(self, waiting: Sequence[Question], found: Recorded, tick: Callable[[int], object]) -> None:
        left = iter(waiting)
        syncing = asyncio.create_task(self._journal.keep_on_disk())
        workers = [
            asyncio.create_task(self._work(left, found, tick))
            for _ in range(min(self._concurrency, len(waiting)))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for task in (syncing, *workers):
                task.cancel()
            await asyncio.gather(syncing, *workers, return_exceptions=True)

    async def _work(self, left: Iterator[Question], found: Recorded, tick: Callable[[int], object]) -> None:
        for question in left:
            if self._outage.why is not None:
                return
            outcome = await self._outcome(question)
            row = outcome.row if self._answers is None else self._answers.with_answer(outcome.row)
            found.rows[question.question_id] = row
            if outcome.passing:
                found.open.add(question.question_id)  # not in the journal: it is asked again
            else:
                self._journal.append(row)
            self._outage.note(outcome)
            tick(1)

    async def _outcome(self, question: Question) -> Outcome:
        if self._contexts is None:
            return await self._asker.ask(question)
        with suppress(TargetError):
            frozen = self._contexts.with_contexts(question)
            if frozen is not None:
                return await self._asker.ask(frozen)
        error = "the run for --freeze-retrieval holds no usable results for this case, so it was not asked"
        return Outcome({"question_id": question.question_id, "error": error})


def row_of(question: Question, found: Recorded) -> dict[str, Any]:
    """Return the row of a case; one that was not asked says why."""
    why = f"not asked: {found.stopped or 'the recording was stopped'}"
    return found.rows.get(question.question_id) or {"question_id": question.question_id, "error": why}
