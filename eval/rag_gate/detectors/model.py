"""What detectors look at and what they give."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from rag_gate.detectors.labels import Labels

Severity = Literal["critical", "contact", "weak"]

_CRITICAL = (
    "CREDIT_CARD IBAN JP_BANK_ACCOUNT JP_DRIVER_LICENSE JP_HEALTH_INSURANCE JP_MY_NUMBER JP_PASSPORT "
    "JP_PENSION JP_RESIDENCE_CARD KR_PASSPORT KR_RRN UK_NHS UK_NINO UK_PASSPORT US_BANK_ACCOUNT "
    "US_DRIVER_LICENSE US_ITIN US_PASSPORT US_SSN"
)
_CONTACT = "ADDRESS EMAIL JP_ADDRESS JP_POSTAL_CODE PHONE"
_WEAK = "DATE_OF_BIRTH IP PERSON"
#: Type of personal data -> how bad it is to show it.
SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        **dict.fromkeys(_CRITICAL.split(), "critical"),
        **dict.fromkeys(_CONTACT.split(), "contact"),
        **dict.fromkeys(_WEAK.split(), "weak"),
    }
)
_TAKEN = "\x00"
_FIGURE = re.compile("[0-9]")


@dataclass(frozen=True, slots=True)
class Hit:
    """A value in folded text.

    Attributes:
        type: such as ``EMAIL``.
        start: offset in the folded text.
        end: offset after the last character.
        keys: canonical forms; two values are the same if they share one.
        published: a number that its issuer publishes for tests.
    """

    type: str
    start: int
    end: int
    keys: frozenset[str]
    published: bool = False


@dataclass
class Scan:
    """A folded text while detectors look at it.

    Attributes:
        text: the folded text.
        open: the same without what was already found, character by character.
        hits: what was found.
    """

    text: str
    open: str = ""
    hits: list[Hit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open = self.text

    @cached_property
    def figures(self) -> int:
        """How many digits the text has."""
        return len(_FIGURE.findall(self.text))

    @cached_property
    def labels(self) -> Labels:
        """The words of the text that say what a number is."""
        return Labels(self.text)

    def take(self, hits: Iterable[Hit]) -> None:
        """Keep what a detector found; later detectors do not see it."""
        found = list(hits)
        self.hits += found
        self.cover((hit.start, hit.end) for hit in found)

    def cover(self, spans: Iterable[tuple[int, int]]) -> None:
        """Hide spans from later detectors."""
        parts: list[str] = []
        done = 0
        for start, end in sorted(spans):
            if end > done:
                parts += (self.open[done:start], _TAKEN * (end - max(start, done)))
                done = end
        self.open = "".join([*parts, self.open[done:]])


class Spans:
    """Spans of a text that do not overlap."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def take(self, start: int, end: int) -> bool:
        """Add a span unless it overlaps one that is there; tell whether it was added."""
        index = bisect_left(self._starts, start)
        free_before = index == 0 or self._ends[index - 1] <= start
        free_after = index == len(self._starts) or self._starts[index] >= end
        if free_before and free_after:
            self._starts.insert(index, start)
            self._ends.insert(index, end)
        return free_before and free_after
