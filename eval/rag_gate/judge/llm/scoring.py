"""From a model's verdict to scores: everything that can be counted is counted here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_gate.judge.llm.coverage import Coverage, repeated
from rag_gate.judge.llm.declining import says_only_that_it_declines
from rag_gate.judge.llm.material import Material
from rag_gate.judge.llm.proofs import Proof, Proofs
from rag_gate.judge.llm.replies import Claim, ModelVerdict, Relevance
from rag_gate.judge.llm.statement import Statement

#: What each essential point costs that the answer lacks, and each that does not belong there; two count at most.
_MISSING, _SUPERFLUOUS, _AT_MOST = 0.25, 0.125, 2
_CORRECTNESS = {"incorrect": 0.0, "partial": 0.5, "correct": 1.0}


@dataclass(slots=True)
class Scored:
    """What one verdict comes to.

    Attributes:
        scores: of the metrics that were asked.
        detail: what explains them.
        unscored: why the claims give no score, as a code and in words; None where they do.
    """

    scores: dict[str, float] = field(default_factory=dict)
    detail: dict[str, Any] = field(default_factory=dict)
    unscored: tuple[str, str] | None = None


def score(verdict: ModelVerdict, material: Material) -> Scored:
    """Turn a verdict into scores.

    - faithfulness: supported claims / claims, repeated ones once. A claim counts as supported only if the model says
      so and the checks agree (see :meth:`Proofs.of` and :meth:`Coverage.foreign`). A sentence of the answer that
      speaks to the judge, and one with a number that the model passed over, count as claims without support. A reply
      that passes over most of a longer answer gives no score. That the documents do not say something is no claim.
    - relevance: 0 if the answer does not address the question, else 1, less 0.25 for each essential point that is
      missing and 0.125 for each superfluous one, two of each at most; so from 0.25.
    - correctness: 1 correct, 0.5 partial, 0 incorrect.
    """
    found = Scored()
    if verdict.claims is not None:
        _score_claims(found, verdict.claims, material)
    if verdict.relevance is not None:
        found.scores["relevance"] = _relevance(verdict.relevance, material)
        found.detail["addresses"] = verdict.relevance.addresses
        found.detail["missing"] = verdict.relevance.missing
        found.detail["superfluous"] = [*verdict.relevance.superfluous, *material.removed]
    if verdict.correctness is not None:
        found.scores["correctness"] = _CORRECTNESS[verdict.correctness]
        found.detail["correctness"] = verdict.correctness
    return found


def _score_claims(found: Scored, claims: Sequence[Claim], material: Material) -> None:
    said = [Statement.of(claim.text) for claim in claims]
    coverage = Coverage(material.answer, material.question)
    rows = _rows(claims, said, coverage, Proofs(coverage.said, material.question, material.documents))
    again = repeated(said, [row["verdict"] == "supported" for row in rows])
    rows = [row for at, row in enumerate(rows) if at not in again and not _declines(row)]
    rows += [_unsupported(text, "not_claimed") for text in coverage.unclaimed_numbers(said)]
    rows += [_unsupported(text, "judge_injection") for text in material.removed]
    unsupported = sum(row["verdict"] != "supported" for row in rows)
    found.detail |= {"claims": rows, "unsupported_claims": unsupported, "hallucination": unsupported > 0}
    if again:
        found.detail["repeated_claims"] = len(again)
    passed_over = coverage.passed_over(said)
    if passed_over:
        found.detail["passed_over"] = passed_over
    if coverage.is_no_judgment(said, passed_over):
        found.unscored = (
            "judge_bad_reply",
            f"the reply passes over {len(passed_over)} statements of the answer",
        )
    elif not rows:
        found.unscored = ("refusal", "all that the answer states is that it declines")
    else:
        found.scores["faithfulness"] = (len(rows) - unsupported) / len(rows)


def _rows(
    claims: Sequence[Claim], said: Sequence[Statement], coverage: Coverage, proofs: Proofs
) -> list[dict[str, Any]]:
    foreign = coverage.foreign(said)
    rows = []
    for at, (claim, statement) in enumerate(zip(claims, said, strict=True)):
        proof = proofs.of(claim, statement) if claim.supported else Proof()
        objections = [*proof.objections, *(["not_in_answer"] if claim.supported and at in foreign else [])]
        rows.append(_row(claim, proof, objections))
    return rows


def _declines(row: Mapping[str, Any]) -> bool:
    return row["verdict"] != "supported" and says_only_that_it_declines(row["text"])


def _row(claim: Claim, proof: Proof, objections: Sequence[str]) -> dict[str, Any]:
    supported = claim.supported and not objections
    row: dict[str, Any] = {
        "text": claim.text,
        "verdict": "supported" if supported else "unsupported",
        "evidence": claim.evidence,
        "document": claim.document if proof.document is None else proof.document,
    }
    row |= {"flags": list(objections)} if objections else {}
    return row | ({"notes": list(proof.notes)} if proof.notes else {})


def _unsupported(text: str, flag: str) -> dict[str, Any]:
    """Return a row for what the answer says and the model did not name."""
    return {
        "text": text,
        "verdict": "unsupported",
        "evidence": None,
        "document": None,
        "flags": [flag],
    }


def _relevance(relevance: Relevance, material: Material) -> float:
    if not relevance.addresses:
        return 0.0
    missing = min(len(relevance.missing), _AT_MOST)
    superfluous = min(len(relevance.superfluous) + len(material.removed), _AT_MOST)
    return 1 - _MISSING * missing - _SUPERFLUOUS * superfluous
