"""By which words two texts may speak of the same thing, however they put it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rag_gate.judge.numbers import extract_values
from rag_gate.judge.terms import content_terms, term_keys
from rag_gate.judge.values import Value, ValueIndex
from rag_gate.text import has_cjk, normalise

_ENOUGH = 5
_DECIMAL = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?\Z")
_IDEOGRAPH = re.compile(r"[々\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_KATAKANA = re.compile(r"[\u30a1-\u30ff]{2,}")
_OTHER_SCRIPT = re.compile(r"[^\W\d_a-z\u3041-\u30ff々\u3400-\u4dbf\u4e00-\u9fff]{2,}")
#: Units that are confused, or said for each other, without saying another number.
_SPANS = frozenset(["business_day", "day", "week", "month", "year", "hour", "minute", "second", "time", ""])
_COUNTED = frozenset(["number", "money", "percent"])
#: How long spans of time are, in days (five business days are a week), and by which share equal ones may differ.
_DAYS = {
    "business_day": 1.4,
    "day": 1.0,
    "week": 7.0,
    "month": 30.4,
    "year": 365.0,
    "hour": 1 / 24,
    "minute": 1 / 1440,
    "second": 1 / 86400,
}
_NEAR = 0.03


def marks(text: str) -> frozenset[str]:
    """Return stems of content words (their first five letters), ideographs, pairs of katakana and of other letters."""
    plain = normalise(text)
    found = {
        term.key[:_ENOUGH] for term in content_terms(text) if term.key.isascii() and not term.key.isdigit()
    }
    if plain.isascii():
        return frozenset(found)
    found.update(_IDEOGRAPH.findall(plain))
    for run in (*_KATAKANA.findall(plain), *_OTHER_SCRIPT.findall(plain)):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(found)


#: A sentence of these words alone takes what it states from the question.
ASSENT = marks(
    "yes yeah yep sure okay ok correct right true indeed certainly absolutely definitely exactly nope"
)


def same_script(first: str, second: str) -> bool:
    """Tell whether two texts are written alike, so that they can be expected to share words."""
    return has_cjk(first) == has_cjk(second)


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim, a sentence or a passage, taken apart once.

    Attributes:
        text: as written.
        keys: its words as stems, and its pairs of Japanese characters.
        content: those that are no function words.
        marks: see :func:`marks`.
        topic: those of them that stand beside its values.
        stated: its numbers, dates and codes.
        values: those of them that are quantities for sure.
    """

    text: str
    keys: frozenset[str]
    content: frozenset[str]
    marks: frozenset[str]
    topic: frozenset[str]
    stated: tuple[Value, ...]
    values: tuple[Value, ...]
    _index: ValueIndex = field(repr=False)

    @classmethod
    def of(cls, text: str) -> "Statement":
        """Take a text apart."""
        values = extract_values(text)
        index = ValueIndex()
        index.add(values, text)
        firm = tuple(value for value in values if value.firm)
        return cls(
            text=text,
            keys=term_keys(text),
            content=frozenset(term.key for term in content_terms(text)),
            marks=marks(text),
            topic=marks(_without(text, firm)),
            stated=tuple(values),
            values=firm,
            _index=index,
        )

    def states(self, value: Value) -> bool:
        """Tell whether it states a value, with its unit."""
        return self._index.states(value, year_may_lack=True)

    def states_number(self, value: Value) -> bool:
        """Tell whether it states a value, its number with another unit (5 days, 5 business days), or as long a time."""
        if self.states(value) or value.kind not in _COUNTED:
            return self.states(value)
        number = {value.canonical, *value.parts}
        return any(
            not number.isdisjoint({other.canonical, *other.parts}) or _are_as_long(value, other)
            for other in self.values
            if alike(value, other)
        )


def statements(texts: Iterable[str]) -> list[Statement]:
    """Take texts apart, equal ones once."""
    known: dict[str, Statement] = {}
    found = []
    for text in texts:
        if text not in known:
            known[text] = Statement.of(text)
        found.append(known[text])
    return found


class Told:
    """Which of many statements state a number, each text once."""

    def __init__(self, said: Iterable[Statement]) -> None:
        self._by_number: dict[str, list[Statement]] = {}
        self._written_otherwise: list[Statement] = []
        for each in {each.text: each for each in said}.values():
            for number in {number for value in each.stated for number in (value.canonical, *value.parts)}:
                self._by_number.setdefault(number, []).append(each)
            if any(_has_other_forms(value) for value in each.stated):
                self._written_otherwise.append(each)

    def stating(self, value: Value) -> list[Statement]:
        """Return those that state a value, or its number with another unit, or as long a time."""
        numbers = dict.fromkeys((value.canonical, *value.parts))
        near = {each.text: each for number in numbers for each in self._by_number.get(number, ())}
        found = [each for each in near.values() if each.states_number(value)]
        if found or not _has_other_forms(value):
            return found
        return [each for each in self._written_otherwise if each.states_number(value)]


def _has_other_forms(value: Value) -> bool:
    """Tell whether an equal value may be written with other numbers: 14 days, 2 weeks; 2 pm, 14:00."""
    return value.unit in _DAYS or value.kind in {"date", "time"}


def _without(text: str, values: Sequence[Value]) -> str:
    parts, at = [], 0
    for value in values:
        parts.append(text[at : value.start])
        at = max(at, value.end)
    return " ".join([*parts, text[at:]])


def alike(first: Value, second: Value) -> bool:
    """Tell whether two values are of the same sort, so that one may be written where the other was meant."""
    if first.kind != second.kind:
        return False
    return first.unit == second.unit or (first.unit in _SPANS and second.unit in _SPANS)


def _are_as_long(first: Value, second: Value) -> bool:
    """Tell whether two spans of time in different units are the same (2 weeks, 14 days, 10 business days)."""
    if first.unit == second.unit or not {first.unit, second.unit} <= _DAYS.keys():
        return False
    if not (_DECIMAL.match(first.canonical) and _DECIMAL.match(second.canonical)):
        return False
    one, other = (float(each.canonical) * _DAYS[each.unit] for each in (first, second))
    return abs(one - other) <= _NEAR * max(one, other)
