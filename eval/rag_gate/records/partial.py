"""What one evaluator writes: counts beside each mean, and every case's scores with reasons."""

from typing import Annotated, Any, Literal

from pydantic import Field

from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.judging import Judging
from rag_gate.records.run import RunManifest

StageName = Literal["retrieval", "judge", "safety"]
TierName = Literal["core", "extended"]
Score = float | None
Count = Annotated[int, Field(ge=0)]


class DatasetInfo(OwnRecord):
    """Which golden set was evaluated.

    Attributes:
        fingerprint: of all evaluated cases, whatever the order of the file.
        tier: ``core`` (core cases only) or ``extended`` (all cases).
        n_cases: evaluated cases over all shards.
        has_extended: whether the set has an extended tier at all.
    """

    fingerprint: str
    tier: TierName
    n_cases: Count
    has_extended: bool = False


class RunInfo(OwnRecord):
    """Which recorded run was evaluated, and under which conditions it was made."""

    fingerprint: str
    manifest: RunManifest | None = None


class Evaluator(OwnRecord):
    """Who measured: name, version and every setting that can move a score."""

    name: str
    version: str
    settings: dict[str, Any] = Field(default_factory=dict)
    fingerprint: str


class Shard(OwnRecord):
    """Which part of the cases this file holds: ``index`` of ``total``, from 1."""

    index: int = Field(default=1, ge=1)
    total: int = Field(default=1, ge=1)


class MetricSummary(OwnRecord):
    """A mean with its denominators.

    Attributes:
        mean: sum of the scores / ``n_scored`` (math.fsum), null when nothing was scored.
        n_scored: cases in the mean, missing ones included where ``n_missing`` counts as 0.
        n_excluded: cases the metric does not apply to (unanswerable, no evidence given).
        n_unscored: cases it applies to that could not be measured (error, no text).
        n_missing: cases absent from the run; a retrieval metric counts them as 0.
        reasons: why cases have no score -> how many.
    """

    mean: float | None
    n_scored: Count
    n_excluded: Count = 0
    n_unscored: Count = 0
    n_missing: Count = 0
    reasons: dict[str, Count] = Field(default_factory=dict)


class CaseInfo(OwnRecord):
    """What readers need to recognise a case, copied from the golden set.

    Attributes:
        slices: attribute -> value, such as the category.
        cluster: name shared by the cases that need the same documents.
    """

    question: str | None = None
    tier: TierName = "core"
    must_pass: bool = False
    slices: dict[str, str] = Field(default_factory=dict)
    cluster: str | None = None


class CaseScore(OwnRecord):
    """One case as one evaluator saw it.

    Attributes:
        question_id: the golden case.
        fingerprint: of the golden case; pairs are made only between equal ones.
        scores: metric -> number, or null with a reason of the same key in ``reasons``.
        detail: what explains the scores (ranks, claims, findings); never compared.
    """

    question_id: str
    fingerprint: str
    info: CaseInfo = CaseInfo()
    scores: dict[str, Score]
    reasons: dict[str, str] = Field(default_factory=dict)
    detail: dict[str, Any] = Field(default_factory=dict)


class Partial(OwnRecord):
    """The file of one evaluator, or of one shard of it.

    Attributes:
        judging: what a model judge cost and how it went; null for others.
        extended_retrieval: cases of the extended tier that retrieval was measured on beside the evaluated core
            tier; part of the means of its metrics, and not of the counts.
        extended_total: how many these are over all shards.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: StageName
    dataset: DatasetInfo
    run: RunInfo
    evaluator: Evaluator
    shard: Shard = Shard()
    counts: dict[str, Count] = Field(default_factory=dict)
    judging: Judging | None = None
    metrics: dict[str, MetricSummary]
    cases: list[CaseScore]
    extended_retrieval: list[CaseScore] = Field(default_factory=list)
    extended_total: Count = 0
