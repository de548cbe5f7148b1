"""Why a run cannot be judged: every reason, in one sentence each."""

from collections.abc import Mapping

from rag_gate.config_models import GateConfig
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.regression.cases import unscored_must_pass
from rag_gate.regression.comparability import comparison_problems
from rag_gate.regression.inputs import MetricSpec
from rag_gate.regression.sentences import metric_problem, named, too_many_unscored
from rag_gate.regression.sides import Sides


def judging_problems(
    sides: Sides, specs: Mapping[str, MetricSpec], metrics: Mapping[str, MetricVerdict], gate: GateConfig
) -> list[str]:
    """Return why the run cannot be judged; empty means that it can."""
    gating = {name: found for name, found in metrics.items() if found.kind != "report_only"}
    if not gating:
        return [
            (
                "no metric gates: nothing that the table of tolerances gates was measured; name measured metrics "
                "under tolerances"
            )
        ]
    incomparable = comparison_problems(sides, specs, gate)
    if incomparable:
        return incomparable
    untrusted = _judge_problems(sides)
    if untrusted:
        return untrusted
    problems = [
        metric_problem(name, found, sides) for name, found in gating.items() if found.verdict == "error"
    ]
    unknown = unscored_must_pass(sides.current_cases())
    if unknown:
        problems.append(f"must-pass cases could not be measured: {named(unknown)}; see their reasons")
    return problems or [*_nothing_to_compare(sides, gating), *_incomplete(sides, gating, gate.max_missing)]


def _judge_problems(sides: Sides) -> list[str]:
    """Return why a model judge's scores are incomplete or not to be trusted."""
    current = sides.current
    judging = current.judging if isinstance(current, Results) else None
    return list(judging.problems) if judging else []


def _nothing_to_compare(sides: Sides, gating: Mapping[str, MetricVerdict]) -> list[str]:
    """A baseline file that holds none of the metrics is a broken baseline, not a first run."""
    soft = [name for name, found in gating.items() if found.kind == "soft"]
    if sides.baseline is None or not soft or any("no_baseline" not in gating[name].reasons for name in soft):
        return []
    return [
        (
            f"the baseline holds none of the gating metrics ({named(soft)}), so nothing can be compared; promote a new "
            "baseline (rag-gate promote --reason ...), or remove the file if there is none yet"
        )
    ]


def _incomplete(sides: Sides, gating: Mapping[str, MetricVerdict], most: float) -> list[str]:
    """Refuse a run of which too much is missing, also where no baseline shows that."""
    current = sides.current
    if not isinstance(current, Results):
        return []
    lost = current.counts.get("error", 0) + current.counts.get("missing", 0)
    if lost > most * len(current.cases):
        return [
            (
                f"{lost} of {len(current.cases)} cases were not executed or are missing from the run; "
                "complete it and check again"
            )
        ]
    return [
        too_many_unscored(name, unscored, len(unscored) / (len(unscored) + (found.n_current or 0)), sides)
        for name, found in gating.items()
        if found.kind == "soft"
        and len(unscored := _not_measured(found, name, sides))
        > most * (len(unscored) + (found.n_current or 0))
    ]


def _not_measured(found: MetricVerdict, name: str, sides: Sides) -> list[str]:
    """Return the unscored cases, but for those that the judge looked at and could not decide."""
    reasons = {case.question_id: case.reasons.get(name) for case in sides.current_rows}
    return [key for key in found.unscored if reasons.get(key) != "undecided"]
