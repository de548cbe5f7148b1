from math import sqrt
from pathlib import Path

import pytest
from calibrate_material import flipped, results, written

from rag_gate.calibrate.material import cells_of, pairs_of
from rag_gate.calibrate.noise import Noise, measure_noise
from rag_gate.calibrate.noise_report import calibration
from rag_gate.calibrate.proposal import caught_reliably, lints, proposed_tolerance
from rag_gate.calibrate.runs import load_runs
from rag_gate.config import shipped_tolerances
from rag_gate.config_models import GateConfig, Tolerance
from rag_gate.errors import InputError, NotJudgedError
from rag_gate.records.results import Results
from rag_gate.records.run import RunManifest
from rag_gate.regression import MetricSpec
from rag_gate.regression.check import Rules
from rag_gate.statistics import SCALE

RIGHT = [1.0] * 40 + [0.0] * 10


def noise_of(*columns: list[float], cluster: bool = False, clusters: list[str] | None = None) -> Noise:
    runs = [results({"recall@5": column}, f"run-{i}", clusters=clusters) for i, column in enumerate(columns)]
    found = measure_noise(
        pairs_of(runs, {"recall@5": MetricSpec(tolerance=0.03, cluster=cluster)})["recall@5"]
    )
    assert found is not None
    return found


def test_noise_of_two_runs_by_hand() -> None:
    found = noise_of(RIGHT, flipped(RIGHT, 0, 1, 2, 45))
    # Three lost and one won of 50: mean -0.04, sum of squares 4.
    assert found.sd0 == pytest.approx(sqrt((4 - 50 * 0.04**2) / 49))
    assert found.se == pytest.approx(found.sd0 / sqrt(50))
    assert (found.flip_rate, found.n_pairs, found.n_units) == (4 / 50, 50, 50)
    assert found.mean_difference == pytest.approx(0.04)
    assert not found.shifted


def test_three_runs_are_three_pairs() -> None:
    found = noise_of(RIGHT, flipped(RIGHT, 0), flipped(RIGHT, 1))
    assert found.flip_rate == (1 + 1 + 2) / 150
    assert found.mean_difference == pytest.approx(0.02)


def test_cases_of_a_cluster_that_move_together_make_more_noise() -> None:
    clusters = [f"doc-{i // 5}" for i in range(50)]
    moved = flipped(RIGHT, 0, 1, 2, 3, 4, 45, 46, 47, 48, 49)
    alone = noise_of(RIGHT, moved)
    together = noise_of(RIGHT, moved, cluster=True, clusters=clusters)
    assert together.n_units == 10
    assert together.sd0 == alone.sd0
    assert together.se > 2 * alone.se


def test_a_difference_of_whole_runs_is_noticed() -> None:
    assert noise_of(RIGHT, flipped(RIGHT, *range(12))).shifted


def test_unscored_cases_make_no_pairs_and_no_metric_without_pairs_is_measured() -> None:
    runs = [results({"recall@5": [1.0, None, 0.0], "mrr": [None, None, None]}) for _ in range(2)]
    specs = {name: MetricSpec(tolerance=0.03) for name in ("recall@5", "mrr")}
    assert {name: len(found.pairs[0]) for name, found in pairs_of(runs, specs).items()} == {"recall@5": 2}


def test_units_stand_in_both_orders_with_what_they_have_left() -> None:
    runs = [results({"recall@5": column}) for column in ([1.0, 0.0], [0.0, 0.0])]
    cells = cells_of(pairs_of(runs, {"recall@5": MetricSpec(tolerance=0.03)}))
    assert cells["recall@5"] == [((-SCALE, 0),), ((0, 0),), ((SCALE, SCALE),), ((0, 0),)]


def noise(se: float, n: int = 50, *, flips: float = 0.1, shifted: bool = False) -> Noise:
    return Noise(n, n, se * sqrt(n), se, flips, 0.01, shifted=shifted)


@pytest.mark.parametrize(
    ("se", "n", "proposed"), [(0.02, 50, 0.033), (0.001, 50, 0.02), (0.001, 30, 0.034), (0.01, 500, 0.017)]
)
def test_the_proposal_is_the_noise_or_one_case(se: float, n: int, proposed: float) -> None:
    assert proposed_tolerance(noise(se, n), 0.05) == proposed


def test_without_noise_the_tolerance_stays() -> None:
    assert proposed_tolerance(noise(0.0), 0.05) == 0.05


def test_what_is_caught_reliably_is_the_tolerance_and_a_little_more() -> None:
    assert caught_reliably(noise(0.02), 0.05) == pytest.approx(0.05 + 0.84 * 0.02)


@pytest.mark.parametrize(
    ("found", "tolerance", "codes"),
    [
        (noise(0.02), 0.03, []),
        (noise(0.02), 0.02, []),
        (noise(0.02), 0.0199, ["narrower_than_noise", "below_one_case"]),
        (noise(0.02), 0.08, []),
        (noise(0.02), 0.0801, ["blind"]),
        (noise(0.001), 0.02, []),  # one case: there is no smaller step
        (noise(0.02, 19), 0.06, ["too_few_cases"]),
        (noise(0.0, flips=0.0), 0.03, ["no_noise"]),
        (noise(0.02, shifted=True), 0.03, ["shifted"]),
    ],
)
def test_lints(found: Noise, tolerance: float, codes: list[str]) -> None:
    assert lints(found, tolerance, 20) == codes


