"""Runs every regression oracle: tests/oracles/regression, or $RAG_GATE_ORACLES/regression.

SPEC.md beside the files says how they were made.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rag_gate.regression import (
    Aggregate,
    CaseScoreIn,
    GateSettings,
    MetricInput,
    MetricSpec,
    PromotionFacts,
    judge_metrics,
    judge_slices,
    refusals,
)
from rag_gate.statistics import (
    benjamini_hochberg,
    clopper_pearson,
    detectable_effect,
    holm,
    paired_t,
    sign_flip,
    upper_bound,
    wilson,
)

FOLDER = Path(os.environ.get("RAG_GATE_ORACLES", Path(__file__).parent)) / "regression"
FILES = sorted(FOLDER.glob("*.json"))


def signflip(given: dict[str, Any]) -> dict[str, Any]:
    found = sign_flip(given["deltas_in_thousandths"])
    return {
        "p": found.p,
        "mid_p": found.mid_p,
        "p_up": found.p_up,
        "p_fraction": [found.numerator, found.denominator],
        "n_changed": found.n_changed,
        "wins": found.wins,
        "losses": found.losses,
        "ties": found.ties,
    }


def ttest_ci(given: dict[str, Any]) -> dict[str, Any]:
    deltas = [after - before for before, after in zip(given["baseline"], given["current"], strict=True)]
    found = paired_t(deltas, given["confidence"])
    return {
        "delta": found.delta,
        "sd": found.sd,
        "se": found.se,
        "t": found.t,
        "p_less": found.p_less,
        "ci90": list(found.interval),
    }


def multiplicity(given: dict[str, Any]) -> dict[str, Any]:
    return {"holm": holm(given["p"]), "bh": benjamini_hochberg(given["p"])}


def proportion(given: dict[str, Any]) -> dict[str, Any]:
    k, n = given["k"], given["n"]
    return {
        "clopper_pearson95": list(clopper_pearson(k, n)),
        "wilson95": list(wilson(k, n)),
        "one_sided_upper95": upper_bound(k, n),
    }


def mde(given: dict[str, Any]) -> dict[str, Any]:
    return {"mde": detectable_effect(**given)}


def side(data: dict[str, Any] | None) -> dict[str, CaseScoreIn] | Aggregate | None:
    if data is None:
        return None
    if "aggregate" in data and not isinstance(data["aggregate"], dict):
        return Aggregate(data["aggregate"])
    return {case_id: CaseScoreIn(**case) for case_id, case in data.items()}


def gate(given: dict[str, Any]) -> dict[str, Any]:
    metrics = {
        name: MetricInput(MetricSpec(**metric["spec"]), side(metric["base"]), side(metric["cur"]))
        for name, metric in given["metrics"].items()
    }
    outcome = judge_metrics(metrics, GateSettings(**given["cfg"])).model_dump(mode="json")
    assert isinstance(outcome, dict)
    return outcome


def slices(given: dict[str, Any]) -> dict[str, Any]:
    base, current = side(given["base"]), side(given["cur"])
    assert isinstance(base, dict)
    assert isinstance(current, dict)
    spec = MetricSpec(tolerance=given["tolerance"])
    outcome = judge_slices(base, current, spec, min_slice=given["min_slice"], q=given["q"])
    return outcome.model_dump(mode="json")


def promote(given: dict[str, Any]) -> dict[str, Any]:
    refused = refusals(PromotionFacts(**given))
    return {"allowed": not refused, "refuse": refused}


KINDS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    function.__name__: function
    for function in (signflip, ttest_ci, multiplicity, proportion, mde, gate, slices, promote)
}


def differences(expected: Any, found: Any, where: str = "") -> list[str]:
    """Compare what the oracle names: floats to 1e-9, everything else exactly."""
    if isinstance(expected, dict):
        missing = [f"{where}/{key}: not computed" for key in expected if key not in found]
        shared = [key for key in expected if key in found]
        return missing + [
            line for key in shared for line in differences(expected[key], found[key], f"{where}/{key}")
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            line
            for index, (one, other) in enumerate(zip(expected, found, strict=True))
            for line in differences(one, other, f"{where}/{index}")
        ]
    if isinstance(expected, float) and isinstance(found, (int, float)):
        same = abs(expected - found) <= 1e-9
    else:
        same = type(expected) is type(found) and expected == found
    return [] if same else [f"{where}: expected {expected}, found {found}"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_oracle_is_reproduced(path: Path) -> None:
    oracle = json.loads(path.read_text(encoding="utf-8"))
    found = KINDS[oracle["kind"]](oracle["input"])
    assert differences(oracle["expected"], found) == [], oracle["title"]


def test_oracles_are_present() -> None:
    assert FILES, f"no oracle files in {FOLDER}"
