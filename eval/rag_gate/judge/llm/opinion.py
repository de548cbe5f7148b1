"""One model's opinion about one case: all its questions, scored; several opinions made one."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_gate.judge.llm.asking import ModelJudge, Verdict
from rag_gate.judge.llm.backend import BackendError
from rag_gate.judge.llm.material import Material
from rag_gate.judge.llm.prompt_files import Part
from rag_gate.judge.llm.prompting import Mode, Question, questions_of
from rag_gate.judge.llm.scoring import score
from rag_gate.reasons import NOT_APPLICABLE

#: Which metric a part measures.
METRIC_OF: Mapping[Part, str] = {
    "claims": "faithfulness",
    "relevance": "relevance",
    "correctness": "correctness",
}
#: Below it, an answer that addresses the question is looked at again.
_RELEVANT_FROM = 0.75


@dataclass(slots=True)
class Opinion:
    """What one model says about one case.

    Attributes:
        model: who.
        scores: metric -> score of what was asked; None where no verdict could be had.
        reasons: metric -> why it has none.
        detail: what explains the scores.
        raw: the replies, as checked.
        error: what went wrong last, in words.
    """

    model: str
    scores: dict[str, float | None] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    detail: dict[str, Any] = field(default_factory=dict)
    raw: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None

    @property
    def fails(self) -> bool:
        """Whether the answer is judged wrong or unfaithful."""
        measured = (self.scores.get("correctness"), self.scores.get("faithfulness"))
        return any(score is not None and score < 1 for score in measured)

    @property
    def passes(self) -> bool:
        """Whether the answer is judged neither wrong nor unfaithful, and nothing about that is missing."""
        asked = [metric for metric in ("correctness", "faithfulness") if metric in self.scores]
        lacking = {self.reasons.get(metric) for metric in asked if self.scores[metric] is None}
        return not self.fails and lacking <= NOT_APPLICABLE

    @property
    def needs_second_look(self) -> bool:
        """Whether a cheap model's opinion does not settle the case: it fails, or something is not clear."""
        relevance = self.scores.get("relevance")
        unclear = relevance is not None and relevance < _RELEVANT_FROM
        return self.fails or unclear or None in self.scores.values()


async def opinion_of(
    judge: ModelJudge, material: Material, parts: Sequence[Part], mode: Mode, repeat: int = 0
) -> Opinion:
    """Ask one model everything about one case.

    A part that no verdict can be had about stays unscored with the reason of its failure.

    Raises:
        BackendError: if asking on is useless.
    """
    found = Opinion(judge.name)
    questions, too_long = questions_of(material, parts, mode, judge.entry.prompt, judge.room)
    if too_long:
        _unscored(found, too_long, "prompt_too_long", "the case does not fit the model's context window")
    asked = [_answered(judge, question, repeat) for question in questions]
    for question, answered in zip(questions, await asyncio.gather(*asked), strict=True):
        if isinstance(answered, BackendError):
            if answered.fatal:
                raise answered
            _unscored(found, question.parts, answered.reason, str(answered))
            continue
        scored = score(answered.verdict, question.material)
        found.scores |= scored.scores
        found.detail |= scored.detail
        if scored.unscored is not None:
            _unscored(found, ("claims",), *scored.unscored)
        found.raw.append(answered.verdict.told())
        if question.material.cut:
            found.detail["documents_cut"] = list(question.material.cut)
    return found


async def _answered(judge: ModelJudge, question: Question, repeat: int) -> Verdict | BackendError:
    """Return the error instead of raising it, so that what the other questions cost is not lost."""
    try:
        return await judge.ask(question, repeat)
    except BackendError as error:
        return error


def _unscored(found: Opinion, parts: Sequence[Part], reason: str, message: str) -> None:
    for part in parts:
        found.scores[METRIC_OF[part]] = None
        found.reasons[METRIC_OF[part]] = reason
    found.error = message


def combined(opinions: Sequence[Opinion]) -> Opinion:
    """Make one opinion of several of the same model: of each metric the (lower) median.

    A metric of which no more than half have a score has none. The details are those of an opinion that agrees with
    the result.
    """
    if len(opinions) == 1:
        return opinions[0]
    scores: dict[str, float | None] = {}
    for metric in opinions[0].scores:
        values = [value for each in opinions if (value := each.scores.get(metric)) is not None]
        scores[metric] = sorted(values)[(len(values) - 1) // 2] if 2 * len(values) > len(opinions) else None
    agreeing = max(
        opinions, key=lambda each: sum(each.scores[name] == value for name, value in scores.items())
    )
    reasons = {
        metric: next(each.reasons[metric] for each in opinions if metric in each.reasons)
        for metric, value in scores.items()
        if value is None
    }
    return Opinion(
        model=opinions[0].model,
        scores=scores,
        reasons=reasons,
        detail={**agreeing.detail, "repeats": [dict(each.scores) for each in opinions]},
        raw=[told for each in opinions for told in each.raw],
        error=next((each.error for each in opinions if each.error), None),
    )


def spread_of(opinions: Sequence[Opinion]) -> dict[str, float]:
    """Return metric -> largest score less smallest, of several opinions about one case."""
    spread = {}
    for metric in opinions[0].scores:
        values = [value for each in opinions if (value := each.scores.get(metric)) is not None]
        if len(values) > 1:
            spread[metric] = max(values) - min(values)
    return spread
