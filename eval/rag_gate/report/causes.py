"""Which stage failed a case, in words."""

from collections.abc import Mapping

from rag_gate.records.results import CaseResult, Status
from rag_gate.report.markdown import Markdown
from rag_gate.report.words import IN_ENGLISH, Words

#: The order in which cases are listed.
STATUSES: tuple[Status, ...] = (
    "safety_failure",
    "retrieval_and_generation_failure",
    "retrieval_failure",
    "generation_failure",
    "unscored",
    "passed",
)
FAILING = frozenset(STATUSES) - {"passed", "unscored"}


def cause_of(case: CaseResult, words: Words = IN_ENGLISH) -> Markdown:
    """Return which stage failed.

    Some have a word of their own: a right answer that retrieval cannot explain, and a wrong one that states
    what no retrieved text says.
    """
    if case.status == "retrieval_failure" and case.answered_without_evidence:
        return words("cause.without_evidence")
    if case.status == "safety_failure" and case.retrieval_ok is False:
        return words("cause.safety_and_retrieval")
    if case.status == "generation_failure" and has_unsupported(case):
        return words("cause.unsupported")
    return words(f"cause.{case.status}")


def has_unsupported(case: CaseResult) -> bool:
    """Tell whether the judge found a claim in the answer that no retrieved text supports."""
    claims = (case.detail.get("judge") or {}).get("claims")
    return isinstance(claims, list) and any(
        isinstance(claim, Mapping) and claim.get("verdict") == "unsupported" for claim in claims
    )
