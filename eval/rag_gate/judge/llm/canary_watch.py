"""Have the canary judged: in each language of a run, and again each day."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.canary import PARTS_OF_CANARY, canary, outcome_of
from rag_gate.judge.llm.opinion import Opinion, opinion_of
from rag_gate.judge.llm.prompt_files import Language
from rag_gate.judge.llm.prompting import Mode, questions_of
from rag_gate.judge.llm.scoring import score

_DAY_S = 86_400
#: So many days back kept verdicts are looked for; the cache keeps none for longer by default.
_DAYS_BACK = 30


def utc_day() -> int:
    """Return the number of today's day (UTC) since 1970."""
    return int(time.time() // _DAY_S)


@dataclass(frozen=True, slots=True)
class CanaryWatch:
    """One model's verdicts about the canary.

    A verdict is kept for the day it was asked for: the day's number stands for the repeat in the cache's key.

    Attributes:
        judge: the model.
        mode: one prompt, or one for each metric.
        today: returns the number of the day.
    """

    judge: ModelJudge
    mode: Mode
    today: Callable[[], int] = utc_day

    def was_passed(self, language: Language) -> bool:
        """Tell whether the model passed the canary on any day from which verdicts may still be kept."""
        days = range(self.today() - _DAYS_BACK, self.today() + 1)
        return any(outcome_of(opinion) == "passed" for _, opinion in self._kept(language, days))

    def last(self, language: Language, *, only_today: bool) -> int | None:
        """Return the latest day from which a verdict is kept; None if there is none."""
        today = self.today()
        back = 0 if only_today else _DAYS_BACK
        return next((day for day, _ in self._kept(language, range(today, today - back - 1, -1))), None)

    async def ask(self, language: Language, day: int | None = None) -> Opinion:
        """Return the model's opinion about the canary, kept from a day or asked today.

        Raises:
            BackendError: if asking on is useless.
        """
        when = self.today() if day is None else day
        return await opinion_of(self.judge, canary(language), PARTS_OF_CANARY, self.mode, when)

    def _kept(self, language: Language, days: Iterable[int]) -> Iterator[tuple[int, Opinion]]:
        """Yield the days from which an opinion is kept, with it."""
        questions, too_long = questions_of(
            canary(language), PARTS_OF_CANARY, self.mode, self.judge.entry.prompt, self.judge.room
        )
        if too_long:
            return
        for day in days:
            kept = [(question, self.judge.kept(question, day)) for question in questions]
            opinion = Opinion(self.judge.name)
            for question, verdict in kept:
                if verdict is None:
                    break
                opinion.scores |= score(verdict.verdict, question.material).scores
            else:
                yield day, opinion
