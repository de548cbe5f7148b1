"""Whether a run may become the baseline."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rag_gate.records.verdict import Overall
from rag_gate.statistics import to_lattice


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionFacts:
    """What is known about a run that wants to become the baseline.

    Attributes:
        verdict: overall verdict of the run's regression check.
        zero_tolerance_failing: ids of failing zero-tolerance cases.
        below_floor: metrics below their floor.
        missing_fraction: largest share of missing scores.
        max_missing: largest accepted share.
        run_tier: tier that was run.
        baseline_tier: tier of the baseline to be replaced, None where there is none.
        on_default_branch: whether the run's commit is on the default branch.
        dirty: whether the working tree had uncommitted changes.
        judge_fingerprint: judge that scored the run, None without a judge.
        config_judge_fingerprint: judge of the configuration.
        metrics_in_baseline: metric names of the baseline.
        metrics_in_run: metric names of the run.
        delta_vs_anchor: oriented change per metric since the anchor; negative = worse.
        budget: largest accepted total drop since the anchor, per metric; metrics without one have no limit.
        flags: ``accept_regression`` and ``new_anchor``, as given by the user.
        reason: why, in the user's words.
    """

    verdict: Overall
    zero_tolerance_failing: Collection[str]
    below_floor: Collection[str]
    missing_fraction: float
    max_missing: float
    run_tier: str
    baseline_tier: str | None
    on_default_branch: bool
    dirty: bool
    judge_fingerprint: str | None
    config_judge_fingerprint: str | None
    metrics_in_baseline: Collection[str]
    metrics_in_run: Collection[str]
    delta_vs_anchor: Mapping[str, float | None]
    budget: Mapping[str, float]
    flags: Collection[str] = ()
    reason: str = ""


def refusals(facts: PromotionFacts) -> list[str]:
    """Return the sorted codes of everything that forbids the promotion; empty means allowed.

    ``accept_regression`` with a reason clears ``gate_regressed`` only, ``new_anchor`` with a reason clears
    ``anchor_budget_exceeded`` only.
    """
    applies = {
        "gate_error": facts.verdict == "error",
        "gate_regressed": facts.verdict == "regressed" and not _overridden(facts, "accept_regression"),
        "zero_tolerance_failing": bool(facts.zero_tolerance_failing),
        "below_floor": bool(facts.below_floor),
        "incomplete": not facts.missing_fraction <= facts.max_missing,
        "metric_dropped": bool(set(facts.metrics_in_baseline) - set(facts.metrics_in_run)),
        "tier_mismatch": facts.run_tier == "core" and facts.baseline_tier == "extended",
        "not_on_default_branch": not facts.on_default_branch,
        "dirty_tree": facts.dirty,
        "judge_fingerprint_mismatch": facts.judge_fingerprint != facts.config_judge_fingerprint,
        "anchor_budget_exceeded": _over_budget(facts) and not _overridden(facts, "new_anchor"),
    }
    return sorted(code for code, refused in applies.items() if refused)


def _overridden(facts: PromotionFacts, flag: str) -> bool:
    reasoned = any(character.isprintable() and not character.isspace() for character in facts.reason)
    return flag in facts.flags and reasoned


def _over_budget(facts: PromotionFacts) -> bool:
    return any(
        exceeds_budget(facts.delta_vs_anchor[metric], budget)
        for metric, budget in facts.budget.items()
        if metric in facts.delta_vs_anchor
    )


def exceeds_budget(delta: float | None, budget: float) -> bool:
    """Tell whether an oriented change since the anchor (negative = worse) is a drop larger than its budget.

    A change that is not known is not known to be within the budget.
    """
    if delta is None or not math.isfinite(delta):
        return True
    return to_lattice(-delta) > to_lattice(budget)
