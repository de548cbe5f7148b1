"""Bring results and baseline into the two-sided form that the rule compares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag_gate.measures import Direction
from rag_gate.reasons import NOT_APPLICABLE
from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.partial import CaseScore
from rag_gate.records.results import CaseResult, Results
from rag_gate.regression.inputs import Aggregate, CaseMap, CaseScoreIn, MetricInput, MetricSpec

Flat = Mapping[str, float | None]


@dataclass(frozen=True)
class Sides:
    """What is compared: this run and the baseline, each with cases or flat, the baseline perhaps absent."""

    current: Results | Flat
    baseline: Baseline | Flat | None

    def current_cases(self) -> list[CaseResult]:
        """Return the run's cases, none where the results are flat."""
        return self.current.cases if isinstance(self.current, Results) else []

    def baseline_cases(self) -> list[BaselineCase]:
        """Return the baseline's cases that belong to the evaluated tier."""
        if not isinstance(self.baseline, Baseline):
            return []
        if isinstance(self.current, Results) and self.current.dataset.tier == "core":
            return [case for case in self.baseline.cases if case.info.tier == "core"]
        return self.baseline.cases

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

    def metric_input(self, name: str, spec: MetricSpec) -> MetricInput:
        """Return both sides of one metric."""
        return MetricInput(spec=spec, base=self._base(name), current=self._current(name))

    def _baseline_rows(self, name: str) -> list[BaselineCase]:
        """Return the baseline's cases that a metric can have a partner of."""
        if not isinstance(self.baseline, Baseline) or not isinstance(self.current, Results):
            return self.baseline_cases()
        wide = self.current.dataset.tier == "extended" or self.current.measured_on_all_tiers(name)
        return [*self.baseline.cases, *self.baseline.extended_retrieval] if wide else self.baseline_cases()

    def _current(self, name: str) -> CaseMap | Aggregate | None:
        if isinstance(self.current, Results):
            cases = score_map(name, measured_rows(self.current))
            return cases if cases or name in self.current_means() else None
        return Aggregate(self.current[name]) if name in self.current else None

    def _base(self, name: str) -> CaseMap | Aggregate | None:
        if isinstance(self.baseline, Baseline):
            return score_map(name, self._baseline_rows(name)) or None
        value = (self.baseline or {}).get(name)
        return None if value is None else Aggregate(value)


def measured_rows(results: Results) -> list[CaseResult | CaseScore]:
    """Return every case with a score: all of the run's, and those of which only retrieval was measured."""
    return [*results.cases, *results.extended_retrieval]


def score_map(name: str, cases: Iterable[CaseResult | CaseScore | BaselineCase]) -> dict[str, CaseScoreIn]:
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
