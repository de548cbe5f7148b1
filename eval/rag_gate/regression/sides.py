"""Bring results and baseline into the two-sided form that the rule compares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rag_gate.measures import Direction, measures_ranks
from rag_gate.reasons import NOT_APPLICABLE
from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.partial import CaseScore
from rag_gate.records.results import CaseResult, Results
from rag_gate.regression.inputs import Aggregate, CaseMap, CaseScoreIn, MetricInput, MetricSpec
from rag_gate.regression.likeness import Unlike, unlike

Flat = Mapping[str, float | None]


@dataclass(frozen=True)
class Sides:
    """What is compared: this run and the baseline, each with cases or flat, the baseline perhaps absent."""

    current: Results | Flat
    baseline: Baseline | Flat | None

    def current_cases(self) -> list[CaseResult]:
        """Return the run's cases, none where the results are flat."""
        return self.current.cases if isinstance(self.current, Results) else []

    @cached_property
    def current_rows(self) -> list[CaseResult]:
        """The run's cases, and those that retrieval alone was measured on."""
        return measured_rows(self.current) if isinstance(self.current, Results) else []

    def baseline_cases(self) -> list[BaselineCase]:
        """Return the baseline's cases that this run evaluates, or would if the golden set still held them.

        A case that changed its tier belongs to the tier that it has now.
        """
        if not isinstance(self.baseline, Baseline):
            return []
        if not isinstance(self.current, Results) or self.covers_all:
            return self.baseline.cases
        evaluated = {case.question_id for case in self.current.cases}
        aside = {row.question_id for row in self.current.extended_retrieval}
        return [
            case
            for case in self.baseline.cases
            if case.question_id in evaluated or (case.info.tier == "core" and case.question_id not in aside)
        ]

    def baseline_rows(self) -> list[BaselineCase]:
        """Return the baseline's cases that this run measured at least retrieval of, or would have."""
        if not isinstance(self.baseline, Baseline):
            return []
        if isinstance(self.current, Results) and not self.covers_all and not self.current.extended_retrieval:
            known = {case.question_id for case in self.current.cases}
            aside = [case for case in self.baseline.extended_retrieval if case.question_id in known]
            return [*self.baseline_cases(), *aside]
        return [*self.baseline.cases, *self.baseline.extended_retrieval]

    @property
    def covers_all(self) -> bool:
        """Whether this run evaluates every case of its golden set."""
        if not isinstance(self.current, Results):
            return True
        return self.current.dataset.tier == "extended" or not self.current.dataset.has_extended

    def current_means(self) -> dict[str, float | None]:
        """Return the run's means; a metric that no case could ever be scored on is left out."""
        if not isinstance(self.current, Results):
            return dict(self.current)
        return {
            name: summary.mean
            for name, summary in self.current.metrics.items()
            if summary.n_scored or summary.n_unscored or summary.n_missing
        }

    def baseline_means(self) -> dict[str, float | None]:
        """Return the baseline's means, empty where there is no baseline."""
        if isinstance(self.baseline, Baseline):
            return dict(self.baseline.metrics)
        return dict(self.baseline or {})

    @cached_property
    def unlike(self) -> Unlike:
        """In what this run was measured otherwise than the baseline; the status of a case depends on all of it."""
        if not isinstance(self.current, Results) or not isinstance(self.baseline, Baseline):
            return Unlike()
        return unlike(self.current, self.baseline)

    def metric_input(self, name: str, spec: MetricSpec) -> MetricInput:
        """Return both sides of one metric."""
        return MetricInput(spec=spec, base=self._base(name), current=self._current(name))

    def comparable(self, name: str, metric: MetricInput) -> MetricInput:
        """Return a metric without the baseline's side, where that was measured otherwise."""
        return replace(metric, base=None) if self.unlike.has(name) else metric

    def _current(self, name: str) -> CaseMap | Aggregate | None:
        if isinstance(self.current, Results):
            cases = score_map(name, self.current_rows)
            return cases if cases or name in self.current_means() else None
        return Aggregate(self.current[name]) if name in self.current else None

    def _base(self, name: str) -> CaseMap | Aggregate | None:
        if isinstance(self.baseline, Baseline):
            rows = self.baseline_rows() if measures_ranks(name) else self.baseline_cases()
            return score_map(name, rows) or None
        value = (self.baseline or {}).get(name)
        return None if value is None else Aggregate(value)


def measured_rows(results: Results) -> list[CaseResult]:
    """Return every case with a score: all of the run's, and those of which only retrieval was measured."""
    return [*results.cases, *map(_retrieval_alone, results.extended_retrieval)]


def _retrieval_alone(row: CaseScore) -> CaseResult:
    found = row.detail.get("retrieval_ok")
    return CaseResult(
        question_id=row.question_id,
        fingerprint=row.fingerprint,
        info=row.info,
        status="retrieval_failure" if found is False else "unscored",
        retrieval_ok=found,
        scores=row.scores,
        reasons=row.reasons,
        detail={"retrieval": row.detail},
        retrieved_fp=row.detail.get("retrieved_fp"),
    )


def retrieval_failed(case: BaselineCase) -> bool:
    """Tell whether a case of a baseline failed in retrieval; one promoted long ago knows it by its status only."""
    return case.retrieval_ok is False or (case.retrieval_ok is None and "retrieval" in case.status)


def score_map(name: str, cases: Iterable[CaseResult | BaselineCase]) -> dict[str, CaseScoreIn]:
    """Return the cases that a metric applies to; a case it does not apply to is not a missing one."""
    found = {}
    for case in cases:
        if name not in case.scores:
            continue
        reason = None if isinstance(case, BaselineCase) else case.reasons.get(name)
        if case.scores[name] is None and (reason in NOT_APPLICABLE or isinstance(case, BaselineCase)):
            continue
        found[case.question_id] = CaseScoreIn(
            fp=case.fingerprint,
            score=case.scores[name],
            cluster=case.info.cluster,
            slices=case.info.slices,
        )
    return found


def oriented(delta: float, direction: Direction) -> float:
    """Return a change so that negative means worse."""
    return delta if direction == "higher" else -delta