def test_a_proposal_passes_its_own_lints() -> None:
    for se in (0.001, 0.004, 0.02, 0.1):
        found = noise(se)
        assert lints(found, proposed_tolerance(found, 0.5), 20) == []


def rules(user: dict[str, Tolerance] | None = None) -> Rules:
    return Rules(user=user, shipped=shipped_tolerances(), gate=GateConfig())


def two_runs() -> list[Results]:
    safe = [1.0] * 50
    return [
        results({"recall@5": RIGHT, "mrr": RIGHT, "precision@5": RIGHT, "safety_pass_rate": safe}, "run-1"),
        results(
            {
                "recall@5": flipped(RIGHT, 0, 1, 45, 46),
                "mrr": RIGHT,
                "precision@5": flipped(RIGHT, 3),
                "safety_pass_rate": flipped(safe, 9),
            },
            "run-2",
        ),
    ]


def test_a_calibration_tells_noise_alarms_and_detection() -> None:
    found = calibration(two_runs(), rules())
    recall, mrr = found.metrics["recall@5"], found.metrics["mrr"]
    assert recall.lints == ("narrower_than_noise",)
    assert recall.false_alarm_gate is not None
    assert recall.false_alarm_naive is not None
    assert recall.false_alarm_gate < 0.05 < recall.false_alarm_naive
    assert [row.drop for row in recall.detection] == [0.03, 0.05, 0.06, 0.1]
    assert recall.detectable is not None
    assert recall.detectable > 0.1
    assert mrr.lints == ("no_noise",)
    assert found.alpha == 0.05
    assert found.notices == ()


def test_metrics_that_do_not_gate_by_a_tolerance_are_only_described() -> None:
    found = calibration(two_runs(), rules())
    for name, flips in (("precision@5", 0.02), ("safety_pass_rate", 0.02)):
        metric = found.metrics[name]
        assert metric.flip_rate == flips
        assert (metric.tolerance, metric.proposed, metric.detection) == (None, None, ())


def test_the_proposed_table_keeps_what_else_the_entries_say() -> None:
    table = {"recall@5": Tolerance(tolerance=0.01, floor=0.5), "mrr": Tolerance(tolerance=0.02)}
    found = calibration(two_runs(), rules(table))
    assert found.tolerances == {
        "recall@5": {"tolerance": found.metrics["recall@5"].proposed, "floor": 0.5},
        "mrr": 0.02,
    }
    assert "below_one_case" in found.metrics["recall@5"].lints


def test_a_calibration_is_the_same_every_time() -> None:
    assert calibration(two_runs(), rules()) == calibration(two_runs(), rules())


def test_the_same_recorded_run_and_unmeasured_metrics_are_noticed() -> None:
    first, second = two_runs()
    same = second.model_copy(update={"run": first.run})
    table = {"recall@5": Tolerance(tolerance=0.03), "correctness": Tolerance(tolerance=0.03)}
    notices = calibration([first, same], rules(table)).notices
    assert "only the judge's noise" in notices[0]
    assert notices[1] == "not measured in two runs: correctness"


def test_runs_without_scores_are_not_calibrated() -> None:
    empty = results({"recall@5": [None, None]})
    with pytest.raises(NotJudgedError, match="no metric has scores"):
        calibration([empty, empty], rules())


def refused(folder: Path, first: Results, second: Results) -> str:
    paths = [written(folder, "a.json", first), written(folder, "b.json", second)]
    with pytest.raises(NotJudgedError) as caught:
        load_runs(paths)
    return str(caught.value)


BASE = {"recall@5": RIGHT}


def test_runs_that_differ_in_more_than_chance_are_refused(tmp_path: Path) -> None:
    first = results(BASE, manifest=RunManifest(commit="aaa", model="m-1"))
    assert "different golden sets" in refused(tmp_path, first, results(BASE, dataset="other"))
    assert "stage retrieval was measured by another" in refused(
        tmp_path, first, results(BASE, settings="other")
    )
    other = results(BASE, manifest=RunManifest(commit="bbb", model="m-2"))
    assert "commit differs (aaa and bbb)" in refused(tmp_path, first, other)
    assert "model differs (m-1 and m-2)" in refused(tmp_path, first, other)


def test_keys_of_the_users_own_and_unstated_conditions_may_differ(tmp_path: Path) -> None:
    manifests = [RunManifest.model_validate({"commit": "a", "started": at}) for at in ("9:00", "9:05")]
    runs = [results(BASE, manifest=manifest) for manifest in (*manifests, None)]
    paths = [written(tmp_path, f"{i}.json", run) for i, run in enumerate(runs)]
    assert load_runs(paths) == runs


def test_one_run_a_run_named_twice_and_a_flat_table_are_no_pair(tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", results(BASE))
    flat = tmp_path / "flat.json"
    flat.write_text('{"recall@5": 0.8}', encoding="utf-8")
    for paths, message in (
        ([path], "two or more"),
        ([path, path], "named twice"),
        ([path, flat], "flat table"),
    ):
        with pytest.raises(InputError, match=message):
            load_runs(paths)
