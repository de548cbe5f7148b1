"""What a run is compared with: promoted results with their provenance, or a flat table of means."""

from typing import Literal

from pydantic import Field

from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, RunInfo, Score, StageName
from rag_gate.records.results import Status


class Provenance(OwnRecord):
    """Who promoted what, when and why.

    Attributes:
        promoted_at: UTC, ISO 8601.
        commit: of the promoted run, if it is known.
        reason: in the promoter's words.
        verdict: how the promoted run had been judged against the baseline before it.
        config_hash: of the settings the run was measured with.
        changes: metric -> [mean before, mean now].
    """

    promoted_at: str
    commit: str | None = None
    reason: str | None = None
    verdict: str
    tool_version: str
    config_hash: str
    changes: dict[str, tuple[Score, Score]] = Field(default_factory=dict)


class BaselineCase(OwnRecord):
    """One case's scores at promotion, and a fingerprint of what was retrieved (None = not known)."""

    question_id: str
    fingerprint: str
    info: CaseInfo = CaseInfo()
    status: Status
    scores: dict[str, Score]
    retrieved_fp: str | None = None


class Baseline(OwnRecord):
    """Promoted results. Without cases it holds nothing to compare with."""

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["baseline"] = "baseline"
    dataset: DatasetInfo | None = None
    run: RunInfo | None = None
    stages: dict[StageName, Evaluator] = Field(default_factory=dict)
    provenance: Provenance | None = None
    metrics: dict[str, Score] = Field(default_factory=dict)
    cases: list[BaselineCase] = Field(default_factory=list)
