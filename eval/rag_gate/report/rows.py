"""The rows of the comment's lists and tables; part of the templates' context."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from rag_gate.records.results import Status
from rag_gate.records.verdict import MetricDecision
from rag_gate.report.markdown import Markdown

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """The first rows of a list and how many there are in all.

    Attributes:
        rows: those that are shown.
        total: how many there are.
    """

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
    """One number of the strip below the headline.

    Attributes:
        count: the number.
        words: the number with what it counts, such as ``3 errors``.
    """

    count: int
    words: Markdown


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition in which this run differs from the baseline's.

    Attributes:
        name: as in the manifest of the run, such as ``prompt_version``.
        was: of the baseline's run; None where it was not stated.
        now: of this run; None where it was not stated.
    """

    name: str
    was: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One deciding metric; all cells are words for readers.

    Attributes:
        name: as in the results.
        decision: pass, inconclusive, regressed, error or report_only, as in the verdict.
        dimension: the quality that it belongs to.
        baseline: mean of the paired cases in the baseline.
        now: mean of the same cases in this run, and of all cases where a floor asks for it.
        change: with its 90 % interval where there is one.
        tolerance: largest drop that passes, and the floor.
        cases: how many pairs, how many better and worse.
        verdict: the decision and why, in words.
    """

    name: str
    decision: MetricDecision
    dimension: Markdown
    baseline: Markdown
    now: Markdown
    change: Markdown
    tolerance: Markdown
    cases: Markdown
    verdict: Markdown


@dataclass(frozen=True, slots=True)
class Expected:
    """An expected id and where it was found.

    Attributes:
        id: of the document or chunk.
        rank: ``rank 7`` or ``not found``.
    """

    id: str
    rank: Markdown


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A retrieved id.

    Attributes:
        id: of the document or chunk.
        times: how many results in a row bear it (chunks of one document).
    """

    id: str
    times: int


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case that needs a look.

    Attributes:
        question_id: the golden case.
        question: as asked; None where the golden set does not say.
        must_pass: whether the golden set says that it must pass.
        status: which stage failed, as in the results.
        cause: the stage that failed, in words.
        expected: the first few expected ids.
        retrieved: the first few retrieved ids in rank order; None where retrieval is not known.
        answerable: False where a right bot declines: then nothing is expected, and retrieval is not measured.
        why: one line that explains the failure.
    """

    question_id: str
    question: str | None
    must_pass: bool
    status: Status
    cause: Markdown
    expected: Listing[Expected]
    retrieved: Listing[Retrieved] | None
    why: str
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class WorsenedCase:
    """One case whose score fell, although its status may not have changed.

    Attributes:
        question_id: the golden case.
        was: its score in the baseline.
        now: its score in this run.
    """

    question_id: str
    was: Markdown
    now: Markdown


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One case and why it is in the list.

    Attributes:
        question_id: the golden case.
        question: as asked; None where the golden set does not say.
        words: why it is in the list.
    """

    question_id: str
    question: str | None
    words: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One measured metric with its denominators.

    Attributes:
        name: as in the results.
        dimension: the quality that it belongs to.
        role: whether it decides.
        baseline: mean in the baseline.
        now: mean in this run.
        scored: how many cases are in the mean.
        not_scored: how many are not, and why.
    """

    name: str
    dimension: Markdown
    role: Markdown
    baseline: Markdown
    now: Markdown
    scored: Markdown
    not_scored: Markdown


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One part of the cases in which a metric fell.

    Attributes:
        metric: as in the results.
        slice: the part, such as ``category=refunds``.
        n: paired cases in it.
        change: of the mean.
        p: corrected for the number of parts.
    """

    metric: str
    slice: str
    n: int
    change: Markdown
    p: Markdown


@dataclass(frozen=True, slots=True)
class TrendRow:
    """The promoted means of one metric, oldest first.

    Attributes:
        metric: as in the results.
        since: the day of the first of them.
        means: joined by arrows.
        now: this run's mean; None where it saw another tier than the promoted runs.
        chart: source of a mermaid chart of the same; None where it has none.
    """

    metric: str
    since: str
    means: Markdown
    now: Markdown | None
    chart: Markdown | None = None


@dataclass(frozen=True, slots=True)
class PowerRow:
    """What a deciding metric can detect with this many pairs.

    Attributes:
        metric: as in the results.
        pairs: how many cases are compared.
        drop: the smallest drop that fails reliably.
    """

    metric: str
    pairs: int
    drop: Markdown


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the provenance.

    Attributes:
        name: what it is about.
        value: what is known.
        note: what to think of it.
        is_sentence: whether the value is a sentence; else it is shown as code.
    """

    name: str
    value: str
    note: Markdown | None = None
    is_sentence: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """What was compared with what.

    Attributes:
        head: commit of this run; None where it is not known.
        base: commit of the baseline; None where it is not known.
        promoted_on: day on which the baseline was promoted, such as ``2026-05-04``.
        age: how long ago that was, in words; None where the day of this report is not known.
    """

    head: str | None
    base: str | None
    promoted_on: str
    age: Markdown | None
