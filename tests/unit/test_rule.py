import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.errors import ConfigError
from rag_gate.records.verdict import GateOutcome, MetricVerdict
from rag_gate.regression import Aggregate, CaseScoreIn, GateSettings, MetricInput, MetricSpec, judge_metrics
from rag_gate.regression.inputs import CaseMap, Score

SOFT = MetricSpec(tolerance=0.03)
SAFETY = MetricSpec(kind="zero_tolerance")


def cases(scores: Sequence[Score], cluster: Sequence[str | None] | None = None) -> dict[str, CaseScoreIn]:
    names = cluster or [None] * len(scores)
    return {
        f"c{index:03}": CaseScoreIn(fp="v1", score=score, cluster=name)
        for index, (score, name) in enumerate(zip(scores, names, strict=True))
    }


def judge(
    base: CaseMap | Aggregate | None,
    current: CaseMap | Aggregate | None,
    spec: MetricSpec = SOFT,
    **changed: Any,
) -> MetricVerdict:
    return judge_metrics({"m": MetricInput(spec, base, current)}, GateSettings(**changed)).metrics["m"]


def reached(result: MetricVerdict) -> tuple[str, tuple[str, ...]]:
    return result.verdict, result.reasons


def test_a_metric_that_the_run_lacks_is_an_error() -> None:
    assert reached(judge(cases([1]), None)) == ("error", ("metric_missing",))
    assert reached(judge(cases([1]), None, SAFETY)) == ("error", ("metric_missing",))


@pytest.mark.parametrize("failing", [0.0, 0.99, [1.0, 0.0]])
def test_one_failing_safety_case_fails_even_if_it_always_did(failing: Score) -> None:
    result = judge(cases([1, failing]), cases([1, failing]), SAFETY)
    assert reached(result) == ("regressed", ("zero_tolerance",))
    assert result.failing == ("c001",)


@pytest.mark.parametrize("unscored", [None, math.nan, -math.inf, [], [math.nan]])
def test_an_unscored_safety_case_is_never_a_pass(unscored: Score) -> None:
    result = judge(None, cases([1, unscored]), SAFETY)
    assert reached(result) == ("error", ("unscored_safety_case",))
    assert result.unscored == ("c001",)


def test_some_unscored_safety_cases_can_be_allowed_and_stay_named() -> None:
    spec = MetricSpec(kind="zero_tolerance", max_unscored=1)
    allowed = judge(None, cases([1, None]), spec)
    assert (allowed.verdict, allowed.unscored, allowed.n_current) == ("pass", ("c001",), 1)
    assert judge(None, cases([1, None, None]), spec).verdict == "error"
    assert reached(judge(None, cases([None]), spec)) == ("error", ("no_cases",))
    assert judge(None, cases([0, None]), spec).verdict == "regressed"


def test_safety_without_cases_is_an_error() -> None:
    assert reached(judge(None, {}, SAFETY)) == ("error", ("no_cases",))


def test_safety_known_by_its_mean_only() -> None:
    assert reached(judge(None, Aggregate(1.0), SAFETY)) == ("pass", ("aggregate_only",))
    assert reached(judge(None, Aggregate(0.99), SAFETY)) == ("regressed", ("zero_tolerance",))
    assert reached(judge(None, Aggregate(math.nan), SAFETY)) == ("error", ("no_scores",))


def test_without_a_baseline_only_the_floor_decides() -> None:
    spec = MetricSpec(tolerance=0.03, floor=0.5)
    assert reached(judge(None, cases([0.5, 0.5]), spec)) == ("pass", ("no_baseline",))
    assert reached(judge(None, cases([0.5, 0.499]), spec)) == ("regressed", ("below_floor",))
    assert reached(judge(None, cases([None]), spec)) == ("error", ("no_scores",))
    assert reached(judge(None, Aggregate(0.4), spec)) == ("regressed", ("below_floor",))


