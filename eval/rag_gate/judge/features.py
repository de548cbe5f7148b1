"""What of a claim the evidence shows, as nine numbers that each grow with the chance of being supported."""

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

from rag_gate.judge.evidence import Evidence, Window
from rag_gate.judge.kana import to_hiragana
from rag_gate.judge.names import name_key, names_in
from rag_gate.judge.numbers import value_index
from rag_gate.judge.polarity import disagreements, negations, polarity
from rag_gate.judge.sequences import common_subsequence, longest_gap, weakest_stretch
from rag_gate.judge.terms import Term, concepts, match_key, match_keys, normalised, tokens
from rag_gate.judge.values import Value

_MOST_TOKENS = 1000
_MOST_KEYS = 300
_NO_CHARACTER = re.compile(r"[\W_]+")
_GRAM = 3
_NEAR_COPY = 0.75


@dataclass(frozen=True, slots=True)
class Features:
    """Nine measures of one claim against its best evidence, each from 0 to 1.

    Attributes:
        containment: share of its content units in the evidence.
        concepts: the same of single ideographs, katakana pairs and Latin words.
        weakest_stretch: how well the least covered stretch of six units stands in any one sentence.
        order: longest common subsequence with the evidence / tokens of the claim (ROUGE-L precision).
        trigrams: share of its character trigrams in the evidence.
        no_gap: 1 - longest run of units that the evidence lacks / units.
        known_names: share of its names that any context holds; 1 without names.
        agreement: 0 when only one of claim and evidence denies a word of both.
        numbers_near: share of its values in the evidence itself; 1 without values.
    """

    containment: float
    concepts: float
    weakest_stretch: float
    order: float
    trigrams: float
    no_gap: float
    known_names: float
    agreement: float
    numbers_near: float

    def values(self) -> tuple[float, ...]:
        """Return the numbers in the order of `NAMES`."""
        return astuple(self)


NAMES = tuple(field.name for field in fields(Features))


@dataclass(frozen=True, slots=True)
class Findings:
    """The features of a claim with the words behind them.

    Attributes:
        unknown_names: names that no context holds.
        exchanged_names: names of a claim that is otherwise nearly a copy of its evidence, and has others there.
        denied: words that only one of claim and evidence denies.
    """

    features: Features
    unknown_names: tuple[str, ...]
    exchanged_names: tuple[str, ...]
    denied: tuple[str, ...]


def compare(
    claim: str, terms: Sequence[Term], values: Sequence[Value], evidence: Evidence, window: Window
) -> Findings:
    """Compare a claim with its best window.

    Args:
        claim: its text.
        terms: its content units, at least one.
        values: its firm values.
        evidence: all contexts.
        window: the best window of the claim, see `Evidence.best_window`.
    """
    passage = evidence.passage(window).text
    plain, known = normalised(claim), normalised(passage)
    keys = [match_key(term.key) for term in terms]
    held = match_keys(known)
    alike = _alike(plain, known)
    names = names_in(claim)
    unknown = [name for name in names if not evidence.mentions(name_key(name))]
    denied = disagreements(polarity(claim), polarity(passage))
    original = _original(plain, evidence.sentences(window))
    if not denied and original:
        denied = _denied_once(claim, original)
    near = value_index([passage, evidence.also_known]) if values else None
    measured = Features(
        containment=window.matched / len(terms),
        concepts=_share(concepts(plain), concepts(known)),
        weakest_stretch=weakest_stretch(keys[:_MOST_KEYS], evidence.hits(keys[:_MOST_KEYS])),
        order=alike.order,
        trigrams=_share(_trigrams(plain), _trigrams(known)),
        no_gap=1 - longest_gap(keys, held) / len(keys),
        known_names=1 - len(unknown) / len(names) if names else 1.0,
        agreement=0.0 if denied else 1.0,
        numbers_near=sum(map(near.states, values)) / len(values) if near and values else 1.0,
    )
    exchanged = _exchanged(claim, original, evidence) if original else []
    return Findings(measured, tuple(unknown), tuple(exchanged), tuple(denied))


@dataclass(frozen=True, slots=True)
class _Alike:
    """How much of the claim stands in the passage in its order, and how much of the passage in the claim."""

    order: float
    back: float


def _alike(plain: str, known: str) -> _Alike:
    said, stated = tokens(plain, _MOST_TOKENS), tokens(known, _MOST_TOKENS)
    if not said or not stated:
        return _Alike(0.0, 0.0)
    common = common_subsequence(said, stated)
    return _Alike(common / len(said), common / len(stated))


def _original(plain: str, sentences: Sequence[str]) -> str:
    """Return the sentence that the claim is nearly a copy of, "" where there is none."""
    alike = [
        (min(found.order, found.back), text)
        for text in sentences
        if (found := _alike(plain, normalised(text)))
    ]
    likeness, text = max(alike)
    return text if likeness >= _NEAR_COPY else ""


def _denied_once(claim: str, passage: str) -> list[str]:
    """Return the negation that only one of two near copies has."""
    ours, theirs = negations(claim), negations(passage)
    more, less = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    return [word for word in more if word not in less][:1] if len(more) != len(less) else []


def _exchanged(claim: str, passage: str, evidence: Evidence) -> list[str]:
    """Return the names of a near copy that come from elsewhere and stand where the passage has others."""
    text, said = name_key(passage), name_key(claim)
    strange = [name for name in names_in(claim, with_ideographs=True) if name_key(name) not in text]
    known = [name for name in strange if evidence.mentions(name_key(name))]
    replaced = [name for name in names_in(passage, with_ideographs=True) if name_key(name) not in said]
    return known if replaced else []


def _trigrams(plain: str) -> list[str]:
    text = to_hiragana(_NO_CHARACTER.sub("", plain))
    return [text[at : at + _GRAM] for at in range(max(1, len(text) - _GRAM + 1))]


def _share(parts: Sequence[str], held: Sequence[str]) -> float:
    known = set(held)
    return sum(part in known for part in parts) / len(parts) if parts else 1.0
