"""Who is asked how often about one case: cascade, repeats, confirmation."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.confirming import Confirmation, confirmed
from rag_gate.judge.llm.material import Material
from rag_gate.judge.llm.opinion import Opinion, combined, opinion_of, spread_of
from rag_gate.judge.llm.prompt_files import Part
from rag_gate.judge.llm.prompting import Mode

_CONFIRMATIONS = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rounds about one case came to.

    Attributes:
        opinion: the one that counts.
        first: the cheap model's, where the strong one decided in its place.
        spread: metric -> difference between repeated verdicts.
        confirmation: what became of a failing verdict; None where it did not have to be confirmed.
    """

    opinion: Opinion
    first: Opinion | None = None
    spread: dict[str, float] | None = None
    confirmation: Confirmation | None = None


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rule.

    Attributes:
        strong: the model that decides.
        cheap: asked first; what it passes is not asked again. None for no cascade.
        mode: one prompt for a case, or one for each metric.
        repeats: how often each model is asked; the (lower) median counts.
        confirm: a failing case is asked about twice more, and two of the three verdicts decide; see :func:`confirmed`.
    """

    strong: ModelJudge
    cheap: ModelJudge | None = None
    mode: Mode = "single"
    repeats: int = 1
    confirm: bool = False

    async def judge(self, material: Material, parts: Sequence[Part]) -> Outcome:
        """Judge one case.

        Raises:
            BackendError: if asking on is useless.
        """
        first = None
        if self.cheap is not None:
            first, spread = await self._asked(self.cheap, material, parts)
            if not first.needs_second_look:
                return Outcome(first, spread=spread)
        opinion, spread = await self._asked(self.strong, material, parts)
        if not (self.confirm and opinion.fails):
            return Outcome(opinion, first, spread)
        more = range(1, 1 + _CONFIRMATIONS)
        others = [opinion_of(self.strong, material, parts, self.mode, repeat) for repeat in more]
        every = [opinion, *await asyncio.gather(*others)]
        decided, confirmation = confirmed(every)
        return Outcome(decided, first, spread_of(every), confirmation)

    async def _asked(
        self, judge: ModelJudge, material: Material, parts: Sequence[Part]
    ) -> tuple[Opinion, dict[str, float] | None]:
        if self.repeats == 1:
            return await opinion_of(judge, material, parts, self.mode), None
        asked = [opinion_of(judge, material, parts, self.mode, repeat) for repeat in range(self.repeats)]
        opinions = await asyncio.gather(*asked)
        return combined(opinions), spread_of(opinions)
