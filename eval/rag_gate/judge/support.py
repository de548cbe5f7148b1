"""Whether one claim of an answer is supported by the retrieved texts, with the passage that shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag_gate.judge.evidence import Evidence, Window
from rag_gate.judge.features import Findings, compare
from rag_gate.judge.model import shipped_model
from rag_gate.judge.numbers import extract_values
from rag_gate.judge.terms import Term, content_terms, term_keys, unmatched_stretches
from rag_gate.judge.values import Value
from rag_gate.wording.sentences import Span

Verdict = Literal["supported", "needs_review", "unsupported"]
Flag = Literal["number_mismatch", "date_mismatch"]
Hint = Literal["negation_mismatch", "unknown_entity"]
SUPPORTED_FROM = 0.7
UNSUPPORTED_BELOW = 0.3
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What the contexts say about one claim.

    Attributes:
        text: the claim.
        span: where it stands in the answer: start, end.
        verdict: the decision.
        score: how much it looks like a supported claim, 0 to 1; no probability for your data.
        evidence: the best window, word for word from its context; "" when no unit was found.
        context_index: the context it is from, None without evidence.
        evidence_span: where it stands there, None without evidence.
        unmatched: stretches of the claim that the evidence lacks, then values that no context states
            and words that only one of the two denies.
        flags: hard findings; each makes the claim unsupported.
        hints: what is worth a look; with a denied word or an exchanged name no claim is ``supported``.
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
    hints: tuple[Hint, ...] = ()
    has_values: bool = False


def judge_claim(claim: Span | str, contexts: Evidence | Sequence[str]) -> ClaimVerdict:
    """Judge one claim against the contexts of its case.

    The best window of one or two neighbouring sentences of one context is compared with the claim in nine
    ways (see `Features`); a logistic model makes one score of them: ``supported`` from 0.7, ``unsupported``
    below 0.3, ``needs_review`` between. A sentence copied from a context scores 1. A number, date, time
    or code that no context states makes the claim ``unsupported``, and so does one that stands in a near
    copy of a sentence in the place of another; a word that only one of claim and evidence denies lowers
    ``supported`` to ``needs_review``. The score measures wording, not truth: a
    supported paraphrase can score low, and a changed name in a copied sentence high.
    """
    span = claim if isinstance(claim, Span) else Span(0, len(claim), claim)
    evidence = contexts if isinstance(contexts, Evidence) else Evidence(contexts)
    values = [value for value in extract_values(span.text) if value.firm]
    copied = evidence.verbatim(span.text)
    if copied is not None:
        return _verdict(span, evidence, Window(copied, copied, 1), _Compared(1.0), values)
    terms = content_terms(span.text)
    window = evidence.best_window(terms)
    found = compare(span.text, terms, values, evidence, window) if window else None
    misplaced = frozenset(found.misplaced if found else ())
    near = {value for value in found.near if not value.counts_one} if found else set()
    missing = tuple(
        value
        for value in values
        if value in misplaced or (value not in near and evidence.values.misses(value))
    )
    score = shipped_model().chance(found.features.values()) if found else 0.0
    if missing:
        score = round(score * UNSUPPORTED_BELOW, _DECIMALS)
    return _verdict(span, evidence, window, _Compared(score, tuple(terms), missing, found), values)


@dataclass(frozen=True, slots=True)
class _Compared:
    """What comes out of comparing a claim with its window."""

    score: float
    terms: tuple[Term, ...] = ()
    missing: tuple[Value, ...] = ()
    found: Findings | None = None


def _verdict(
    span: Span, evidence: Evidence, window: Window | None, compared: _Compared, values: Sequence[Value]
) -> ClaimVerdict:
    passage = evidence.passage(window) if window else None
    text = passage.text if passage else ""
    found = compared.found
    doubts = (*found.exchanged_names, *found.denied) if found else ()
    missing = compared.missing
    unmatched = unmatched_stretches(span.text, compared.terms, term_keys(text))
    return ClaimVerdict(
        text=span.text,
        span=(span.start, span.end),
        verdict=_band(compared.score, missing=bool(missing), doubted=bool(doubts)),
        score=compared.score,
        evidence=text,
        context_index=passage.context if passage else None,
        evidence_span=(passage.start, passage.end) if passage else None,
        unmatched=tuple(dict.fromkeys([*unmatched, *(value.text for value in missing), *doubts])),
        flags=_flags(missing),
        hints=_hints(found),
        has_values=bool(values),
    )


def _band(score: float, *, missing: bool, doubted: bool) -> Verdict:
    if missing or score < UNSUPPORTED_BELOW:
        return "unsupported"
    return "supported" if score >= SUPPORTED_FROM and not doubted else "needs_review"


def _flags(missing: Sequence[Value]) -> tuple[Flag, ...]:
    found: dict[Flag, None] = {}
    for value in missing:
        found["date_mismatch" if value.kind in ("date", "time", "weekday") else "number_mismatch"] = None
    return tuple(sorted(found))


def _hints(found: Findings | None) -> tuple[Hint, ...]:
    hints: list[Hint] = []
    if found and found.denied:
        hints.append("negation_mismatch")
    if found and (found.unknown_names or found.exchanged_names):
        hints.append("unknown_entity")
    return tuple(hints)
