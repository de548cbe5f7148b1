"""Whether one claim of an answer is supported by the retrieved texts, with the passage that shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag_gate.judge.evidence import Evidence, Window
from rag_gate.judge.numbers import extract_values
from rag_gate.judge.polarity import disagreements, polarity
from rag_gate.judge.terms import Term, content_terms, normalised, term_keys, unmatched_stretches
from rag_gate.judge.values import Value
from rag_gate.text import contains
from rag_gate.wording.sentences import Span

Verdict = Literal["supported", "needs_review", "unsupported"]
Flag = Literal["number_mismatch", "date_mismatch"]
SUPPORTED_FROM = 0.7
UNSUPPORTED_BELOW = 0.3


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What the contexts say about one claim.

    Attributes:
        text: the claim.
        span: where it stands in the answer: start, end.
        verdict: the decision.
        score: share of the claim's content units in the best window, 0 to 1.
        evidence: the best window, word for word from its context; "" when no unit was found.
        context_index: the context it is from, None without evidence.
        evidence_span: where it stands there, None without evidence.
        unmatched: stretches of the claim that the evidence lacks, then values that no context states
            and words that only one of the two denies.
        flags: hard findings; each makes the claim unsupported.
        has_values: whether the claim states any number, date, time or code.
    """

    text: str
    span: tuple[int, int]
    verdict: Verdict
    score: float
    evidence: str = ""
    context_index: int | None = None
    evidence_span: tuple[int, int] | None = None
    unmatched: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    has_values: bool = False


def judge_claim(claim: Span | str, contexts: Evidence | Sequence[str]) -> ClaimVerdict:
    """Judge one claim against the contexts of its case.

    The score is the containment of the claim's content units (see `content_terms`) in the best window
    of one or two neighbouring sentences of one context: ``supported`` from 0.7, ``unsupported`` below
    0.3, ``needs_review`` between. A sentence copied from a context scores 1. A number, date, time or
    code that no context states makes the claim ``unsupported``; a word that only one of claim and
    evidence denies lowers ``supported`` to ``needs_review``. Containment measures wording, not truth:
    a supported paraphrase can score low, and a changed name in a copied sentence high.
    """
    span = claim if isinstance(claim, Span) else Span(0, len(claim), claim)
    evidence = contexts if isinstance(contexts, Evidence) else Evidence(contexts)
    values = [value for value in extract_values(span.text) if value.firm]
    copied = evidence.verbatim(span.text)
    if copied is not None:
        return _verdict(span, evidence, Window(copied, copied, 1), 1.0, values)
    terms = content_terms(span.text)
    window = evidence.best_window(terms)
    missing = [value for value in values if not evidence.values.states(value)]
    score = window.matched / len(terms) if window else 0.0
    return _verdict(span, evidence, window, score, values, terms=terms, missing=missing)


def _verdict(
    span: Span,
    evidence: Evidence,
    window: Window | None,
    score: float,
    values: list[Value],
    *,
    terms: Sequence[Term] = (),
    missing: Sequence[Value] = (),
) -> ClaimVerdict:
    passage = evidence.passage(window) if window else None
    text = passage.text if passage else ""
    unmatched = unmatched_stretches(span.text, terms, term_keys(text)) + [value.text for value in missing]
    verdict = _band(score)
    if missing:
        verdict = "unsupported"
    elif verdict == "supported":
        denied = _denied_by_one(span.text, text)
        verdict = "needs_review" if denied else verdict
        unmatched += denied
    return ClaimVerdict(
        text=span.text,
        span=(span.start, span.end),
        verdict=verdict,
        score=round(score, 4),
        evidence=text,
        context_index=passage.context if passage else None,
        evidence_span=(passage.start, passage.end) if passage else None,
        unmatched=tuple(dict.fromkeys(unmatched)),
        flags=_flags(missing),
        has_values=bool(values),
    )


def _band(score: float) -> Verdict:
    if score >= SUPPORTED_FROM:
        return "supported"
    return "unsupported" if score < UNSUPPORTED_BELOW else "needs_review"


def _denied_by_one(claim: str, evidence: str) -> list[str]:
    if contains(normalised(claim), normalised(evidence)):
        return []
    return disagreements(polarity(claim), polarity(evidence))


def _flags(missing: Sequence[Value]) -> tuple[Flag, ...]:
    found: dict[Flag, None] = {}
    for value in missing:
        found["date_mismatch" if value.kind in ("date", "time") else "number_mismatch"] = None
    return tuple(sorted(found))
