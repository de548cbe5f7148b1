"""The offline judge as an engine: deterministic, compares words, needs neither network nor key."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.lexical import VERSION, AnswerJudgment, judge_answer
from rag_gate.judge.refusals import is_refusal
from rag_gate.reasons import MAX_ANSWER, MAX_TEXTS, TEXTS_TOO_LONG, TOO_LONG

NOTE = "offline and deterministic; compares words, does not understand meaning"


class LexicalEngine:
    """``lexical-v1``. It does not measure faithfulness or relevance; only a model judge can."""

    name = VERSION
    version = "1"
    settings: Mapping[str, Any] = {"contexts": "retrieved texts", "note": NOTE}
    metrics: tuple[str, ...] = ("support", "number_match", "correctness", "refusal_accuracy")

    def judge_many(self, requests: Iterable[JudgeRequest]) -> Iterator[CaseJudgment]:
        """Judge answers one by one."""
        return map(self.judge, requests)

    def report(self) -> None:
        """Nothing was asked of anybody."""

    def warnings(self) -> list[str]:
        """Return nothing: it cannot fail."""
        return []

    def judge(self, request: JudgeRequest) -> CaseJudgment:
        """Judge one answer by its words; one that is longer than any answer should be stays unscored."""
        if len(request.answer) > MAX_ANSWER:
            detail = {"answer": request.answer[:MAX_ANSWER], "expected": list(request.expected)}
            return CaseJudgment(dict.fromkeys(self.metrics), dict.fromkeys(self.metrics, TOO_LONG), detail)
        readable = sum(map(len, request.contexts)) <= MAX_TEXTS
        contexts = request.contexts if readable else ()
        found = judge_answer(request.question or "", request.answer, contexts, request.expected)
        refused = is_refusal(request.answer)
        scores: dict[str, float | None] = {
            "support": found.support,
            "number_match": found.number_match,
            "correctness": found.correctness,
            "refusal_accuracy": float(refused is not request.answerable),
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
    if "refusal" in found.flags:
        return "refusal"
    if "empty_answer" in found.flags:
        return "no_claims"
    if not any(text.strip() for text in request.contexts):
        return "no_text_recorded"
    return "no_claims" if metric == "support" else "no_values"


def _detail(found: AnswerJudgment, request: JudgeRequest) -> dict[str, Any]:
    claims = [
        {
            "text": claim.text,
            "verdict": claim.verdict,
            "evidence": claim.evidence,
            "unmatched": list(claim.unmatched),
            "flags": list(claim.flags),
        }
        for claim in found.claims
    ]
    return {
        "answer": request.answer,
        "expected": list(request.expected),
        "claims": claims,
        "missing": list(found.missing),
        "flags": list(found.flags),
        "why": found.reasons.get("correctness", ""),
    }