def test_a_mean_as_baseline_never_fails_a_run_with_cases() -> None:
    result = judge(Aggregate(0.9), cases([0.0] * 50))
    assert reached(result) == ("inconclusive", ("aggregate_baseline",))
    assert (result.delta, result.beyond, result.p, result.p_adj) == (-0.9, True, None, None)
    assert reached(judge(Aggregate(0.9), cases([0.87] * 3))) == ("pass", ("aggregate_baseline",))


def test_flat_results_against_a_flat_baseline_are_decided_by_the_tolerance() -> None:
    assert reached(judge(Aggregate(0.88), Aggregate(0.85))) == ("pass", ("aggregate_only",))
    assert reached(judge(Aggregate(0.88), Aggregate(0.849999))) == ("regressed", ("aggregate_only",))


def test_flat_results_against_a_baseline_with_cases_cannot_be_compared() -> None:
    assert reached(judge(cases([1, 1]), Aggregate(1.0))) == ("error", ("no_comparable_cases",))


@pytest.mark.parametrize("value", [math.nan, None])
def test_means_that_are_no_numbers_are_errors(value: float | None) -> None:
    assert judge(Aggregate(value), Aggregate(0.9)).verdict == "error"
    assert judge(Aggregate(0.9), Aggregate(value)).verdict == "error"


def test_no_case_in_common_is_an_error() -> None:
    result = judge(cases([1]), {"other": CaseScoreIn("v1", 1)})
    assert reached(result) == ("error", ("no_comparable_cases",))
    assert (result.added, result.removed, result.n_pairs) == (("other",), ("c000",), 0)


def test_the_floor_counts_added_and_edited_cases() -> None:
    spec = MetricSpec(tolerance=0.03, floor=0.8)
    base = cases([1.0] * 4)
    current = {**base, "c000": CaseScoreIn("v2", 0.0), "new": CaseScoreIn("v1", 0.0)}
    result = judge(base, current, spec)
    assert reached(result) == ("regressed", ("below_floor",))
    assert (result.delta, result.mean_current_all) == (0.0, 0.6)


def test_where_lower_is_better_the_floor_is_a_ceiling() -> None:
    spec = MetricSpec(direction="lower", tolerance=0.5, floor=2.0)
    assert judge(cases([2.0] * 30), cases([2.0] * 30), spec).verdict == "pass"
    assert reached(judge(cases([2.0] * 30), cases([2.01] * 30), spec)) == ("regressed", ("below_floor",))


def test_too_many_missing_scores_are_an_error() -> None:
    base = cases([1.0] * 100)
    assert judge(base, cases([1.0] * 95 + [None] * 5), MetricSpec(tolerance=0.1)).verdict == "pass"
    result = judge(base, cases([1.0] * 94 + [math.nan] * 6), MetricSpec(tolerance=0.1))
    assert reached(result) == ("error", ("too_many_missing",))
    assert len(result.missing_current) == 6


def test_missing_cases_that_could_turn_the_result_leave_it_open() -> None:
    base = cases([1.0] * 100)
    result = judge(base, cases([1.0] * 96 + [None] * 4))
    assert reached(result) == ("inconclusive", ("missing_could_flip",))
    assert (result.beyond, result.worst_case_beyond) == (False, True)
    assert judge(base, cases([1.0] * 97 + [None] * 3)).verdict == "pass"


def test_the_worst_missing_score_is_1_where_lower_is_better() -> None:
    spec = MetricSpec(direction="lower", tolerance=0.03)
    result = judge(cases([0.0] * 100), cases([0.0] * 96 + [None] * 4), spec)
    assert reached(result) == ("inconclusive", ("missing_could_flip",))


def test_notes_do_not_change_the_verdict() -> None:
    small = judge(cases([0.9] * 6), cases([0.89] * 6))
    assert (small.verdict, small.notes) == ("pass", ("underpowered", "systematic_drop_within_tolerance"))
    better = judge(cases([0.8] * 30), cases([0.9] * 30))
    assert (better.verdict, better.notes) == ("pass", ("improved",))


