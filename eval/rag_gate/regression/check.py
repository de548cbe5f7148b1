"""The whole check: results against a baseline, by the user's rules, to one verdict."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_gate.config_models import GateConfig, Tolerances
from rag_gate.errors import ExitCode
from rag_gate.measures import DIMENSIONS, Dimension, measure_of, measures_ranks
from rag_gate.records.baseline import Baseline
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict import GateOutcome, MetricVerdict, Overall
from rag_gate.records.verdict_file import CaseChanges, Change, SliceWarning, Verdict
from rag_gate.regression.cases import case_changes, worsened_cases
from rag_gate.regression.causes import likely_causes, said_of
from rag_gate.regression.comparability import changed_conditions
from rag_gate.regression.inputs import GateSettings, MetricInput, MetricSpec
from rag_gate.regression.notices import notices
from rag_gate.regression.pairing import pair_cases
from rag_gate.regression.problems import judging_problems
from rag_gate.regression.rule import judge_metrics
from rag_gate.regression.sentences import summary_sentence
from rag_gate.regression.sides import Flat, Sides, score_map
from rag_gate.regression.slices import judge_slices
from rag_gate.regression.table import gating_specs, report_only_names, untestable
from rag_gate.statistics import mean, to_lattice

#: A rise of more than this is listed as an improvement.
IMPROVED = 0.01
_ALPHA, _ALPHA_WITHOUT_EXTENDED = 0.05, 0.10


@dataclass(frozen=True)
class Rules:
    """By what to decide.

    Attributes:
        user: the user's tolerances, None to use the shipped ones for what was measured.
        shipped: the shipped tolerances.
        gate: the settings of the decision rule.
        strict: an inconclusive result fails (exit 4).
    """

    user: Tolerances | None
    shipped: Tolerances
    gate: GateConfig
    strict: bool = False


def check(current: Results | Flat, baseline: Baseline | Flat | None, rules: Rules) -> Verdict:
    """Compare a run with its baseline.

    Args:
        current: results of merge, or a flat ``{metric: score}``.
        baseline: promoted results, a flat table, or None.
        rules: tolerances and settings.

    Returns:
        The verdict; a run that cannot be judged has overall ``error`` and says why in ``problems``.
    """
    sides = Sides(current, baseline)
    specs = gating_specs(rules.user, rules.shipped, sides.current_means(), sides.baseline_means())
    inputs = {name: sides.metric_input(name, spec) for name, spec in specs.items()}
    settings = _settings(rules.gate, current)
    for name in untestable(inputs, settings.alpha) if rules.user is None else ():
        del specs[name], inputs[name]
    inputs = {name: sides.comparable(name, metric) for name, metric in inputs.items()}
    outcome = _without_unlike(judge_metrics(inputs, settings), sides)
    cases = case_changes(sides, compared=not sides.unlike)
    problems = judging_problems(sides, specs, outcome.metrics, rules.gate)
    overall = _overall(outcome.overall, problems, cases)
    regressions = _regressions(outcome.metrics, cases)
    lost = [case for case in sides.current_rows if case.question_id in cases.lost_must_pass]
    failing = _failing_dimensions(regressions, lost)
    improved = _improvements(outcome.metrics)
    conditions = changed_conditions(sides)
    causes = [] if problems else likely_causes(sides)
    is_worse = overall in {"regressed", "inconclusive"} and not _retrieval_held(outcome.metrics)
    exit_code = _exit_code(overall, strict=rules.strict or rules.gate.on_inconclusive == "fail")
    found = current if isinstance(current, Results) else None
    provenance = baseline.provenance if isinstance(baseline, Baseline) else None
    return Verdict(
        overall=overall,
        passed=exit_code is ExitCode.PASS,
        exit_code=exit_code,
        summary=summary_sentence(overall, regressions, outcome.metrics, problems, cases),
        problems=problems,
        notices=[
            *notices(sides, outcome.metrics, cases, judged=not problems),
            *said_of(causes, is_worse=is_worse),
        ],
        likely_causes=[cause.sentence for cause in causes] if is_worse else [],
        failing_dimensions=failing,
        stage=failing[0] if failing else None,
        regressions=regressions,
        improvements=improved,
        metrics=dict(outcome.metrics),
        report_only=_report_only(sides, specs),
        worsened={name: rows for name, metric in inputs.items() if (rows := worsened_cases(metric))},
        cases=cases,
        slices=_slices(inputs, rules.gate),
        conditions=conditions,
        alpha=settings.alpha,
        dataset=found.dataset if found else None,
        run=found.run if found else None,
        baseline_commit=provenance.commit if provenance else None,
        baseline_promoted_at=provenance.promoted_at if provenance else None,
    )


def _without_unlike(outcome: GateOutcome, sides: Sides) -> GateOutcome:
    """Say of the metrics that were measured otherwise that they are not judged; a floor holds all the same."""
    metrics = {
        name: found.decided("error", "measured_otherwise")
        if "no_baseline" in found.reasons and sides.unlike.has(name)
        else found
        for name, found in outcome.metrics.items()
    }
    return outcome.model_copy(update={"metrics": metrics})


def _settings(gate: GateConfig, current: Results | Flat) -> GateSettings:
    alpha = gate.alpha
    if alpha is None:
        confirmable = not isinstance(current, Results) or current.dataset.has_extended
        alpha = _ALPHA if confirmable else _ALPHA_WITHOUT_EXTENDED
    return GateSettings(alpha=alpha, min_pairs=gate.min_pairs, max_missing=gate.max_missing)


def _overall(rule: Overall, problems: list[str], cases: CaseChanges) -> Overall:
    if problems:
        return "error"
    return "regressed" if cases.lost_must_pass else rule


def _exit_code(overall: Overall, *, strict: bool) -> ExitCode:
    if overall == "inconclusive":
        return ExitCode.INCONCLUSIVE if strict else ExitCode.PASS
    return {"pass": ExitCode.PASS, "regressed": ExitCode.REGRESSION}.get(overall, ExitCode.NOT_JUDGED)


def _change(name: str, found: MetricVerdict, reason: str | None = None) -> Change:
    current = found.mean_current if found.mean_current is not None else found.mean_current_all
    return Change(
        metric=name,
        baseline=found.mean_base,
        current=current,
        delta=found.delta,
        tolerance=found.tolerance,
        reason=reason,
    )


def _regressions(metrics: Mapping[str, MetricVerdict], cases: CaseChanges) -> list[Change]:
    rows = [
        _change(name, found, found.reasons[0])
        for name, found in metrics.items()
        if found.verdict == "regressed"
    ]
    if cases.lost_must_pass:
        rows.append(Change(metric="must_pass", reason="lost_must_pass"))
    return rows


def _retrieval_held(metrics: Mapping[str, MetricVerdict]) -> bool:
    """Tell whether retrieval was compared and is as good as before: then it explains no loss elsewhere."""
    found = [metric.verdict for name, metric in metrics.items() if measures_ranks(name)]
    return bool(found) and set(found) == {"pass"}


def _improvements(metrics: Mapping[str, MetricVerdict]) -> list[Change]:
    return [
        _change(name, found)
        for name, found in metrics.items()
        if found.delta is not None
        and found.verdict == "pass"
        and to_lattice(found.delta) > to_lattice(IMPROVED)
    ]


def _failing_dimensions(regressions: list[Change], lost: list[CaseResult]) -> list[Dimension]:
    """Return the dimensions of the regressed metrics and of the lost must-pass cases, new ones included."""
    failing = {measure.dimension for row in regressions if (measure := measure_of(row.metric)) is not None}
    for case in lost:
        status = case.status
        failing.add("retrieval" if "retrieval" in status else "safety" if "safety" in status else "answer")
    return [dimension for dimension in DIMENSIONS if dimension in failing]


def _report_only(sides: Sides, specs: Mapping[str, MetricSpec]) -> dict[str, MetricVerdict]:
    found = {}
    for name in report_only_names(sides.current_means(), specs):
        measure = measure_of(name)
        if measure is None:
            continue
        base = sides.baseline_rows() if measures_ranks(name) else sides.baseline_cases()
        base = [] if sides.unlike.has(name) else base
        pairs = pair_cases(score_map(name, base), score_map(name, sides.current_rows)).pairs
        before = mean([pair.base for pair in pairs]) if pairs else None
        now = mean([pair.current for pair in pairs]) if pairs else None
        sign = 1.0 if measure.direction == "higher" else -1.0
        found[name] = MetricVerdict(
            verdict="report_only",
            kind="report_only",
            direction=measure.direction,
            n_pairs=len(pairs),
            mean_current_all=sides.current_means()[name],
            mean_base=before,
            mean_current=now,
            delta=None if before is None or now is None else sign * (now - before),
        )
    return found


def _slices(inputs: Mapping[str, MetricInput], gate: GateConfig) -> list[SliceWarning]:
    warnings = []
    for name, metric in inputs.items():
        if (
            metric.spec.kind != "soft"
            or not isinstance(metric.base, Mapping)
            or not isinstance(metric.current, Mapping)
        ):
            continue
        outcome = judge_slices(
            metric.base,
            metric.current,
            metric.spec,
            keys=gate.slice_by,
            min_slice=gate.min_slice,
            q=gate.slice_q,
        )
        warnings += [
            SliceWarning(
                metric=name,
                slice=key,
                n=outcome.slices[key].n,
                delta=outcome.slices[key].delta,
                p_bh=outcome.p_bh[key],
            )
            for key in outcome.flagged
        ]
    return warnings
