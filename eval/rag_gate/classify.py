"""Join one case over the stages: its scores, its truths, its status."""

from collections.abc import Mapping

from rag_gate.errors import NotJudgedError
from rag_gate.reasons import NOT_APPLICABLE, is_open
from rag_gate.records.partial import CaseScore, Score, StageName
from rag_gate.records.results import AnswerMeasure, AnswerRule, CaseResult
from rag_gate.status import Judged, status_of


def classify(joined: Mapping[StageName, Mapping[str, CaseScore]], rule: AnswerRule) -> list[CaseResult]:
    """Join each case's rows of all stages and name its status.

    Args:
        joined: stage -> question id -> row, each in order of id.
        rule: what makes an answer right.

    Raises:
        NotJudgedError: if the stages hold different cases.
    """
    ids = list(next(iter(joined.values())))
    for stage, rows in joined.items():
        if list(rows) != ids:
            other = sorted(set(ids) ^ set(rows))[:3]
            raise NotJudgedError(
                f"merge: stage '{stage}' holds other cases than the first ({', '.join(other)})"
            )
    truths = {key: _truths({stage: rows[key] for stage, rows in joined.items()}, rule) for key in ids}
    answers_measured = any(answer is not None for (_, answer, _), _ in truths.values())
    return [
        _case(
            {stage: rows[key] for stage, rows in joined.items()},
            *truths[key],
            rule,
            answers_measured=answers_measured,
        )
        for key in ids
    ]


_MEASURES: dict[AnswerRule, tuple[str, ...]] = {
    "auto": ("correctness", "answer_match"),
    "match": ("answer_match",),
    "correctness": ("correctness",),
}


def _truths(stages: Mapping[StageName, CaseScore], rule: AnswerRule) -> tuple[Judged, AnswerMeasure | None]:
    scores = {name: value for case in stages.values() for name, value in case.scores.items()}
    reasons = {name: reason for case in stages.values() for name, reason in case.reasons.items()}
    retrieval = stages["retrieval"].detail.get("retrieval_ok") if "retrieval" in stages else None
    safety = scores.get("safety_pass_rate")
    answer, decided = _answer(scores, reasons, rule)
    return Judged(retrieval, answer, None if safety is None else safety == 1.0), decided


def _answer(
    scores: Mapping[str, Score], reasons: Mapping[str, str], rule: AnswerRule
) -> tuple[bool | None, AnswerMeasure | None]:
    used = next((name for name in _MEASURES[rule] if scores.get(name) is not None), None)
    if used is None:
        return None, None
    right = scores[used] == 1.0
    if used == "answer_match":
        # The judge could not tell, or failed: inequality of the texts decides nothing then.
        undecided = rule == "auto" and not right and is_open(reasons.get("correctness"))
        return (None, None) if undecided else (right, "match")
    return right, "correctness"


def _case(
    stages: Mapping[StageName, CaseScore],
    known: Judged,
    decided: AnswerMeasure | None,
    rule: AnswerRule,
    *,
    answers_measured: bool,
) -> CaseResult:
    first = next(iter(stages.values()))
    reasons = {name: reason for case in stages.values() for name, reason in case.reasons.items()}
    scores = {name: value for case in stages.values() for name, value in case.scores.items()}
    answer_applies = any(
        name in scores and reasons.get(name) not in NOT_APPLICABLE for name in _MEASURES[rule]
    )
    return CaseResult.model_validate(
        {
            "question_id": first.question_id,
            "fingerprint": first.fingerprint,
            "info": first.info,
            "status": status_of(
                known,
                retrieval_due="retrieval" in stages
                and reasons.get("mrr") not in {"unanswerable", "no_relevant"},
                answer_due=answers_measured and answer_applies,
            ),
            "retrieval_ok": known.retrieval_ok,
            "answer_ok": known.answer_ok,
            "answer_rule": decided,
            "safety_ok": known.safety_ok,
            "answered_without_evidence": known.answer_ok is True and known.retrieval_ok is False,
            "scores": scores,
            "reasons": reasons,
            "detail": {stage: case.detail for stage, case in stages.items() if case.detail},
            "retrieved_fp": _retrieved(stages),
        }
    )


def _retrieved(stages: Mapping[StageName, CaseScore]) -> str | None:
    return stages["retrieval"].detail.get("retrieved_fp") if "retrieval" in stages else None
