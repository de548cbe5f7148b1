"""The joined measurement of a run: every case with its status, every metric with its counts."""

from typing import Any, Literal

from pydantic import Field

from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.judging import Judging
from rag_gate.records.partial import (
    CaseInfo,
    CaseScore,
    Count,
    DatasetInfo,
    Evaluator,
    MetricSummary,
    RunInfo,
    Score,
    StageName,
)

Status = Literal[
    "passed",
    "retrieval_failure",
    "generation_failure",
    "retrieval_and_generation_failure",
    "safety_failure",
    "unscored",
]
AnswerRule = Literal["auto", "match", "correctness"]
AnswerMeasure = Literal["match", "correctness"]


class CaseResult(OwnRecord):
    """One case over all stages.

    Attributes:
        status: which stage failed, see ``rag_gate.status``.
        retrieval_ok: the success rule held; None = not measured or not due.
        answer_ok: the answer is right; None = not measured.
        answer_rule: which measure decided ``answer_ok`` (``correctness`` or ``match``).
        safety_ok: no violation found; None = nothing was checked.
        answered_without_evidence: right answer although retrieval failed.
        detail: stage -> what explains its scores.
        retrieved_fp: fingerprint of the ids of all results in rank order; None = not known.
    """

    question_id: str
    fingerprint: str
    info: CaseInfo = CaseInfo()
    status: Status
    retrieval_ok: bool | None = None
    answer_ok: bool | None = None
    answer_rule: AnswerMeasure | None = None
    safety_ok: bool | None = None
    answered_without_evidence: bool = False
    scores: dict[str, Score]
    reasons: dict[str, str] = Field(default_factory=dict)
    detail: dict[str, dict[str, Any]] = Field(default_factory=dict)
    retrieved_fp: str | None = None


class Results(OwnRecord):
    """The file that merge writes and check reads.

    Attributes:
        stages: which evaluators measured, by stage.
        counts: cases, executed, empty, missing, error, unknown of the run.
        scores: metric -> mean (null when nothing was scored), the flat form of ``metrics``.
        statuses: status -> number of cases.
        extended_retrieval: of a run of the core tier, the extended cases that retrieval was measured on as
            well, since that needs no model; part of the means of its metrics.
        judging: what a model judge cost and how it went, over all shards; null where none judged.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["results"] = "results"
    dataset: DatasetInfo
    run: RunInfo
    stages: dict[StageName, Evaluator]
    answer_ok_rule: AnswerRule = "auto"
    counts: dict[str, Count] = Field(default_factory=dict)
    judging: Judging | None = None
    scores: dict[str, Score]
    metrics: dict[str, MetricSummary]
    statuses: dict[Status, Count]
    cases: list[CaseResult]
    extended_retrieval: list[CaseScore] = Field(default_factory=list)

    def measured_on_all_tiers(self, metric: str) -> bool:
        """Tell whether a metric of a core run was measured on the extended cases as well."""
        return any(metric in row.scores for row in self.extended_retrieval)
