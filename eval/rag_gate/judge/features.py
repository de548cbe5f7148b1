"""What of a claim the evidence shows, as nine numbers that each grow with the chance of being supported."""

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

from rag_gate.judge.evidence import Evidence, Window
from rag_gate.judge.kana import one_spelling, to_hiragana
from rag_gate.judge.names import name_key, names_in
from rag_gate.judge.near_copies import (
    denied_once,
    exchanged_names,
    likeness,
    misplaced_values,
    original_of,
)
from rag_gate.judge.numbers import value_index
from rag_gate.judge.opposites import reversed_words
from rag_gate.judge.polarity import disagreements, polarity
from rag_gate.judge.sequences import longest_gap, weakest_stretch
from rag_gate.judge.terms import Term, concepts, match_key, match_keys, normalised
from rag_gate.judge.values import Value

_MOST_KEYS = 300
_NO_CHARACTER = re.compile(r"[\W_]+")
_GRAM = 3


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
        agreement: 0 when only one of claim and evidence denies a word of both, or a near copy reverses one.
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
        misplaced: values of such a claim that stand where the evidence has others.
        denied: words that only one of claim and evidence denies, or that a near copy puts for their opposite.
        near: values that the evidence itself states.
    """

    features: Features
    unknown_names: tuple[str, ...]
    exchanged_names: tuple[str, ...]
    misplaced: tuple[Value, ...]
    denied: tuple[str, ...]
    near: frozenset[Value]


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
    names = names_in(claim)
    unknown = [name for name in names if not _is_known(name_key(name), known, evidence)]
    denied = disagreements(polarity(claim), polarity(passage))
    original = original_of(plain, evidence.sentences(window))
    if not denied and original:
        denied = denied_once(claim, original) or reversed_words(claim, original)
    index = value_index([passage, evidence.also_known]) if values else None
    near = [value for value in values if index and index.states(value)]
    measured = Features(
        containment=window.matched / len(terms),
        concepts=_share(concepts(plain), concepts(known)),
        weakest_stretch=weakest_stretch(keys[:_MOST_KEYS], evidence.hits(keys[:_MOST_KEYS])),
        order=likeness(plain, known)[0],
        trigrams=_share(_trigrams(plain), _trigrams(known)),
        no_gap=1 - longest_gap(keys, held) / len(keys),
        known_names=1 - len(unknown) / len(names) if names else 1.0,
        agreement=0.0 if denied else 1.0,
        numbers_near=len(near) / len(values) if values else 1.0,
    )
    exchanged = exchanged_names(claim, original, evidence) if original else []
    misplaced = misplaced_values(claim, values, original, evidence.also_known) if original else []
    return Findings(
        measured, tuple(unknown), tuple(exchanged), tuple(misplaced), tuple(denied), frozenset(near)
    )


def _is_known(name: str, known: str, evidence: Evidence) -> bool:
    """Tell whether some context holds the name; the window, which is short, is searched first."""
    return name in one_spelling(known) or evidence.mentions(name)


def _trigrams(plain: str) -> list[str]:
    text = to_hiragana(_NO_CHARACTER.sub("", plain))
    return [text[at : at + _GRAM] for at in range(max(1, len(text) - _GRAM + 1))]


def _share(parts: Sequence[str], held: Sequence[str]) -> float:
    known = set(held)
    return sum(part in known for part in parts) / len(parts) if parts else 1.0
