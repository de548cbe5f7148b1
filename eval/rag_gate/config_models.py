"""The shape of rag-gate.yml. Every option is documented where it is declared."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from rag_gate.config_base import CaseId, CutOff, Flag, NoFlag, PositiveInt, Settings, Share
from rag_gate.config_judge import JudgeConfig
from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.config_safety import SafetyConfig
from rag_gate.config_target import TargetConfig
from rag_gate.errors import ConfigError
from rag_gate.late import Late
from rag_gate.measures import Direction, Kind, Measure, is_possible, measure_of, require_measure
from rag_gate.records.pattern import refuse_slow

#: In which the comment can be written.
Language = Literal["en", "ja"]
#: What a golden set on the Hugging Face hub is called: owner/name. A name with an ending is a path.
_HUB_NAME = Late(r"[A-Za-z0-9][\w.-]*/[\w.-]+\Z", re.ASCII)


def is_hub_name(source: str, base: Path = Path()) -> bool:
    """Tell whether a source is the name of a dataset on the hub rather than a path below ``base``.

    ``data/golden`` is a path where there is a folder ``data``: a slip must not ask the network.
    """
    if not _HUB_NAME.match(source) or Path(source).suffix:
        return False
    return not (base / source).parent.exists()


class SuccessRule(Settings):
    """When retrieval counts as successful for a case (requirement: apart from the recall value).

    Attributes:
        rule: ``all`` gold ids (or a member of each evidence group), ``any`` gold id, or ``groups``
            (each case must state evidence groups).
        k: among the first k results; by default 5, or the largest k where 5 is not evaluated.
        evidence: ``required`` = stated evidence passages must be inside the first k chunks as well;
            ``reported`` = evidence@k is measured and does not decide.
    """

    rule: Literal["all", "any", "groups"] = "all"
    k: CutOff | None = None
    evidence: Literal["required", "reported"] = "required"


class DocumentIdRule(Settings):
    """Where a result's document id comes from when it has no ``doc_id``: exactly one of the two.

    Attributes:
        regex: applied to the result's id (and to gold ids); the first group is the document id.
        metadata: dotted path below the result's ``metadata``.
    """

    regex: str | None = None
    metadata: str | None = None

    @model_validator(mode="after")
    def _one(self) -> "DocumentIdRule":
        if (self.regex is None) == (self.metadata is None):
            raise ValueError("give either regex or metadata")
        return self

    @field_validator("regex")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            groups = re.compile(value).groups
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"not a regular expression ({error})") from None
        if groups < 1:
            raise ValueError("needs a group in parentheses that holds the document id")
        refuse_slow(value)
        return value


class RetrievalConfig(Settings):
    """Stage 1.

    Attributes:
        k_values: cut-offs of the metrics.
        unit: what gold ids name: ``chunk`` (result ids), ``document`` (document ids) or ``auto`` (looks
            which of the two are found in the run).
        document_id: where a result's document id comes from when it has no ``doc_id``.
        k_counts: in document unit, whether k counts result ``slots`` (what the model saw) or distinct
            ``documents``.
        min_grade: lowest grade that is relevant (nDCG uses all grades above 0).
        success: when retrieval counts as successful for a case.
    """

    k_values: tuple[CutOff, ...] = (3, 5, 10)
    unit: Literal["auto", "chunk", "document"] = "auto"
    document_id: DocumentIdRule | None = None
    k_counts: Literal["slots", "documents"] = "slots"
    min_grade: PositiveInt = 1
    success: SuccessRule = SuccessRule()

    @field_validator("k_values")
    @classmethod
    def _sorted(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value:
            raise ValueError("needs at least one k")
        return tuple(sorted(set(value)))

    @property
    def success_k(self) -> int:
        """The k of the success rule."""
        if self.success.k is not None:
            return self.success.k
        return 5 if 5 in self.k_values else self.k_values[-1]  # noqa: PLR2004 - the documented default


class Tolerance(Settings):
    """How one metric gates.

    Attributes:
        tolerance: largest absolute drop that passes.
        floor: the mean of all scored cases may never be below it.
        kind: ``soft``, ``zero_tolerance`` (one failing case fails) or ``report_only``; by default
            what the table of metrics says, and ``soft`` where it says ``report_only``.
        direction: needed only for a metric of your own that the table does not know.
        max_unscored: how many cases of a zero-tolerance metric may stay unscored.
        cluster: count the cases that have the same gold ids as one unit of the test, since they depend
            on each other.
    """

    tolerance: Annotated[float, Field(ge=0), NoFlag] = 0.0
    floor: Annotated[float, NoFlag] | None = None
    kind: Kind | None = None
    direction: Direction | None = None
    max_unscored: Annotated[int, Field(ge=0, strict=True)] = 0
    cluster: Flag = False

    @model_validator(mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return {"tolerance": value}
        if not isinstance(value, dict | Tolerance):
            raise ValueError(
                "must be a number such as 0.05, or a table such as {tolerance: 0.05, floor: 0.7}"
            )
        return value


Tolerances = dict[str, Tolerance]


def check_metric_names(table: Tolerances, where: str) -> None:
    """Refuse metrics that neither the table of metrics nor the user declares, or that cannot gate.

    Raises:
        ConfigError: for an unknown name without ``direction``; for a metric whose mean moves with style;
            for a share beyond 0 to 1; for a known metric turned round.
    """
    for name, entry in table.items():
        if measure_of(name) is None and entry.direction is not None:
            continue
        measure = require_measure(name, f"{where}: tolerances")
        _refuse_senseless(name, entry, measure, f"{where}: tolerances.{name}")
        if not measure.comparable_mean and entry.kind != "report_only":
            raise ConfigError(
                f"{where}: tolerances: the mean of '{name}' moves with the style of writing, so it cannot gate; "
                "remove it, or say kind: report_only"
            )


def _refuse_senseless(name: str, entry: Tolerance, measure: Measure, where: str) -> None:
    if entry.direction not in (None, measure.direction):
        raise ConfigError(f"{where}.direction: of this metric {measure.direction} is better; remove the key")
    if not is_possible(name, entry.tolerance):
        raise ConfigError(
            f"{where}.tolerance: must be a share from 0 to 1 (0.05 for 5 %), found {entry.tolerance}"
        )
    if entry.floor is not None and not is_possible(name, entry.floor):
        raise ConfigError(f"{where}.floor: must be a share from 0 to 1 (0.7 for 70 %), found {entry.floor}")


class GateConfig(Settings):
    """The decision rule.

    Attributes:
        alpha: family-wise error of the soft metrics; by default .05, or .10 where the golden set has
            no extended tier to confirm with.
        max_missing: largest share of unscored cases per metric that can still be judged.
        min_pairs: fewer pairs are marked as underpowered.
        min_overlap: smallest share of the baseline's cases that must still be there to compare.
        on_inconclusive: ``warn`` (exit 0), ``fail`` (exit 4), or ``escalate``: ``rag-gate run`` measures
            the extended tier too when the core tier could not tell, and decides once on both (else as warn).
        slice_by: case attributes that are looked at separately (they warn, never fail).
        min_slice: a slice with fewer pairs is not tested.
        slice_q: accepted share of false warnings among the slices.
        removed_ok: cases that failed in the baseline and may be taken out of the golden set.
        frozen_retrieval: the run must retrieve for every case what the baseline did, in the same order.
    """

    alpha: Annotated[float, Field(gt=0, lt=0.5), NoFlag] | None = None
    max_missing: Share = 0.05
    min_pairs: PositiveInt = 20
    min_overlap: Share = 0.6
    on_inconclusive: Literal["warn", "fail", "escalate"] = "warn"
    slice_by: tuple[str, ...] = ("category", "difficulty", "language")
    min_slice: PositiveInt = 20
    slice_q: Annotated[float, Field(gt=0, lt=0.5), NoFlag] = 0.10
    removed_ok: tuple[CaseId, ...] = ()
    frozen_retrieval: Flag = False


class ReportConfig(Settings):
    """The comment and the page.

    Attributes:
        language: of everything that comment and page say themselves: ``en`` or ``ja``. What they quote stays as it is.
        page: what ``report.html`` holds: ``full`` = everything, ``no_documents`` = all but the retrieved texts,
            ``none`` = it is not written.
        max_cases: how many cases each list may name.
        gate_id: the gate's name in the hidden marker, for several gates on one pull request.
        templates: folder of your own templates, see [change the comment](../how-to/change-the-comment.md). On
            a pull request the base commit's version of it is used.
    """

    language: Language = "en"
    page: Literal["full", "no_documents", "none"] = "full"
    max_cases: PositiveInt = 20
    gate_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,40}$")] = "default"
    templates: Path | None = None


class Config(Settings):
    """rag-gate.yml. Paths are relative to the file.

    Attributes:
        schema_version: version of this format.
        dataset: golden set (JSONL, JSON; CSV, Parquet, Arrow or a hub name through ``datasets``).
        run: recorded run; may be left out where the golden rows hold the results themselves, or where ``target`` says
            how to record one. ``rag-gate record`` writes it.
        target: the bot that ``rag-gate record`` asks, see below.
        tier: ``core``, or ``extended`` = core and extended cases. Retrieval is measured on all of them
            either way where the run holds their results, since that needs no model.
        output: folder of the files that ``rag-gate run`` writes.
        retrieval: stage 1, see below.
        judge: stage 2, see below.
        safety: stage 3, see below.
        answer_ok: what makes an answer right: ``correctness`` of the judge, ``match`` (equality after
            normalisation), or ``auto`` = the judge's where it has one for the case, else ``match``.
        baseline: promoted results, or a flat ``{metric: score}`` file.
        tolerances: metric -> largest drop, or the long form. Only these metrics gate; left out, the
            shipped table is used for what was measured.
        gate: the decision rule, see below.
        report: the comment, see below.
        monitoring: quality signals in production, see below.
    """

    schema_version: Literal[1] = 1
    dataset: str | None = None
    run: Path | None = None
    target: TargetConfig | None = None
    tier: Literal["core", "extended"] = "core"
    output: Path = Path("eval_results")
    retrieval: RetrievalConfig = RetrievalConfig()
    judge: JudgeConfig = JudgeConfig()
    safety: SafetyConfig = SafetyConfig()
    answer_ok: Literal["auto", "match", "correctness"] = "auto"
    baseline: Path | None = None
    tolerances: Tolerances | None = None
    gate: GateConfig = GateConfig()
    report: ReportConfig = ReportConfig()
    monitoring: MonitoringConfig = MonitoringConfig()

    @property
    def recorded_run(self) -> Path:
        """Where a recorded run goes: where the settings look for it, else into the folder of results."""
        return self.run or self.output / "run.jsonl"

    @field_validator("dataset", mode="before")
    @classmethod
    def _path_as_text(cls, value: Any) -> Any:  # noqa: ANN401 - checked by the field's own type
        return str(value) if isinstance(value, Path) else value
