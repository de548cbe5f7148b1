"""The documented error rates come out again from other random numbers."""

import json
from collections.abc import Sequence
from functools import cache
from math import sqrt
from statistics import fmean, pstdev
from typing import Any

import pytest
from doc_pages import ROOT, text_of
from simulation.cells import METRICS, Cell, cells, figures_of
from simulation.drift import drift
from simulation.generators import GENERATORS, ScorePair
from simulation.replications import draw
from simulation.rules import STRICT, TOLERANCES, metric_inputs, plain_alarms, with_verdict
from simulation.scenarios import SCENARIOS
from simulation.tables import error_of, filled

from rag_gate.regression import judge_metrics

FIGURES: dict[str, Any] = json.loads(
    (ROOT / "benchmarks" / "simulation" / "figures.json").read_text(encoding="utf-8")
)
PAGE = "docs/explanation/how-sure-the-gate-is.md"
OTHER_SEED = 2024

# An earlier simulation with generators of its own, from which docs/how-to/choose-tolerances.md has its numbers.
EARLIER = [
    (Cell("false_alarms", 50, 200), "plain", 0.511),
    (Cell("false_alarms", 50, 200), "holm05", 0.019),
    (Cell("false_alarms", 50, 200), "holm10", 0.042),
    (Cell("false_alarms", 500, 20), "holm05", 0.012),
    (Cell("detection", 50, 150, drop=0.05), "holm05", 0.15),
    (Cell("detection", 50, 150, drop=0.05), "inconclusive05", 0.55),
    (Cell("detection", 50, 150, drop=0.10), "holm05", 0.47),
    (Cell("detection", 500, 20, drop=0.05), "holm05", 0.87),
    (Cell("detection", 500, 15, drop=0.10), "holm05", 1.0),
    (Cell("two_stage", 50, 20, drop=0.05), "two_stage", 0.743),
    (Cell("two_stage", 50, 20, drop=0.05), "core", 0.157),
]
# Two descriptions of the same bot are not the same bot.
MODEL_MARGIN = 0.05
ANY = Cell("any", 50, 1)


@cache
def simulated(cell: Cell) -> dict[str, Any]:
    return dict(figures_of(cell, OTHER_SEED))


def rate(cell: Cell, name: str) -> float:
    return float(simulated(cell)[name])


def stored(cell: Cell) -> dict[str, Any]:
    key = "scenario" if cell.kind == "false_alarms" else "drop"
    wanted = (cell.n, getattr(cell, key))
    return next(row for row in FIGURES[cell.kind] if (row["n"], row[key]) == wanted)


def drawn(metric: str, drop: float) -> list[ScorePair]:
    rng = ANY.chance(OTHER_SEED, 0)
    return [GENERATORS[metric](rng, SCENARIOS["neutral"], drop) for _ in range(10_000)]


@pytest.mark.parametrize(("cell", "name", "documented"), EARLIER, ids=str)
def test_an_independent_simulation_found_the_same(cell: Cell, name: str, documented: float) -> None:
    error = error_of(documented, cell.replications)
    assert rate(cell, name) == pytest.approx(documented, abs=3 * error + MODEL_MARGIN)


@pytest.mark.parametrize(("cell", "name"), [row[:2] for row in EARLIER], ids=str)
def test_the_stored_figures_come_out_again(cell: Cell, name: str) -> None:
    row = stored(cell)
    errors = [error_of(row[name], cell.replications), error_of(row[name], row["replications"])]
    assert rate(cell, name) == pytest.approx(row[name], abs=3 * sqrt(sum(error**2 for error in errors)))


def test_the_plain_rule_cries_wolf_and_ours_does_not() -> None:
    cell = Cell("false_alarms", 50, 200)
    assert rate(cell, "plain") >= 0.35
    assert rate(cell, "holm05") <= 0.06


def test_a_large_drop_is_seen_by_half_with_50_cases_and_by_all_with_500() -> None:
    assert 0.35 <= rate(Cell("detection", 50, 150, drop=0.10), "holm05") <= 0.65
    assert rate(Cell("detection", 500, 15, drop=0.10), "holm05") >= 0.97


def test_no_alarm_of_the_plain_rule_is_lost_and_none_is_added() -> None:
    alarms = 0
    for number in range(60):
        pairs = draw(ANY.chance(OTHER_SEED, number), 50, SCENARIOS["big"], {METRICS[number % 5]: 0.05})
        outcome = judge_metrics(metric_inputs(pairs), STRICT)
        ours = with_verdict(outcome, "regressed") | with_verdict(outcome, "inconclusive")
        plain = plain_alarms(pairs)
        assert plain <= ours
        assert all(is_exactly_the_tolerance(pairs[name], TOLERANCES[name]) for name in ours - plain)
        alarms += len(plain)
    assert alarms > 60


def is_exactly_the_tolerance(pairs: Sequence[ScorePair], tolerance: float) -> bool:
    # There the sides may differ: rag-gate rounds each case's change to a millionth, so six times 1/6 is above 1.
    return sum(now - then for then, now in pairs) == pytest.approx(-tolerance * len(pairs), abs=1e-6)


def test_slow_drift_is_never_caught_by_a_rolling_baseline_and_soon_by_an_anchored_one() -> None:
    still = drift(ANY.chance(OTHER_SEED, 0), 500, 0.01, merges=60, noise=0.0)
    assert still == {"rolling_plain": None, "rolling": None, "anchored_plain": 4, "anchored": 4}
    for number in range(20):
        noisy = drift(ANY.chance(OTHER_SEED, number), 500, 0.01, merges=6)
        assert noisy["rolling"] not in {1, 2, 3}
        assert noisy["anchored"] is not None
    assert stored(Cell("drift", 500, 1, drop=0.005))["anchored"] > 0.95
    assert stored(Cell("drift", 500, 1, drop=0.005))["rolling"] < 0.1


@pytest.mark.parametrize(
    ("metric", "mean", "spread"),
    [
        ("recall@5", 0.88, 0.20),
        ("mrr", 0.746, 0.19),
        ("faithfulness", 0.89, 0.195),
        ("relevance", 0.845, 0.07),
        ("citation_rate", 0.82, 0.37),
    ],
)
def test_the_simulated_bot_is_the_one_that_the_page_describes(
    metric: str, mean: float, spread: float
) -> None:
    pairs = drawn(metric, 0.0)
    changes = [now - then for then, now in pairs]
    assert fmean(then for then, _ in pairs) == pytest.approx(mean, abs=0.02)
    assert fmean(changes) == pytest.approx(0, abs=0.015)
    assert pstdev(changes) == pytest.approx(spread, abs=0.015)


@pytest.mark.parametrize("metric", METRICS)
def test_a_drop_is_as_large_as_asked_for(metric: str) -> None:
    pairs = drawn(metric, 0.10)
    assert fmean(now - then for then, now in pairs) == pytest.approx(-0.10, abs=0.015)


def test_the_page_has_the_stored_figures() -> None:
    page = text_of(PAGE)
    assert filled(page, FIGURES) == page
    assert f"--replications {FIGURES['replications']} --seed {FIGURES['seed']} --write" in page


def test_every_cell_is_stored_with_its_replications() -> None:
    for cell in cells(FIGURES["replications"]):
        assert stored(cell)["replications"] == cell.replications
    with pytest.raises(ValueError, match="no place for the table"):
        filled("no marker", FIGURES)
