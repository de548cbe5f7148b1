"""The offline judge: one answer, judged by its words alone. No model, no network, no chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_gate.judge.courtesy import is_courtesy
from rag_gate.judge.evidence import Evidence
from rag_gate.judge.reference import Correctness, judge_correctness
from rag_gate.judge.support import ClaimVerdict, Verdict, judge_claim
from rag_gate.judge.whole_answer import copy_rate, in_other_language, is_stuffed
from rag_gate.wording.refusals import is_refusal
from rag_gate.wording.sentences import split_sentences

VERSION = "lexical-v1"
MAX_CLAIMS = 200


@dataclass(frozen=True, slots=True)
class AnswerJudgment:
    """What the offline judge says about one answer.

    Attributes:
        claims: one verdict per claim, in the answer's order; empty for a refusal.
        support: supported claims / claims; None when it could not be judged.
        undecided: claims left for review / claims; None when it could not be judged.
        copied: share of the answer that stands word for word in the contexts; None like support.
        number_match: 1.0 when the contexts or the question state every number, date and code of the
            answer, 0.0 when not, None when there is none or it could not be judged.
        correctness: comparison with the accepted answers: 1.0, 0.0 or None.
        missing: what the closest accepted answer says and the answer does not.
        flags: hard findings ``empty_answer``, ``refusal``, ``number_mismatch``, ``date_mismatch``,
            ``language_mismatch``, ``copy_rate`` (most of what was retrieved, copied), and ``cut``; sorted.
        hints: ``negation_mismatch``, ``unknown_entity``: worth a look, often harmless; sorted.
        reasons: per metric (support, number_match, correctness), why it is None or what it rests on.
    """

    claims: tuple[ClaimVerdict, ...]
    support: float | None
    undecided: float | None
    copied: float | None
    number_match: float | None
    correctness: float | None
    missing: tuple[str, ...]
    flags: tuple[str, ...]
    hints: tuple[str, ...]
    reasons: Mapping[str, str]


def judge_answer(
    question: str, answer: str, contexts: Sequence[str], expected: Sequence[str]
) -> AnswerJudgment:
    """Judge one answer against its retrieved texts and its accepted answers.

    Sentences that only greet, thank or offer help are no claims. Values that the question states are not missed in the contexts. Only the first 200 claims of an
    answer are judged (flag ``cut``), so that the time stays proportional to the length of the texts.
    Deterministic: the same texts give the same judgment on every machine.
    """
    correctness = judge_correctness(answer, expected)
    unjudged = _unjudged(answer, contexts)
    flags = {"language_mismatch"} if in_other_language(answer, question) else set()
    if unjudged:
        flag, reason = unjudged
        return _judgment((), correctness, flags | {flag} - {""}, reason)
    spans = [span for span in split_sentences(answer) if not is_courtesy(span.text)]
    if not spans:
        return _judgment((), correctness, flags, "the answer makes no claim")
    evidence = Evidence(contexts, also_known=question)
    claims = tuple(judge_claim(span, evidence) for span in spans[:MAX_CLAIMS])
    flags.update(flag for claim in claims for flag in claim.flags)
    if len(spans) > MAX_CLAIMS:
        flags.add("cut")
    copied = copy_rate(answer, evidence)
    if is_stuffed(answer, copied, contexts):
        flags.add("copy_rate")
    return _judgment(claims, correctness, flags, _basis(claims, len(spans)), copied)


def _unjudged(answer: str, contexts: Sequence[str]) -> tuple[str, str] | None:
    """Return the flag and the reason when there is nothing to compare."""
    if not answer.strip():
        return "empty_answer", "the answer is empty"
    if is_refusal(answer):
        return "refusal", "the answer declines or says that it does not know"
    if not any(text.strip() for text in contexts):
        return "", "no context was given"
    return None


def _basis(claims: Sequence[ClaimVerdict], n_claims: int) -> str:
    supported = sum(claim.verdict == "supported" for claim in claims)
    basis = f"{supported} of {len(claims)} claims supported"
    return (
        basis if n_claims == len(claims) else f"{basis}; the other {n_claims - len(claims)} were not judged"
    )


def _judgment(
    claims: tuple[ClaimVerdict, ...],
    correctness: Correctness,
    flags: set[str],
    reason: str,
    copied: float | None = None,
) -> AnswerJudgment:
    number_match, number_reason = _number_match(claims, reason)
    return AnswerJudgment(
        claims=claims,
        support=_share(claims, "supported"),
        undecided=_share(claims, "needs_review"),
        copied=copied,
        number_match=number_match,
        correctness=correctness.score,
        missing=correctness.missing,
        flags=tuple(sorted(flags)),
        hints=tuple(sorted({hint for claim in claims for hint in claim.hints})),
        reasons={"support": reason, "number_match": number_reason, "correctness": correctness.reason},
    )


def _share(claims: Sequence[ClaimVerdict], verdict: Verdict) -> float | None:
    return sum(claim.verdict == verdict for claim in claims) / len(claims) if claims else None


def _number_match(claims: Sequence[ClaimVerdict], reason: str) -> tuple[float | None, str]:
    if not claims:
        return None, reason
    if not any(claim.has_values for claim in claims):
        return None, "the answer states no number, date or code"
    missed = sum(bool(claim.flags) for claim in claims)
    if missed:
        return 0.0, f"{missed} of {len(claims)} claims state a value that no context states"
    return 1.0, "every number, date and code is stated in the contexts or the question"
