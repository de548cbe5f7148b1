"""What is known about a case before any model is asked, and what is left to ask."""

from dataclasses import dataclass, field

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm.declining import declines
from rag_gate.judge.llm.fences import says_something, without_invisible
from rag_gate.judge.llm.material import Material
from rag_gate.judge.llm.prompt_files import Part
from rag_gate.reasons import MAX_ANSWER, TOO_LONG
from rag_gate.wording.refusals import is_refusal

#: Marks an answer that declines and says more.
PARTIAL = "partial_refusal"
METRICS = ("faithfulness", "relevance", "correctness")
#: All that could be judged speaks to the judge.
INJECTION = "judge_injection"


@dataclass(slots=True)
class Decided:
    """Scores and reasons that need no model, and the parts that do.

    Attributes:
        scores: metric -> score, or None with a reason.
        reasons: metric -> why it has no score.
        ask: what a model must be asked.
        flags: what kind of answer it is: ``empty_answer``, ``refusal``, ``partial_refusal`` (it declines and says
            more), ``nothing_retrieved``.
    """

    scores: dict[str, float | None] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    ask: tuple[Part, ...] = ()
    flags: tuple[str, ...] = ()

    def leave(self, metric: str, reason: str) -> None:
        """Give a metric no score, and say why."""
        self.scores[metric] = None
        self.reasons[metric] = reason


def decide(request: JudgeRequest, material: Material) -> Decided:
    """Decide what can be decided by rule.

    - An answer of more than 100,000 characters: nothing is scored.
    - An empty answer and a refusal where an answer was due: relevance 0, and correctness 0 if an answer is expected.
    - A refusal, or an empty answer, where a right bot abstains: correctness 1; relevance does not apply.
    - An answer where a right bot abstains: correctness 0; its claims and its relevance are asked.
    - An answer that declines and says more: nothing, a model is asked; see :func:`settle`.
    - All that answer and documents say speaks to the judge, in the same words: nothing. All that the documents say does:
      faithfulness stays unscored.
    - Nothing was retrieved: no claim of the answer can be supported, faithfulness 0. Results without any text:
      faithfulness stays unscored.
    """
    found = Decided()
    if len(request.answer) > MAX_ANSWER:
        for metric in METRICS:
            found.leave(metric, TOO_LONG)
        return found
    visible = without_invisible(request.answer)[0]
    declined = declines(visible, material.question) if says_something(visible) else "only"
    partly = declined == "and_more" and bool(material.answer)
    if not material.answer and material.withheld and not material.removed:
        for metric in METRICS:
            found.leave(metric, INJECTION)
        return found
    if not material.answer or (declined == "only" and not _expects_refusal(request)):
        _without_answer(found, request, material)
        return found
    found.flags = (PARTIAL,) if partly else ()
    _claims(found, request, material)
    if material.question:
        found.ask += ("relevance",)
    else:
        found.leave("relevance", "no_question")
    if not request.answerable:
        found.scores["correctness"] = 0.0
    elif not material.expected:
        found.leave("correctness", "no_expected_answer")
    else:
        found.ask += ("correctness",)
    return found


def settle(
    found: Decided, request: JudgeRequest, relevance: float | None, reason: str | None, *, attacks: bool
) -> Decided:
    """Return what an answer that declines and says more comes to, once a model has told whether it answers.

    It answers the question if its relevance is above 0, and abstains otherwise: then it is a refusal, whatever it adds.
    Without a verdict about its relevance, nobody knows.

    Args:
        found: what was decided by rule.
        request: the case.
        relevance: as the model sees it; None where it could not be had.
        reason: why it could not.
        attacks: whether the answer speaks to the judge; then it is not correct.
    """
    if PARTIAL not in found.flags:
        return found
    settled = Decided(dict(found.scores), dict(found.reasons), found.ask, found.flags)
    if relevance is None:
        if not request.answerable:
            settled.leave("correctness", reason or found.reasons.get("relevance", "judge_bad_reply"))
        return settled
    answers = relevance > 0
    if not request.answerable:
        settled.scores["correctness"] = float(not answers and not attacks)
        if not answers:
            settled.leave("relevance", "unanswerable")
    if not answers and "nothing_retrieved" in found.flags:
        settled.leave("faithfulness", "refusal")
    return settled


def _expects_refusal(request: JudgeRequest) -> bool:
    """Tell whether an accepted answer reads like a refusal itself, such as one that hands the question on."""
    return request.answerable and any(is_refusal(text) for text in request.expected if text.strip())


def _without_answer(found: Decided, request: JudgeRequest, material: Material) -> None:
    """Decide about an answer that says nothing, or nothing but words to the judge."""
    empty = not material.answer
    found.flags = ("empty_answer",) if empty else ("refusal",)
    if material.removed:
        found.scores["faithfulness"] = 0.0
    else:
        found.leave("faithfulness", "no_claims" if empty else "refusal")
    if not request.answerable:
        found.leave("relevance", "unanswerable")
        found.scores["correctness"] = float(not material.removed)
        return
    found.scores["relevance"] = 0.0
    if material.expected:
        found.scores["correctness"] = 0.0
    else:
        found.leave("correctness", "no_expected_answer")


def _claims(found: Decided, request: JudgeRequest, material: Material) -> None:
    if request.nothing_retrieved:
        found.scores["faithfulness"] = 0.0
        found.flags += ("nothing_retrieved",)
    elif not material.documents:
        found.leave("faithfulness", INJECTION if material.removed_in_documents else "no_text_recorded")
    else:
        found.ask += ("claims",)
