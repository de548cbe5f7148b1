from typing import Any

import pytest
from comment_material import baseline, case, results

from rag_gate.config_models import GateConfig, Tolerance, Tolerances
from rag_gate.errors import ConfigError
from rag_gate.records.baseline import Baseline
from rag_gate.records.results import CaseResult
from rag_gate.regression.check import Rules, check
from rag_gate.regression.explain import explainable, explanations
from rag_gate.regression.sides import Flat, Sides

LOOSE: Tolerances = {
    "recall@5": Tolerance(tolerance=0.03),
    "correctness": Tolerance(tolerance=0.05, floor=0.9),
}


def cases(count: int = 40, **lost: tuple[int, ...]) -> list[CaseResult]:
    return [
        case(f"q{n:02}", **{key: n not in numbers for key, numbers in lost.items()}) for n in range(count)
    ]


def told(
    now: list[CaseResult] | Flat,
    then: Baseline | Flat | None,
    *names: str,
    table: Tolerances = LOOSE,
    **gate: Any,
) -> str:
    run = results(now) if isinstance(now, list) else now
    rules = Rules(user=table, shipped={}, gate=GateConfig(alpha=0.05, **gate))
    return "\n".join(explanations(names, check(run, then, rules), Sides(run, then), rules))


BEFORE = baseline(results(cases(found=(30,))))


def test_a_regression_is_explained_with_every_number_of_the_decision() -> None:
    text = told(cases(found=(0, 1, 2, 3, 4, 5, 6, 7), right=(9,)), BEFORE, "recall@5")
    assert text.splitlines() == [
        "recall@5: regressed (soft, higher is better)",
        (
            "  rule: the drop is beyond the tolerance and more than chance explains; both together fail "
            "[beyond_tolerance_significant]"
        ),
        "  cases: 40 pairs; 0 added, 0 removed, 0 edited; 0 without a score now, 0 without one in the baseline",
        "  mean: 0.975 -> 0.8, change -0.175, 90 % interval -0.283063 to -0.0502701",
        "  mean of all scored cases of this run: 0.8",
        "  tolerance: 0.03; floor: none",
        (
            "  beyond the tolerance, by 0.145 (in steps of 0.000001 the changes add up to -7000000 and -1200000 is "
            "allowed)"
        ),
        "  test: 1 better, 8 worse, 31 as before; exact p 0.0195312 (sign-flip, one-sided)",
        "  correction (Holm): rank 1 of 2, so times 2: p 0.0390625, not above alpha 0.05",
        "  power: with these 40 pairs a drop of 0.269 fails in 80 % of runs",
        (
            "  power: a drop of 0.03 (the tolerance) fails reliably with no number of cases: half of the runs measure "
            "less than that"
        ),
        "  power: a drop of 0.06 (twice the tolerance) fails in 80 % of runs with about 446 pairs",
        "  worsened: q00 1 -> 0; q01 1 -> 0; q02 1 -> 0; q03 1 -> 0; q04 1 -> 0; q05 1 -> 0; q06 1 -> 0; q07 1 -> 0",
        "  improved: q30 0 -> 1",
    ]


def test_several_metrics_are_explained_in_the_order_asked_for_and_once() -> None:
    text = told(cases(), BEFORE, "correctness", "recall@5", "correctness")
    assert [line.split(":")[0] for line in text.splitlines() if not line.startswith(" ")] == [
        "correctness",
        "recall@5",
    ]
    assert "floor: this run is 0.1 on the good side of it" in text
    assert "rule: the mean did not fall" in text


def test_many_changed_cases_are_cut_to_ten_and_counted() -> None:
    assert "q09 1 -> 0 and 5 more" in told(cases(found=tuple(range(15))), BEFORE, "recall@5")


def test_a_higher_rank_is_never_below_the_one_before() -> None:
    same = tuple(range(4))
    text = told(cases(found=same, right=same), baseline(results(cases())), "recall@5", "correctness")
    assert "rank 1 of 2, so times 2: p 0.125, above alpha 0.05" in text
    assert "rank 2 of 2, so times 1, raised to that of the rank before: p 0.125" in text


def test_an_unknown_metric_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(
        ConfigError, match=r"no metric 'recal@5' in this verdict; there are recall@5, correctness"
    ):
        told(cases(), BEFORE, "recal@5")


@pytest.mark.parametrize(
    ("then", "rule"),
    [
        (None, "the baseline has no value for it, so only the floor is checked [no_baseline]"),
        ({"recall@5": 1.0}, "the baseline is a mean without cases"),
    ],
)
def test_a_metric_without_cases_to_compare_says_so(then: Flat | None, rule: str) -> None:
    text = told(cases(found=tuple(range(9))), then, "recall@5")
    assert rule in text
    assert "test:" not in text


def test_flat_results_are_explained_too() -> None:
    text = told({"recall@5": 0.7, "correctness": 1.0}, {"recall@5": 0.9, "correctness": 1.0}, "recall@5")
    assert "so the difference alone decides [aggregate_only]" in text
    assert "mean: 0.9 -> 0.7, change -0.2" in text


def test_a_run_that_cannot_be_judged_says_that_first() -> None:
    text = told(cases(20), BEFORE, "recall@5")
    assert "the run as a whole could not be judged: only 20 of the baseline's 40 cases" in text


def test_everything_in_the_verdict_can_be_explained() -> None:
    rules = Rules(user=LOOSE, shipped={}, gate=GateConfig())
    run = results(cases(found=(1,), right=(2,)))
    verdict = check(run, BEFORE, rules)
    for name in explainable(verdict):
        lines = explanations([name], verdict, Sides(run, BEFORE), rules)
        assert lines[0].startswith(f"{name}: ")
        assert lines[1].startswith("  rule: ")
