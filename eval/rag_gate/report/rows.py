"""The rows of the comment's lists and tables; part of the templates' context."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from rag_gate.report.markdown import Markdown

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """The first rows of a list and how many there are in all."""

    rows: tuple[T, ...] = ()
    total: int = 0

    @property
    def omitted(self) -> int:
        """How many are not shown."""
        return self.total - len(self.rows)

    def capped(self, most: int) -> "Listing[T]":
        """Return the same list with at most that many rows."""
        return Listing(self.rows[:most], self.total)


@dataclass(frozen=True, slots=True)
class Counter:
    """One number of the strip below the headline."""

    count: int
    words: Markdown


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of the run; ``was`` is None where the baseline's run did not state it."""

    name: str
    was: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One deciding metric; all cells are words for readers.

    Attributes:
        change: with its 90 % interval where there is one.
        cases: how many pairs, how many better and worse.
        verdict: the decision and why, in words.
    """

    name: str
    dimension: Markdown
    baseline: Markdown
    now: Markdown
    change: Markdown
    tolerance: Markdown
    cases: Markdown
    verdict: Markdown


@dataclass(frozen=True, slots=True)
class Expected:
    """An expected id and where it was found: ``rank 7`` or ``not found``."""

    id: str
    rank: Markdown


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A retrieved id, and how many results in a row bear it (chunks of one document)."""

    id: str
    times: int


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case that needs a look.

    Attributes:
        cause: the stage that failed, in words.
        expected: the first few expected ids.
        retrieved: the first few retrieved ids in rank order; None where retrieval is not known.
        answerable: False where a right bot declines: then nothing is expected, and retrieval is not measured.
        why: one line that explains the failure.
    """

    question_id: str
    question: str | None
    must_pass: bool
    cause: Markdown
    expected: Listing[Expected]
    retrieved: Listing[Retrieved] | None
    why: str
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class WorsenedCase:
    """One case whose score fell, although its status may not have changed."""

    question_id: str
    was: Markdown
    now: Markdown


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One case and why it is in the list."""

    question_id: str
    question: str | None
    words: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One measured metric with its denominators."""

    name: str
    dimension: Markdown
    role: Markdown
    baseline: Markdown
    now: Markdown
    scored: Markdown
    not_scored: Markdown


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One part of the cases in which a metric fell."""

    metric: str
    slice: str
    n: int
    change: Markdown
    p: Markdown


@dataclass(frozen=True, slots=True)
class TrendRow:
    """The promoted means of one metric, oldest first.

    Attributes:
        since: the day of the first of them.
        now: this run's mean; None where it saw another tier than the promoted runs.
    """

    metric: str
    since: str
    means: Markdown
    now: Markdown | None


@dataclass(frozen=True, slots=True)
class PowerRow:
    """What a deciding metric can detect with this many pairs."""

    metric: str
    pairs: int
    drop: Markdown


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the provenance; a value is shown as code, unless it is a sentence."""

    name: str
    value: str
    note: Markdown | None = None
    is_sentence: bool = False
