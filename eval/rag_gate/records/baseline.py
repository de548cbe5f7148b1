"""What a run is compared with: promoted results with their provenance, or a flat table of means."""

from typing import Annotated, Literal

from pydantic import Field

from rag_gate.records.anchor import Anchor
from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, RunInfo, Score, StageName
from rag_gate.records.results import Status


class Provenance(OwnRecord):
    """Who promoted what, when and why.

    Attributes:
        promoted_at: UTC, ISO 8601.
        promoted_by: by git's ``user.name``.
        commit: of the promoted run, else the one that was checked out; None = not known.
        on_default_branch: whether that commit was on the default branch; None = git did not know.
        dirty: whether tracked files had changes; None = git did not know.
        reason: in the promoter's words.
        verdict: how the promoted run had been judged against the baseline before it.
        config_hash: of the settings the run was measured with.
        changes: metric -> [mean before, mean now].
    """

    promoted_at: str
    promoted_by: str | None = None
    commit: str | None = None
    on_default_branch: bool | None = None
    dirty: bool | None = None
    reason: str | None = None
    verdict: str
    tool_version: str
    config_hash: str
    changes: dict[str, tuple[Score, Score]] = Field(default_factory=dict)


class BaselineCase(OwnRecord):
    """One case's scores at promotion.

    Attributes:
        retrieval_ok: the success rule held; None = not measured, not due, or not kept.
        retrieved_fp: fingerprint of what was retrieved; None = not known.
        top_score: similarity of the first result, as the bot scores; None = not known.
    """

    question_id: str
    fingerprint: str
    info: CaseInfo = CaseInfo()
    status: Status
    scores: dict[str, Score]
    retrieval_ok: bool | None = None
    retrieved_fp: str | None = None
    top_score: float | None = None


class Baseline(OwnRecord):
    """Promoted results. Without cases it holds nothing to compare with.

    Attributes:
        kept_run: fingerprint of the copy of the run beside the baseline, which can be measured again;
            None = none was kept.
        extended_retrieval: extended cases of a core baseline, of which only retrieval was measured.
        anchor: what slow decay is measured against; later promotions keep it.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["baseline"] = "baseline"
    dataset: DatasetInfo | None = None
    run: RunInfo | None = None
    kept_run: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    stages: dict[StageName, Evaluator] = Field(default_factory=dict)
    provenance: Provenance | None = None
    anchor: Anchor | None = None
    metrics: dict[str, Score] = Field(default_factory=dict)
    cases: list[BaselineCase] = Field(default_factory=list)
    extended_retrieval: list[BaselineCase] = Field(default_factory=list)
