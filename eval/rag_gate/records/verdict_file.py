"""verdict.json: the decision, why, and for which cases."""

from typing import Literal

from pydantic import Field

from rag_gate.measures import Dimension
from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.history import TrendPoint
from rag_gate.records.partial import DatasetInfo, RunInfo, Score
from rag_gate.records.results import Status
from rag_gate.records.verdict import MetricVerdict, Overall


class Change(OwnRecord):
    """One metric that moved, in the shape of the seed's regression list."""

    metric: str
    baseline: Score = None
    current: Score = None
    delta: Score = None
    tolerance: Score = None
    reason: str | None = None


class Worsened(OwnRecord):
    """One case whose score fell."""

    question_id: str
    baseline: float
    current: float


class CaseChange(OwnRecord):
    """One case and its status then and now (``was`` is None for a new case)."""

    question_id: str
    was: Status | None = None
    now: Status | None = None


class CaseChanges(OwnRecord):
    """Cases by what happened to them; every list is in order of id.

    Where the two sides were not measured alike (``compared`` is false), none is newly failing, fixed or still failing.
    """

    compared: bool = True
    newly_failing: list[CaseChange] = Field(default_factory=list)
    fixed: list[CaseChange] = Field(default_factory=list)
    still_failing: list[CaseChange] = Field(default_factory=list)
    unscored: list[CaseChange] = Field(default_factory=list)
    lost_must_pass: list[str] = Field(default_factory=list)
    added: list[str] = Field(default_factory=list)
    removed: list[str] = Field(default_factory=list)
    edited: list[str] = Field(default_factory=list)


class SliceWarning(OwnRecord):
    """A part of the cases in which a metric fell (warns only)."""

    metric: str
    slice: str
    n: int
    delta: float
    p_bh: float


class Verdict(OwnRecord):
    """The decision.

    Attributes:
        overall: worst of error > regressed > inconclusive > pass.
        passed: whether the pull request may go on (what the exit code says).
        exit_code: of ``rag-gate check``.
        summary: one sentence.
        problems: why there is no verdict (overall ``error``), one sentence each.
        notices: what a reader should know and does not decide.
        failing_dimensions: qualities with a regressed metric, in the order in which one explains the next.
        stage: the first of them, where to look.
        regressions, improvements: the seed's lists.
        metrics: the numbers behind each gating metric.
        report_only: the same for metrics that are shown and do not gate.
        worsened: metric -> cases whose score fell, largest fall first.
        trend: metric -> its last promoted means, oldest first, where they were measured alike.
        likely_causes: what of this run's retrieval differs from the baseline's run, where a metric got worse or may have.
        conditions: condition -> [baseline's run, this run] where the two differ.
        neutral: why the check does not fail although this is no pass, or not a whole one; None = it is what it says.
        rules_from: the commit whose settings, labels and baseline decided; None = those of the checkout.
        rules_changed: path -> [its hash there, its hash in the pull request] of files that decide and that the pull
            request changed (null = not there).
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["verdict"] = "verdict"
    overall: Overall
    passed: bool
    exit_code: int
    summary: str
    problems: list[str] = Field(default_factory=list)
    notices: list[str] = Field(default_factory=list)
    failing_dimensions: list[Dimension] = Field(default_factory=list)
    stage: Dimension | None = None
    regressions: list[Change] = Field(default_factory=list)
    improvements: list[Change] = Field(default_factory=list)
    metrics: dict[str, MetricVerdict]
    report_only: dict[str, MetricVerdict] = Field(default_factory=dict)
    worsened: dict[str, list[Worsened]] = Field(default_factory=dict)
    cases: CaseChanges = CaseChanges()
    slices: list[SliceWarning] = Field(default_factory=list)
    trend: dict[str, list[TrendPoint]] = Field(default_factory=dict)
    likely_causes: list[str] = Field(default_factory=list)
    conditions: dict[str, tuple[str | None, str | None]] = Field(default_factory=dict)
    neutral: str | None = None
    rules_from: str | None = None
    rules_changed: dict[str, tuple[str | None, str | None]] = Field(default_factory=dict)
    alpha: float
    dataset: DatasetInfo | None = None
    run: RunInfo | None = None
    baseline_commit: str | None = None
    baseline_promoted_at: str | None = None
