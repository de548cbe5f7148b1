"""The context of the comment's templates: ``view``, a ``CommentView``, and ``t``, our own words.

This is public: templates of your own and ``rag-gate report --format json`` rest on it; ``SCHEMA_VERSION``
rises when a field goes or changes its meaning.

Fields of type ``Markdown`` and numbers are written as they are. Every ``str`` is untrusted (it may come
from a question, an answer, a document id, a manifest): the filters ``inline(limit)`` and ``code(limit)``
escape it, and a template that forgets them gets ``inline``.
"""

from dataclasses import dataclass
from typing import Any, Literal

from rag_gate.config_models import Language
from rag_gate.report.headline import Outcome
from rag_gate.report.markdown import Markdown
from rag_gate.report.rows import (
    CaseRow,
    Compared,
    Condition,
    Counter,
    Listing,
    MetricRow,
    PowerRow,
    WorsenedCase,
)

#: Of the view as it is written by ``rag-gate report --format json``.
SCHEMA_VERSION = 1
DetailKind = Literal[
    "scores", "slices", "cases", "statuses", "ids", "trend", "power", "judge", "facts", "commands"
]


@dataclass(frozen=True, slots=True)
class CaseTable:
    """A list of failing cases, unfolded, with its causes counted.

    Attributes:
        title: what the cases have in common, and how many they are.
        causes: cause -> how many.
        cases: the most urgent first.
    """

    title: Markdown
    causes: tuple[Counter, ...]
    cases: Listing[CaseRow]


@dataclass(frozen=True, slots=True)
class WorsenedMetric:
    """Cases that pulled a metric down and are in none of the lists of failing cases.

    Attributes:
        metric: as in the results.
        cases: largest fall first.
    """

    metric: str
    cases: Listing[WorsenedCase]


@dataclass(frozen=True, slots=True)
class Detail:
    """One folded block.

    Attributes:
        kind: names the template under ``details/``.
        title: what stands beside the arrow.
        rows: by kind: scores ``ScoreRow``, slices ``SliceRow``, cases ``CaseRow``, statuses ``StatusRow``, ids
            ``str``, trend ``TrendRow``, power ``PowerRow``, judge ``str``, facts ``Fact``, commands
            ``Commands`` (one).
        open: whether it is unfolded at first.
    """

    kind: DetailKind
    title: Markdown
    rows: Listing[Any]
    open: bool = False


@dataclass(frozen=True, slots=True)
class CommentView:
    """Everything the comment says, in the order in which it says it.

    Attributes:
        language: of all words, ``en`` or ``ja``.
        marker: hidden first line by which the comment is found again; it is written before the template.
        outcome: the outcome as a code: blocked, passed, passed_with_warnings, inconclusive, not_evaluated,
            neutral, regressed.
        headline: the outcome in words, such as BLOCKED.
        symbol: a sign for it; the words say the same.
        why: the verdict in one sentence.
        where: the qualities that failed, the first explaining the ones after it; None where none did.
        next_step: what the outcome means for the pull request.
        neutral: why the check does not fail although this is no pass, or not a whole one.
        problems: why there is no verdict, beyond the reason in ``why``.
        changed: conditions in which the run differs from the baseline's.
        counters: the strip below the headline: cases, scored, errors, what became of them.
        changes: what became of the cases since the baseline; empty where no case was compared.
        metrics: those that decide, the worst first.
        detectable: the drop that each deciding metric detects reliably with its cases.
        compared: which commits were compared; None where there is no promoted baseline.
        judge_note: what the offline judge left open, where that is most.
        judging: which model judged and what that cost; untrusted text.
        tables: failing cases that were not failing in the baseline, and others that block.
        worsened: by metric, cases that got worse without being in one of these tables.
        notices: what a reader should know and does not decide.
        details: folded blocks, the most important first.
        hidden_details: titles of the blocks that did not fit.
    """

    language: Language
    marker: Markdown
    outcome: Outcome
    headline: Markdown
    symbol: Markdown
    why: str
    where: Markdown | None
    next_step: Markdown | None
    neutral: str | None
    problems: Listing[str]
    changed: Listing[Condition]
    counters: tuple[Counter, ...]
    changes: tuple[Counter, ...]
    metrics: Listing[MetricRow]
    detectable: Listing[PowerRow]
    compared: Compared | None
    judge_note: Markdown | None
    judging: str | None
    tables: tuple[CaseTable, ...]
    worsened: tuple[WorsenedMetric, ...]
    notices: Listing[str]
    details: tuple[Detail, ...]
    hidden_details: tuple[Markdown, ...] = ()
