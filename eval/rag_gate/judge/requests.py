"""What is put to a judge about a recorded case, or why there is nothing to judge."""

from dataclasses import dataclass

from rag_gate.dataset import Joined
from rag_gate.judge.engine import JudgeRequest
from rag_gate.reasons import MISSING


@dataclass(frozen=True, slots=True)
class Nothing:
    """Why there is nothing to judge.

    Attributes:
        reason: code.
        message: what the run says about it.
    """

    reason: str
    message: str | None = None


def request_of(joined: Joined) -> JudgeRequest | Nothing:
    """Return the request about a case of a run."""
    case, record = joined.case, joined.record
    if record is None:
        return Nothing(MISSING)
    if joined.state == "error":
        return Nothing("run_error", record.error)
    if record.answer is None:
        return Nothing("no_answer_recorded")
    return JudgeRequest(
        question_id=case.question_id,
        question=case.question,
        answer=record.answer,
        contexts=tuple(text for text in record.texts() if text is not None),
        expected=case.expected_answers,
        answerable=case.is_answerable,
        language=case.language,
        nothing_retrieved=record.has_results and not record.results,
    )