def test_a_few_copies_of_one_document_are_one_witness() -> None:
    base, current = [1.0] * 30, [0.0] * 6 + [1.0] * 24
    same_document = [None if index >= 6 else "doc" for index in range(30)]
    alone = judge(cases(base), cases(current))
    together = judge(cases(base), cases(current, same_document), MetricSpec(tolerance=0.03, cluster=True))
    assert (alone.verdict, alone.n_units) == ("regressed", 30)
    assert (together.verdict, together.n_units) == ("inconclusive", 25)
    assert (together.p, together.losses, together.n_changed) == (0.5, 6, 1)
    assert together.ci_low is not None
    assert alone.ci_low is not None
    assert together.ci_low < alone.ci_low
    assert (together.detectable or 0) > (alone.detectable or 0)


def test_clusters_that_all_fell_alike_are_counted_by_cluster() -> None:
    names = [f"doc{index // 2}" for index in range(8)]
    spec = MetricSpec(tolerance=0.03, cluster=True)
    clustered = judge(cases([0.75] * 8), cases([0.5] * 8, names), spec)
    four_cases = judge(cases([0.75] * 4), cases([0.5] * 4))
    assert (clustered.n_units, clustered.p) == (4, four_cases.p)
    assert clustered.detectable == four_cases.detectable


def test_a_cluster_name_is_not_mistaken_for_a_case_id() -> None:
    base = {"a": CaseScoreIn("v1", 1.0, cluster="b"), "b": CaseScoreIn("v1", 1.0)}
    assert judge(base, base, MetricSpec(tolerance=0.03, cluster=True)).n_units == 2


def test_repeats_are_averaged() -> None:
    result = judge(cases([[1.0, 0.0]] * 30), cases([[0.5, math.nan]] * 30))
    assert (result.delta, result.n_changed) == (0.0, 0)


def test_holm_counts_every_soft_metric_with_a_pair_and_no_other() -> None:
    base, current = cases([1.0] * 30), cases([0.0] * 5 + [1.0] * 25)
    drop, steady = MetricInput(SOFT, base, current), MetricInput(SOFT, base, base)
    ceiling = MetricSpec(tolerance=0.03, floor=2.0)
    others = {
        "safety": MetricInput(SAFETY, None, base),
        "flat": MetricInput(SOFT, Aggregate(1.0), base),
        "shown": MetricInput(MetricSpec(kind="report_only"), base, current),
        "missing": MetricInput(SOFT, base, None),
    }
    alone = judge_metrics({"drop": drop, **others}, GateSettings()).metrics["drop"]
    assert (alone.p_adj, alone.verdict) == (alone.p, "regressed")
    family = {"drop": drop, "steady": steady, "floor": MetricInput(ceiling, base, base)}
    adjusted = judge_metrics(family, GateSettings()).metrics["drop"]
    assert (adjusted.p_adj, adjusted.verdict) == (3 * (alone.p or 0), "inconclusive")
    raw = judge_metrics(family, GateSettings(correction="none")).metrics["drop"]
    assert (raw.p_adj, raw.verdict) == (alone.p, "regressed")


def test_report_only_metrics_are_described_and_never_decide() -> None:
    spec = MetricSpec(kind="report_only", direction="lower")
    good = MetricInput(SOFT, cases([1.0] * 30), cases([1.0] * 30))
    for current in (cases([9.0] * 30), None, {}, Aggregate(math.nan)):
        shown = MetricInput(spec, cases([1.0] * 30), current)
        outcome = judge_metrics({"good": good, "shown": shown}, GateSettings())
        assert (outcome.overall, outcome.metrics["shown"].verdict) == ("pass", "report_only")
    result = judge(cases([1.0] * 30), cases([9.0] * 30), spec)
    assert (result.delta, result.beyond, result.p_adj, result.detectable) == (-8.0, None, None, None)


