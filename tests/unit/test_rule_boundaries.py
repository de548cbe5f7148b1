"""A drop exactly as large as the tolerance passes; one lattice step more does not."""

import pytest

from rag_gate.regression import Aggregate, CaseScoreIn, GateSettings, MetricInput, MetricSpec, judge_metrics

STEP = 1e-6
BASELINE_AND_TOLERANCE = {
    "recall@5": (0.88, 0.03),
    "mrr": (0.75, 0.03),
    "faithfulness": (0.91, 0.02),
    "relevance": (0.87, 0.03),
    "safety_pass_rate": (1.00, 0.0),
    "citation_rate": (0.82, 0.05),
}
METRICS = pytest.mark.parametrize(
    ("reference", "tolerance"), BASELINE_AND_TOLERANCE.values(), ids=list(BASELINE_AND_TOLERANCE)
)


def verdict_of_cases(base: list[float], current: list[float], tolerance: float) -> str:
    sides = [
        {f"c{index}": CaseScoreIn("v1", score) for index, score in enumerate(scores)}
        for scores in (base, current)
    ]
    metric = MetricInput(MetricSpec(tolerance=tolerance), *sides)
    return judge_metrics({"m": metric}, GateSettings()).overall


def verdict_of_means(base: float, current: float, tolerance: float) -> str:
    metric = MetricInput(MetricSpec(tolerance=tolerance), Aggregate(base), Aggregate(current))
    return judge_metrics({"m": metric}, GateSettings()).overall


@METRICS
@pytest.mark.parametrize("n", [1, 7, 50, 150])
def test_equal_drops_of_every_case(reference: float, tolerance: float, n: int) -> None:
    at = [reference - tolerance] * n
    assert verdict_of_cases([reference] * n, at, tolerance) == "pass"
    one_step_more = [*at[1:], at[0] - STEP]
    assert verdict_of_cases([reference] * n, one_step_more, tolerance) in {"regressed", "inconclusive"}


@METRICS
def test_a_drop_beyond_by_every_case_is_a_regression(reference: float, tolerance: float) -> None:
    # A hundredth below the tolerance in each of 50 cases: as sure as it can be.
    assert verdict_of_cases([reference] * 50, [reference - tolerance - 0.01] * 50, tolerance) == "regressed"


@METRICS
def test_flat_means(reference: float, tolerance: float) -> None:
    assert verdict_of_means(reference, reference - tolerance, tolerance) == "pass"
    assert verdict_of_means(reference, reference, tolerance) == "pass"
    assert verdict_of_means(reference, reference - tolerance - STEP, tolerance) == "regressed"


@pytest.mark.parametrize("metric", ["recall@5", "safety_pass_rate", "citation_rate"])
def test_whole_cases(metric: str) -> None:
    reference, tolerance = BASELINE_AND_TOLERANCE[metric]
    good, allowed = round(reference * 100), round(tolerance * 100)
    base = [1.0] * good + [0.0] * (100 - good)

    def lose(count: int) -> list[float]:
        return [0.0] * count + base[count:]

    assert verdict_of_cases(base, lose(allowed), tolerance) == "pass"
    assert verdict_of_cases(base, lose(allowed + 1), tolerance) in {"regressed", "inconclusive"}
    assert verdict_of_cases(base, lose(allowed + 10), tolerance) == "regressed"


def test_the_usual_way_of_writing_it_would_fail_a_drop_at_the_tolerance() -> None:
    assert 0.85 - 0.88 < -0.03, "float noise that the lattice removes"
    assert verdict_of_cases([0.88] * 50, [0.85] * 50, 0.03) == "pass"


def test_floor_is_met_exactly_in_spite_of_float_noise() -> None:
    spec = MetricSpec(tolerance=1.0, floor=0.3)
    scores = {str(index): CaseScoreIn("v1", score) for index, score in enumerate([0.1, 0.2, 0.6])}
    assert judge_metrics({"m": MetricInput(spec, None, scores)}, GateSettings()).overall == "pass"
