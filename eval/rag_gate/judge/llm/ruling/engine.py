"""Rulings on many answers at a time, within the limits of the judge."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.judge.cache import ReplyCache
from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import BackendError
from rag_gate.judge.llm.prompting import Question
from rag_gate.judge.llm.ruling.asking import ruling_question, rulings_of
from rag_gate.judge.llm.ruling.canary import RulingCanary
from rag_gate.judge.llm.ruling.points import Asked, Ruled, left_open
from rag_gate.judge.llm.tally import COMPROMISED
from rag_gate.records.judging import CanaryOutcome, Judging
from rag_gate.text import counted

_WORST: tuple[CanaryOutcome | None, ...] = ("passed", "unscored", "caught", None)


class RulingEngine:
    """A model that rules on what rules cannot tell.

    Args:
        judge: the model.
        settings: what can move a ruling.
        cache: where verdicts are kept; None for nowhere.
        canary: how it is tried whether the model can be talked into clearing an answer; None for not at all.

    Attributes:
        name: of the model.
        settings: as given.
    """

    def __init__(
        self,
        judge: ModelJudge,
        settings: Mapping[str, Any],
        cache: ReplyCache | None = None,
        canary: RulingCanary | None = None,
    ) -> None:
        self.name = judge.name
        self.settings = settings
        self._judge = judge
        self._cache = cache
        self._canary = canary
        self._seen: CanaryOutcome | None = None
        self._asked = 0
        self._injections = 0
        self._errors: list[str] = []

    def rule_on(self, answers: Sequence[Asked]) -> list[list[Ruled]]:
        """Return the rulings on the points of each answer.

        What no verdict can be had about stays open with the reason, and so does everything if the canary was cleared, or
        nothing shows that it is not.
        """
        with asyncio.Runner() as runner:
            try:
                return runner.run(self._all(answers))
            finally:
                runner.run(self._close())

    def report(self) -> Judging:
        """Return how it went. A ruling that could not be had is no problem of the run: it stays open."""
        return Judging(
            models={self.name: self._judge.ledger.total()},
            asked=self._asked,
            injections=self._injections,
            canary=self._seen,
            problems=[COMPROMISED] if self._seen == "passed" else [],
        )

    def warnings(self) -> list[str]:
        """Return what people should know, one line each."""
        lost = self._errors
        more = (
            [f"safety: the judge could not rule on {counted(len(lost), 'answer')} ({lost[-1]})"]
            if lost
            else []
        )
        kept = self._cache.warnings if self._cache else []
        return [*self._judge.ledger.warnings(self.name), *more, *kept]

    async def _all(self, answers: Sequence[Asked]) -> list[list[Ruled]]:
        questions = [ruling_question(asked, self._judge.entry.prompt) for asked in answers]
        refusal = await self._untrusted(answers, questions)
        if refusal is not None:
            return [[refusal] * len(asked.points) for asked in answers]
        ruled = [self._one(asked, question) for asked, question in zip(answers, questions, strict=True)]
        return list(await asyncio.gather(*ruled))

    async def _untrusted(self, answers: Sequence[Asked], questions: Sequence[Question]) -> Ruled | None:
        """Return why nothing that the model says would count; None if it does."""
        if self._canary is None:
            return None
        anew = any(self._judge.kept(question, 0) is None for question in questions)
        for language in dict.fromkeys(asked.material.language for asked in answers):
            try:
                outcome = await self._canary.outcome(language, anew=anew)
            except BackendError as error:
                self._errors += [str(error)] * len(answers)
                self._seen = min("unscored", self._seen, key=_WORST.index)
                return left_open(error.reason, str(error))
            self._seen = min(outcome, self._seen, key=_WORST.index)
        if self._seen == "passed":
            return left_open("judge_compromised", "the judge can be talked into clearing an answer")
        if self._seen == "unscored":
            return left_open("judge_unsure", "nothing shows that the judge resists")
        return None

    async def _one(self, asked: Asked, question: Question) -> list[Ruled]:
        self._injections += bool(asked.material.removed or asked.material.withheld)
        if not question.fits(self._judge.room):
            return self._lost(asked, "prompt_too_long", "the answer does not fit the model's context window")
        try:
            verdict = (await self._judge.ask(question)).verdict
        except BackendError as error:
            return self._lost(asked, error.reason, str(error))
        self._asked += 1
        return rulings_of(asked, verdict)

    def _lost(self, asked: Asked, reason: str, note: str) -> list[Ruled]:
        self._errors.append(note)
        return [left_open(reason, note)] * len(asked.points)

    async def _close(self) -> None:
        await self._judge.backend.aclose()
        if self._cache is not None:
            self._cache.finish()
