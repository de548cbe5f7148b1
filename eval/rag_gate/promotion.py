"""What forbids a run to become the baseline, in words."""

from rag_gate.baseline import Flat
from rag_gate.config_models import GateConfig
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.records.baseline import Baseline
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression import PromotionFacts, refusals
from rag_gate.regression.sentences import named


def refuse_promotion(
    results: Results, verdict: Verdict, previous: Baseline | Flat | None, gate: GateConfig, reason: str | None
) -> None:
    """Refuse to promote what should not become the measure of later runs.

    Args:
        results: the run.
        verdict: about the run; its measurement alone where it cannot be compared with the baseline.
        previous: the baseline to be replaced.
        gate: the settings of the decision rule.
        reason: in the user's words; accepts a regression, nothing else.

    Raises:
        NotJudgedError: if the run could not be judged or is incomplete.
        ConfigError: for every other refusal; one line each.
    """
    facts = _facts(results, verdict, previous, gate, reason)
    codes = refusals(facts)
    lines = [f"promote: {_words(code, facts, verdict)} [{code}]" for code in codes]
    if {"gate_error", "incomplete"} & set(codes):
        raise NotJudgedError.of(lines)
    if lines:
        raise ConfigError.of(lines)


def _facts(
    results: Results, verdict: Verdict, previous: Baseline | Flat | None, gate: GateConfig, reason: str | None
) -> PromotionFacts:
    before = previous if isinstance(previous, Baseline) else None
    found = verdict.metrics.values()
    return PromotionFacts(
        verdict=verdict.overall,
        zero_tolerance_failing=sorted({key for metric in found for key in metric.failing}),
        below_floor=[name for name, metric in verdict.metrics.items() if "below_floor" in metric.reasons],
        missing_fraction=max((metric.missing_fraction or 0.0 for metric in found), default=0.0),
        max_missing=gate.max_missing,
        run_tier=results.dataset.tier,
        baseline_tier=before.dataset.tier if before and before.dataset else None,
        on_default_branch=True,
        dirty=False,
        judge_fingerprint=None,
        config_judge_fingerprint=None,
        metrics_in_baseline=[name for name, mean in before.metrics.items() if mean is not None]
        if before
        else [],
        metrics_in_run=[name for name, mean in results.scores.items() if mean is not None],
        delta_vs_anchor={},
        budget={},
        flags=["accept_regression"] if reason else [],
        reason=reason or "",
    )


def _words(code: str, facts: PromotionFacts, verdict: Verdict) -> str:
    dropped = sorted(set(facts.metrics_in_baseline) - set(facts.metrics_in_run))
    return {
        "gate_error": f"the run could not be judged: {' '.join(verdict.problems)}",
        "gate_regressed": f'{verdict.summary} Say why that is accepted with --reason "..."',
        "zero_tolerance_failing": f"zero-tolerance cases fail: {named(list(facts.zero_tolerance_failing))}; fix them",
        "below_floor": f"below the floor: {', '.join(facts.below_floor)}; a baseline cannot lower a floor",
        "incomplete": f"{facts.missing_fraction:.0%} of the cases of a metric have no score; complete the run",
        "metric_dropped": f"the baseline has {named(dropped)} and this run does not; measure them, or remove the "
        "baseline file to start anew",
        "tier_mismatch": "the baseline covers the extended tier and this run only core; run --tier extended",
    }[code]
