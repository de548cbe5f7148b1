"""What ragas is asked about a case, and why not."""

from dataclasses import dataclass
from typing import Any

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.refusals import is_refusal
from rag_gate.reasons import MAX_ANSWER, MAX_TEXTS, TEXTS_TOO_LONG, TOO_LONG
from rag_gate.text import is_japanese

#: Which parts of a case each metric reads: another text elsewhere does not change its score.
READS = {
    "faithfulness": ("user_input", "response", "retrieved_contexts"),
    "answer_relevancy": ("user_input", "response"),
    "context_precision": ("user_input", "retrieved_contexts", "reference"),
    "context_recall": ("user_input", "retrieved_contexts", "reference"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One case for ragas.

    Attributes:
        sample: under the names that ragas uses; a blank retrieved text is left out.
        japanese: whether prompts in Japanese suit it.
        scores: metric -> score that needs no model.
        reasons: metric -> why it has no score.
    """

    sample: dict[str, Any]
    japanese: bool
    scores: dict[str, float]
    reasons: dict[str, str]


def row_of(request: JudgeRequest, metrics: tuple[str, ...]) -> Row:
    """Return a case as ragas takes it. Of several accepted answers it knows the first."""
    contexts = [text for text in request.contexts if text.strip()]
    sample = {
        "user_input": request.question or "",
        "response": request.answer,
        "retrieved_contexts": contexts,
        "reference": request.expected[0] if request.expected else "",
    }
    reasons = {name: why for name in metrics if (why := _reason(name, request, contexts))}
    scores = dict.fromkeys((name for name in metrics if name not in reasons and _is_zero(name, request)), 0.0)
    japanese = is_japanese(request.question or request.answer)
    if request.language:
        japanese = request.language.lower().partition("-")[0] in {"ja", "jpn", "japanese"}
    return Row(sample, japanese, scores, reasons)


def _is_zero(metric: str, request: JudgeRequest) -> bool:
    """Tell whether nothing was retrieved or answered, so that there is nothing right in it."""
    reads = READS[metric]
    return ("retrieved_contexts" in reads and request.nothing_retrieved) or (
        "response" in reads and not request.answer.strip()
    )


def _reason(metric: str, request: JudgeRequest, contexts: list[str]) -> str | None:
    """Return why a metric does not apply or cannot be measured, None if it can."""
    reads = READS[metric]
    if "response" in reads and (why := _without_answer(metric, request)):
        return why
    if "reference" in reads and (why := _without_reference(request)):
        return why
    if not request.question:
        return "no_question"
    if "retrieved_contexts" in reads and not request.nothing_retrieved:
        if not contexts:
            return "no_text_recorded"
        if sum(map(len, contexts)) > MAX_TEXTS:
            return TEXTS_TOO_LONG
    return None


def _without_answer(metric: str, request: JudgeRequest) -> str | None:
    if len(request.answer) > MAX_ANSWER:
        return TOO_LONG
    if metric == "answer_relevancy":
        return None if request.answerable else "unanswerable"
    if not request.answer.strip():
        return "no_claims"
    return "refusal" if is_refusal(request.answer) else None


def _without_reference(request: JudgeRequest) -> str | None:
    if not request.answerable:
        return "unanswerable"
    return None if request.expected else "no_expected_answer"
