"""A claim, a sentence or a passage, taken apart into words and values."""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from rag_gate.judge.llm.alike_values import has_other_forms, may_be_same
from rag_gate.judge.llm.marks import marks
from rag_gate.judge.numbers import extract_values
from rag_gate.judge.terms import content_terms, term_keys
from rag_gate.judge.values import Value, ValueIndex

_REMEMBERED = 256


class Statement:
    """One text; each part of it is made out when it is first asked for.

    Attributes:
        text: as written.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @staticmethod
    @lru_cache(maxsize=_REMEMBERED)
    def of(text: str) -> "Statement":
        """Return the statement of a text, the same one where it comes again soon."""
        return Statement(text)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Its words as stems, and its pairs of Japanese characters."""
        return term_keys(self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        """Those that are no function words."""
        return frozenset(term.key for term in content_terms(self.text))

    @cached_property
    def marks(self) -> frozenset[str]:
        """See :func:`marks`."""
        return marks(self.text)

    @cached_property
    def topic(self) -> frozenset[str]:
        """The marks of what stands beside its values."""
        return marks(_without(self.text, self.values)) if self.values else self.marks

    @cached_property
    def stated(self) -> tuple[Value, ...]:
        """Its numbers, dates and codes."""
        return tuple(extract_values(self.text))

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Those of them that are quantities for sure."""
        return tuple(value for value in self.stated if value.firm)

    @cached_property
    def _index(self) -> ValueIndex:
        index = ValueIndex()
        index.add(self.stated, self.text)
        return index

    def states(self, value: Value) -> bool:
        """Tell whether it states a value, with its unit."""
        return self._index.states(value, year_may_lack=True)

    def states_number(self, value: Value) -> bool:
        """Tell whether it states a value, its number with another unit (5 days, 5 business days), or as long a time."""
        return self.states(value) or any(may_be_same(value, other) for other in self.values)


class Told:
    """Which of many statements state a number, each text once."""

    def __init__(self, said: Iterable[Statement]) -> None:
        self._by_number: dict[str, list[Statement]] = {}
        self._written_otherwise: list[Statement] = []
        for each in {each.text: each for each in said}.values():
            for number in {number for value in each.stated for number in (value.canonical, *value.parts)}:
                self._by_number.setdefault(number, []).append(each)
            if any(has_other_forms(value) for value in each.stated):
                self._written_otherwise.append(each)

    def stating(self, value: Value) -> list[Statement]:
        """Return those that state a value, or its number with another unit, or as long a time."""
        numbers = dict.fromkeys((value.canonical, *value.parts))
        near = {each.text: each for number in numbers for each in self._by_number.get(number, ())}
        found = [each for each in near.values() if each.states_number(value)]
        if found or not has_other_forms(value):
            return found
        return [each for each in self._written_otherwise if each.states_number(value)]


def _without(text: str, values: Sequence[Value]) -> str:
    parts, at = [], 0
    for value in values:
        parts.append(text[at : value.start])
        at = max(at, value.end)
    return " ".join([*parts, text[at:]])
