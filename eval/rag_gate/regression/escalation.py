"""Two stages: judge few cases, and more of them only where the few could not tell."""

from collections.abc import Mapping
from dataclasses import replace

from rag_gate.records.verdict import GateOutcome
from rag_gate.regression.inputs import Aggregate, CaseMap, MetricInput

_Side = CaseMap | Aggregate | None


def needs_escalation(outcome: GateOutcome) -> list[str]:
    """Return the metrics on which more cases could decide, in the order of the outcome.

    These are the soft metrics whose drop is beyond the tolerance and not significant. There are none where
    the outcome is an error or a regression already: more cases may not take that back.
    """
    if outcome.overall != "inconclusive":
        return []
    return [
        name
        for name, found in outcome.metrics.items()
        if found.kind == "soft" and "beyond_tolerance_not_significant" in found.reasons
    ]


def pool(core: Mapping[str, MetricInput], extended: Mapping[str, MetricInput]) -> dict[str, MetricInput]:
    """Return the core metrics with the cases of both tiers, to be judged once more as a whole.

    A case of both tiers keeps its core score: a second score that was asked for because the first was bad
    would favour the run. A metric that ``extended`` lacks, and a side without cases, stays as it is.
    """
    return {
        name: replace(
            metric,
            base=_merged(metric.base, extended[name].base),
            current=_merged(metric.current, extended[name].current),
        )
        if name in extended
        else metric
        for name, metric in core.items()
    }


def _merged(core: _Side, extended: _Side) -> _Side:
    if isinstance(core, Mapping) and isinstance(extended, Mapping):
        return {**extended, **core}
    return core
