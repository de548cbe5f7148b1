import math
from dataclasses import replace
from typing import Any

import pytest

from rag_gate.promotion import _was_measured
from rag_gate.records.partial import MetricSummary
from rag_gate.regression import PromotionFacts, refusals

CLEAN = PromotionFacts(
    verdict="pass",
    zero_tolerance_failing=[],
    below_floor=[],
    missing_fraction=0.05,
    max_missing=0.05,
    run_tier="extended",
    baseline_tier="extended",
    on_default_branch=True,
    dirty=False,
    judge_fingerprint="j1",
    config_judge_fingerprint="j1",
    metrics_in_baseline=["mrr"],
    metrics_in_run=["mrr", "relevance"],
    delta_vs_anchor={"mrr": 0.72 - 0.75, "latency": -9.0},
    budget={"mrr": 0.03, "relevance": 0.03},
)


def refused(**changed: Any) -> list[str]:
    return refusals(replace(CLEAN, **changed))


def test_a_clean_run_is_allowed() -> None:
    assert refused() == []
    assert refused(verdict="inconclusive") == []
    assert refused(run_tier="core", baseline_tier="core") == []
    assert refused(run_tier="core", baseline_tier=None) == []


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("gate_error", {"verdict": "error"}),
        ("gate_regressed", {"verdict": "regressed"}),
        ("zero_tolerance_failing", {"zero_tolerance_failing": ["s1"]}),
        ("below_floor", {"below_floor": ["mrr"]}),
        ("incomplete", {"missing_fraction": 0.051}),
        ("incomplete", {"missing_fraction": math.nan}),
        ("metric_dropped", {"metrics_in_run": ["relevance"]}),
        ("tier_mismatch", {"run_tier": "core"}),
        ("not_on_default_branch", {"on_default_branch": False}),
        ("dirty_tree", {"dirty": True}),
        ("judge_fingerprint_mismatch", {"judge_fingerprint": "j2"}),
        ("judge_fingerprint_mismatch", {"judge_fingerprint": None}),
        ("anchor_budget_exceeded", {"delta_vs_anchor": {"mrr": -0.030001}}),
        ("anchor_budget_exceeded", {"delta_vs_anchor": {"mrr": math.nan}}),
        ("anchor_budget_exceeded", {"delta_vs_anchor": {"mrr": None}}),
    ],
)
def test_each_fact_refuses_on_its_own(code: str, changed: dict[str, Any]) -> None:
    assert refused(**changed) == [code]


@pytest.mark.parametrize("blank", ["", "  \n", "\u3000", "\u200b"])
def test_a_flag_without_a_reason_clears_nothing(blank: str) -> None:
    flags = ["accept_regression", "new_anchor"]
    assert refused(verdict="regressed", flags=flags, reason=blank) == ["gate_regressed"]
    assert refused(delta_vs_anchor={"mrr": -1.0}, flags=flags, reason=blank) == ["anchor_budget_exceeded"]


def test_each_flag_clears_its_own_code_only() -> None:
    bad: dict[str, Any] = {"verdict": "regressed", "delta_vs_anchor": {"mrr": -1.0}, "reason": "new corpus"}
    assert refused(**bad, flags=["accept_regression"]) == ["anchor_budget_exceeded"]
    assert refused(**bad, flags=["new_anchor"]) == ["gate_regressed"]
    assert refused(**bad, flags=["accept_regression", "new_anchor"]) == []
    assert refused(verdict="error", flags=["accept_regression"], reason="x") == ["gate_error"]


def test_all_refusals_are_listed_sorted() -> None:
    codes = refused(verdict="error", dirty=True, below_floor=["mrr"], on_default_branch=False)
    assert codes == ["below_floor", "dirty_tree", "gate_error", "not_on_default_branch"]


@pytest.mark.parametrize(
    ("found", "counts_as_measured"),
    [
        (MetricSummary(mean=0.0, n_scored=3), True),
        (MetricSummary(mean=None, n_scored=0, n_excluded=3, reasons={"no_citations": 3}), True),
        (MetricSummary(mean=None, n_scored=0, n_excluded=3, reasons={"no_values": 2, "refusal": 1}), False),
        (MetricSummary(mean=None, n_scored=0, n_excluded=3, reasons={"not_measured": 3}), False),
        (MetricSummary(mean=None, n_scored=0, n_excluded=2, n_missing=1, reasons={"no_citations": 2}), False),
        (MetricSummary(mean=None, n_scored=0, n_excluded=2, n_unscored=1, reasons={"no_values": 2}), False),
        (MetricSummary(mean=None, n_scored=0), False),
    ],
)
def test_a_metric_without_a_mean_is_dropped_unless_it_applies_to_no_case(
    found: MetricSummary,
    counts_as_measured: bool,  # noqa: FBT001 - a table of cases
) -> None:
    assert _was_measured(found) is counts_as_measured
