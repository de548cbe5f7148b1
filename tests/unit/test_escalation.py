from collections.abc import Sequence

import pytest

from rag_gate.regression import Aggregate, CaseScoreIn, GateSettings, MetricInput, MetricSpec, judge_metrics
from rag_gate.regression.escalation import needs_escalation, pool
from rag_gate.regression.inputs import CaseMap

SOFT = MetricSpec(tolerance=0.03)
SAFETY = MetricSpec(kind="zero_tolerance")
SETTINGS = GateSettings()


def cases(scores: Sequence[float | None], first: int = 0) -> dict[str, CaseScoreIn]:
    return {f"c{number:03}": CaseScoreIn("v1", score) for number, score in enumerate(scores, first)}


def changed(cases_: int, lost: int) -> MetricInput:
    return MetricInput(SOFT, cases([1.0] * cases_), cases([0.0] * lost + [1.0] * (cases_ - lost)))


def asked(**metrics: MetricInput) -> list[str]:
    return needs_escalation(judge_metrics(metrics, SETTINGS))


def scores(side: CaseMap | Aggregate | None) -> dict[str, object]:
    assert isinstance(side, dict)
    return {name: case.score for name, case in side.items()}


def test_only_the_metrics_that_are_not_sure_ask_for_more_cases() -> None:
    assert asked(quiet=changed(50, 0), unsure=changed(50, 3), within=changed(50, 1)) == ["unsure"]
    assert asked(quiet=changed(50, 0)) == []


def test_a_regression_that_is_sure_is_not_asked_again() -> None:
    assert asked(sure=changed(50, 20), unsure=changed(50, 3)) == []


def test_an_error_is_not_asked_again() -> None:
    assert asked(gone=MetricInput(SOFT, cases([1.0]), None), unsure=changed(50, 3)) == []


def test_more_cases_do_not_help_where_scores_or_baseline_cases_are_missing() -> None:
    flat = MetricInput(SOFT, Aggregate(0.9), cases([0.5] * 50))
    missing = MetricInput(SOFT, cases([1.0] * 50), cases([None] * 2 + [1.0] * 48))
    outcome = judge_metrics({"flat": flat, "missing": missing}, SETTINGS)
    assert {found.verdict for found in outcome.metrics.values()} == {"inconclusive"}
    assert needs_escalation(outcome) == []


def test_cases_of_both_tiers_are_pooled() -> None:
    core = {"m": MetricInput(SOFT, cases([1, 1]), cases([1, 0]))}
    extended = {"m": MetricInput(SOFT, cases([0, 1], first=2), cases([1, 1], first=2))}
    pooled = pool(core, extended)["m"]
    assert pooled.spec == SOFT
    assert scores(pooled.base) == {"c000": 1, "c001": 1, "c002": 0, "c003": 1}
    assert scores(pooled.current) == {"c000": 1, "c001": 0, "c002": 1, "c003": 1}


def test_a_second_score_does_not_replace_the_first() -> None:
    core = {"m": MetricInput(SOFT, cases([1]), cases([0]))}
    again = {"m": MetricInput(SOFT, cases([1, 1]), cases([1, 1]))}
    assert scores(pool(core, again)["m"].current) == {"c000": 0, "c001": 1}


@pytest.mark.parametrize("extended", [{}, {"other": changed(5, 1)}])
def test_a_metric_that_was_not_extended_stays_as_it_is(extended: dict[str, MetricInput]) -> None:
    core = {"m": changed(3, 1)}
    assert pool(core, extended) == core


def test_a_side_without_cases_stays_as_it_is() -> None:
    core = {
        "m": MetricInput(SOFT, Aggregate(0.9), cases([1])),
        "safety": MetricInput(SAFETY, None, cases([1])),
    }
    pooled = pool(core, {name: changed(3, 0) for name in core})
    assert pooled["m"].base == Aggregate(0.9)
    assert pooled["safety"].base is None


def test_pooling_settles_what_the_core_could_not() -> None:
    core = {"m": changed(50, 3)}
    rest_base, worse = cases([1.0] * 450, first=50), cases([0.0] * 30 + [1.0] * 420, first=50)
    for now, verdict in ((rest_base, "pass"), (worse, "regressed")):
        pooled = pool(core, {"m": MetricInput(SOFT, rest_base, now)})
        assert judge_metrics(pooled, SETTINGS).overall == verdict
