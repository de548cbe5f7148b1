"""The context of the comment's templates: a template sees ``view``, a ``CommentView``, and nothing else.

Fields of type ``Markdown`` and numbers are written as they are. Every ``str`` is untrusted (it may come
from a question, an answer, a document id, a manifest): the filters ``inline(limit)`` and ``code(limit)``
escape it, and a template that forgets them gets ``inline``.
"""

from dataclasses import dataclass
from typing import Any, Literal

from rag_gate.report.markdown import Markdown
from rag_gate.report.rows import CaseRow, Condition, Counter, Listing, MetricRow, WorsenedCase

DetailKind = Literal["scores", "slices", "cases", "statuses", "ids", "trend", "power", "facts", "commands"]


@dataclass(frozen=True, slots=True)
class CaseTable:
    """A visible table of cases with a heading and the causes counted."""

    title: Markdown
    causes: tuple[Counter, ...]
    cases: Listing[CaseRow]


@dataclass(frozen=True, slots=True)
class WorsenedMetric:
    """Cases that pulled a regressed metric down and are in none of the tables of cases."""

    metric: str
    cases: Listing[WorsenedCase]


@dataclass(frozen=True, slots=True)
class Detail:
    """One folded block; its ``kind`` names the template under ``details/``.

    ``rows`` holds, by kind: scores ``ScoreRow``, slices ``SliceRow``, cases ``CaseRow``, statuses
    ``StatusRow``, ids ``str``, trend ``TrendRow``, power ``PowerRow``, facts ``Fact``, commands none.
    """

    kind: DetailKind
    title: Markdown
    rows: Listing[Any]


@dataclass(frozen=True, slots=True)
class CommentView:
    """Everything the comment says, in the order in which it says it.

    Attributes:
        marker: hidden first line by which the comment is found again.
        outcome: BLOCKED, PASSED, PASSED WITH WARNINGS, INCONCLUSIVE or NOT EVALUATED.
        why: the verdict in one sentence.
        where: the qualities that failed, the first explaining the ones after it; None where none did.
        next_step: what the outcome means for the pull request.
        neutral: why the check does not fail although this is no pass, or not a whole one.
        problems: why there is no verdict, beyond the reason in ``why``.
        changed: conditions in which the run differs from the baseline's.
        judge_note: what the judge is, where a judge's metric decides.
        judging: which model judged and what that cost; untrusted text.
        details: folded blocks, the most important first.
        hidden_details: titles of the blocks that did not fit.
    """

    marker: Markdown
    outcome: Markdown
    symbol: Markdown
    why: str
    where: Markdown | None
    next_step: Markdown | None
    neutral: str | None
    problems: Listing[str]
    changed: Listing[Condition]
    counters: tuple[Counter, ...]
    metrics: Listing[MetricRow]
    judge_note: Markdown | None
    judging: str | None
    notices: Listing[str]
    tables: tuple[CaseTable, ...]
    worsened: tuple[WorsenedMetric, ...]
    details: tuple[Detail, ...]
    hidden_details: tuple[Markdown, ...] = ()
