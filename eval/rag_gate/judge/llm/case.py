"""One case from request to judgment."""

from dataclasses import dataclass
from typing import Any

from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.decided import METRICS, Decided, decide, settle
from rag_gate.judge.llm.material import Material, material_of
from rag_gate.judge.llm.opinion import METRIC_OF, Opinion
from rag_gate.judge.llm.rounds import Outcome
from rag_gate.reasons import MAX_ANSWER


@dataclass(frozen=True, slots=True)
class Case:
    """A case, what is known about it without a model, and what a model gets to see."""

    request: JudgeRequest
    material: Material
    decided: Decided

    @classmethod
    def of(cls, request: JudgeRequest) -> "Case":
        """Prepare a request."""
        readable = len(request.answer) <= MAX_ANSWER
        material = material_of(request) if readable else Material("", "", {}, (), "en")
        return cls(request, material, decide(request, material))

    @property
    def speaks_to_judge(self) -> bool:
        """Whether its answer or a document tries to talk the judge into something."""
        material = self.material
        return bool(material.removed or material.withheld or material.removed_in_documents)

    def judged(self, outcome: Outcome | None) -> CaseJudgment:
        """Return the judgment, from what was decided by rule and what a model said."""
        opinion = outcome.opinion if outcome else Opinion("")
        decided = settle(
            self.decided,
            self.request,
            opinion.scores.get("relevance"),
            opinion.reasons.get("relevance"),
            attacks=bool(self.material.removed),
        )
        scores = {**dict.fromkeys(METRICS), **opinion.scores, **decided.scores}
        reasons = {**opinion.reasons, **decided.reasons}
        detail = {**self._detail(), **opinion.detail}
        if outcome is not None:
            detail |= _of_model(outcome)
        return CaseJudgment(scores, reasons, detail)

    def unasked(self, reason: str, message: str) -> CaseJudgment:
        """Return the judgment where the model could not be asked any more."""
        opinion = Opinion("", error=message)
        for part in self.decided.ask:
            opinion.scores[METRIC_OF[part]] = None
            opinion.reasons[METRIC_OF[part]] = reason
        return self.judged(Outcome(opinion))

    def _detail(self) -> dict[str, Any]:
        detail: dict[str, Any] = {
            "answer": self.request.answer[:MAX_ANSWER],
            "expected": list(self.request.expected),
            "flags": list(self.decided.flags),
        }
        if self.speaks_to_judge or self.material.invisible:
            detail["judge_injection"] = {
                "answer": [*self.material.removed, *self.material.withheld],
                "documents": self.material.removed_in_documents,
                "invisible_characters": self.material.invisible,
            }
        return detail


def _of_model(outcome: Outcome) -> dict[str, Any]:
    opinion = outcome.opinion
    detail: dict[str, Any] = {}
    if opinion.model:
        detail |= {"judged_by": opinion.model, "raw": opinion.raw}
    if opinion.error is not None:
        detail["error"] = opinion.error
    if outcome.first is not None:
        first = outcome.first
        detail["first_look"] = {
            "judged_by": first.model,
            "scores": first.scores,
            "reasons": first.reasons,
            "raw": first.raw,
        }
    if outcome.spread is not None:
        detail["spread"] = outcome.spread
    if outcome.confirmation is not None:
        detail["confirmation"] = outcome.confirmation
    return detail
