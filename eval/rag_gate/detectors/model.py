"""What detectors look at and what they give."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from rag_gate.detectors.labels import Labels
from rag_gate.late import Late

_TAKEN = "\x00"
_NUMBER = Late("[0-9](?:[^0-9]{0,3}[0-9]){5}")


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

    @property
    def has_number(self) -> bool:
        """Whether six digits close together are left in what no detector has taken."""
        return _NUMBER.search(self.open) is not None

    @cached_property
    def labels(self) -> Labels:
        """The words of the text that say what a number is."""
        return Labels(self.text)

    def take(self, hits: Iterable[Hit]) -> None:
        """Keep what a detector found; later detectors do not see it."""
        found = list(hits)
        if found:
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