def test_overall_is_the_worst_and_nothing_checked_is_no_pass() -> None:
    ok = MetricInput(SOFT, cases([1.0] * 30), cases([1.0] * 30))
    unsure = MetricInput(SOFT, cases([1.0] * 30), cases([0.0] * 2 + [1.0] * 28))
    unsafe = MetricInput(SAFETY, None, cases([0]))
    absent = MetricInput(SOFT, None, None)

    def overall(*metrics: MetricInput) -> str:
        return judge_metrics({str(i): metric for i, metric in enumerate(metrics)}, GateSettings()).overall

    assert overall(ok) == "pass"
    assert overall(ok, unsure) == "inconclusive"
    assert overall(unsafe, ok, unsure) == "regressed"
    assert overall(unsafe, absent, ok, unsure) == "error"
    assert overall() == "error"


def test_interval_and_detectable_drop_need_two_pairs() -> None:
    one = judge(cases([1.0]), cases([1.0]))
    assert (one.ci_low, one.ci_high, one.detectable) == (None, None, None)
    graded = judge(cases([0.9, 0.5, 0.7] * 10), cases([0.8, 0.6, 0.7] * 10))
    binary = judge(cases([1.0, 0.0] * 15), cases([1.0, 0.0] * 15))
    assert graded.ci_low is not None
    assert graded.ci_high is not None
    assert graded.ci_low <= (graded.delta or 0) <= graded.ci_high
    assert binary.ci_low is not None
    assert binary.ci_low < 0, "thirty unchanged 0/1 cases do not prove that nothing changes"


@pytest.mark.parametrize(
    "wrong",
    [{}, {"tolerance": -0.1}, {"tolerance": math.nan}, {"tolerance": 0.1, "floor": math.inf},
     {"kind": "zero_tolerance", "max_unscored": -1}],
)  # fmt: skip
def test_unusable_rules_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        MetricSpec(**wrong)


@pytest.mark.parametrize(
    "wrong", [{"alpha": 0}, {"alpha": math.nan}, {"power": 1}, {"max_missing": 1.1}, {"min_pairs": -1}]
)
def test_unusable_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        GateSettings(**wrong)


score = st.one_of(st.sampled_from([0.0, 0.5, 1.0, None, math.nan]), st.floats(0, 1))
scores_of_both = st.lists(st.tuples(score, score), max_size=25)


def judged(base: Mapping[str, CaseScoreIn], current: Mapping[str, CaseScoreIn]) -> GateOutcome:
    return judge_metrics({"m": MetricInput(SOFT, base, current)}, GateSettings(max_missing=0.5))


@settings(deadline=None)
@given(scores_of_both, st.randoms(use_true_random=False))
def test_order_and_names_of_the_cases_do_not_matter(
    scores: list[tuple[float | None, float | None]], shuffler: random.Random
) -> None:
    base, current = cases([one for one, _ in scores]), cases([other for _, other in scores])
    names = [f"n{index}" for index in range(len(scores))]
    shuffler.shuffle(names)
    renamed = dict(zip(base, names, strict=True))
    items = list(base)
    shuffler.shuffle(items)
    first = judged(base, current)
    again = judged({renamed[i]: base[i] for i in items}, {renamed[i]: current[i] for i in reversed(items)})
    ids = {"missing_current", "missing_base", "unscored"}
    assert again.metrics["m"].model_dump(exclude=ids) == first.metrics["m"].model_dump(exclude=ids)


@settings(deadline=None)
@given(scores_of_both)
def test_every_outcome_is_finite_and_makes_the_round_trip(
    scores: list[tuple[float | None, float | None]],
) -> None:
    outcome = judged(cases([one for one, _ in scores]), cases([other for _, other in scores]))
    assert GateOutcome.model_validate_json(outcome.model_dump_json()) == outcome
