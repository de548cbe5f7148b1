"""The offline judge as an engine: deterministic, compares words, needs neither network nor key."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.lexical import VERSION, AnswerJudgment, judge_answer
from rag_gate.judge.model import shipped_model
from rag_gate.judge.whole_answer import question_coverage
from rag_gate.partials import evaluator_of
from rag_gate.reasons import MAX_ANSWER, MAX_TEXTS, TEXTS_TOO_LONG, TOO_LONG
from rag_gate.records.agreement import Agreement
from rag_gate.wording.refusals import is_refusal

_STALE = (
    "judge.calibration: the file is of another judge, or of another state of this one, so the judge counts as not "
    "calibrated; measure it again with rag-gate calibrate judge"
)
NOTE = "offline and deterministic; compares words, does not understand meaning"


class LexicalEngine:
    """``lexical-v1``. It does not measure faithfulness or relevance; only a model judge can."""

    name = VERSION
    version = "3"
    metrics: tuple[str, ...] = (
        "support",
        "abstain_rate",
        "number_match",
        "correctness",
        "question_coverage",
        "copy_rate",
        "answer_length",
    )

    def __init__(self, calibration: Agreement | None = None) -> None:
        """Take what is known of its agreement with people, if anything.

        Args:
            calibration: what ``rag-gate calibrate judge`` wrote; of another judge or state it counts for nothing.
        """
        settings = {
            "contexts": "retrieved texts",
            "note": NOTE,
            "judge": f"{VERSION}@{shipped_model().sha}",
        }
        itself = evaluator_of(self.name, self.version, settings).fingerprint
        self._stale = calibration is not None and (
            calibration.judge is None or calibration.judge.fingerprint != itself
        )
        known = sum(calibration.counts.values()) if calibration and not self._stale else False
        self.settings: Mapping[str, Any] = {**settings, "calibrated": known}

    def judge_many(self, requests: Iterable[JudgeRequest]) -> Iterator[CaseJudgment]:
        """Judge answers one by one."""
        return map(self.judge, requests)

    def report(self) -> None:
        """Nothing was asked of anybody."""

    def warnings(self) -> list[str]:
        """Tell where the calibration is of another judge: it cannot fail otherwise."""
        return [_STALE] if self._stale else []

    def judge(self, request: JudgeRequest) -> CaseJudgment:
        """Judge one answer by its words; one that is longer than any answer should be stays unscored."""
        if len(request.answer) > MAX_ANSWER:
            detail = {"answer": request.answer[:MAX_ANSWER], "expected": list(request.expected)}
            return CaseJudgment(dict.fromkeys(self.metrics), dict.fromkeys(self.metrics, TOO_LONG), detail)
        readable = sum(map(len, request.contexts)) <= MAX_TEXTS
        contexts = request.contexts if readable else ()
        question = request.question or ""
        found = judge_answer(question, request.answer, contexts, request.expected)
        refused = is_refusal(request.answer)
        scores: dict[str, float | None] = {
            "support": found.support,
            "abstain_rate": found.undecided,
            "number_match": found.number_match,
            "correctness": found.correctness,
            "question_coverage": None if refused else question_coverage(question, request.answer),
            "copy_rate": found.copied,
            "answer_length": float(len(request.answer)),
        }
        if not request.answerable:
            scores["correctness"] = float(refused)
        elif refused and request.expected and found.correctness is None:
            scores["correctness"] = 0.0
        reasons = {name: _reason(name, found, request) for name, score in scores.items() if score is None}
        if not readable:
            reasons |= {
                name: TEXTS_TOO_LONG for name, why in reasons.items() if why in {"no_claims", "no_values"}
            }
        return CaseJudgment(scores, reasons, _detail(found, request))


def _reason(metric: str, found: AnswerJudgment, request: JudgeRequest) -> str:
    if metric == "correctness":
        return "undecided" if request.expected else "no_expected_answer"
    if metric == "question_coverage" and not (request.question or "").strip():
        return "no_question"
    if "refusal" in found.flags:
        return "refusal"
    if "empty_answer" in found.flags:
        return "no_claims"
    if not any(text.strip() for text in request.contexts):
        return "no_text_recorded"
    return "no_values" if metric == "number_match" else "no_claims"


def _detail(found: AnswerJudgment, request: JudgeRequest) -> dict[str, Any]:
    claims = [
        {
            "text": claim.text,
            "verdict": claim.verdict,
            "evidence": claim.evidence,
            "context": claim.context_index,
            "span": None if claim.evidence_span is None else list(claim.evidence_span),
            "unmatched": list(claim.unmatched),
            "score": claim.score,
            "flags": [*claim.flags, *claim.hints],
        }
        for claim in found.claims
    ]
    return {
        "answer": request.answer,
        "expected": list(request.expected),
        "claims": claims,
        "missing": list(found.missing),
        "flags": list(found.flags),
        "hints": list(found.hints),
        "why": found.reasons.get("correctness", ""),
    }
