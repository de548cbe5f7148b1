"""Claims that are nearly a copy of one sentence, and what was changed in them."""

from collections.abc import Sequence

from rag_gate.judge.evidence import Evidence
from rag_gate.judge.names import name_key, names_in
from rag_gate.judge.numbers import extract_values, value_index
from rag_gate.judge.polarity import negations
from rag_gate.judge.sequences import common_subsequence
from rag_gate.judge.terms import normalised, tokens
from rag_gate.judge.values import Value

_MOST_TOKENS = 1000
_NEAR_COPY = 0.75


def likeness(plain: str, known: str) -> tuple[float, float]:
    """Return the shares of either normalised text that stand in the other in the same order."""
    said, stated = tokens(plain, _MOST_TOKENS), tokens(known, _MOST_TOKENS)
    if not said or not stated:
        return 0.0, 0.0
    common = common_subsequence(said, stated)
    return common / len(said), common / len(stated)


def original_of(plain: str, sentences: Sequence[str]) -> str:
    """Return the sentence that the normalised claim is nearly a copy of, "" where there is none."""
    alike = [(min(likeness(plain, normalised(sentence))), sentence) for sentence in sentences]
    most, sentence = max(alike)
    return sentence if most >= _NEAR_COPY else ""


def denied_once(claim: str, original: str) -> list[str]:
    """Return the negation that only one of two near copies has."""
    ours, theirs = negations(claim), negations(original)
    more, less = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    return [word for word in more if word not in less][:1] if len(more) != len(less) else []


def misplaced_values(claim: str, values: Sequence[Value], original: str, question: str) -> list[Value]:
    """Return the firm values of a near copy that stand where the original has others."""
    if not values:
        return []
    stated, said = value_index([original, question]), value_index([claim])
    strange = [value for value in values if not stated.states(value)]
    replaced = [value for value in extract_values(original) if value.firm and not said.states(value)]
    return strange if replaced else []


def exchanged_names(claim: str, original: str, evidence: Evidence) -> list[str]:
    """Return the names of a near copy that come from elsewhere and stand where the original has others."""
    text, said = name_key(original), name_key(claim)
    strange = [name for name in names_in(claim, with_ideographs=True) if name_key(name) not in text]
    known = [name for name in strange if evidence.mentions(name_key(name))]
    replaced = [name for name in names_in(original, with_ideographs=True) if name_key(name) not in said]
    return known if replaced else []
