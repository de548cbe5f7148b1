"""The weights of the support score: never negative, fitted without non-commercial rows, and as documented."""

import json
from typing import Any

from doc_pages import ROOT, text_of
from hypothesis import given
from hypothesis import strategies as st
from judging.fitting import fit
from judging.rows import Row, read_rows
from judging.table import fitted, measured, table
from judging.tables import filled

from rag_gate.judge.features import NAMES
from rag_gate.judge.model import shipped_model

FIGURES: dict[str, Any] = json.loads((ROOT / "benchmarks/judging/figures.json").read_text(encoding="utf-8"))
MANIFEST: dict[str, Any] = json.loads((ROOT / "benchmarks/judging/manifest.json").read_text(encoding="utf-8"))
PAGE = "docs/explanation/what-the-offline-judge-can-tell.md"
features = st.lists(st.floats(0, 1), min_size=len(NAMES), max_size=len(NAMES))


def test_no_weight_is_negative_and_a_copy_is_supported() -> None:
    model = shipped_model()
    assert len(model.weights) == len(NAMES)
    assert min(model.weights) > 0
    assert model.chance([1.0] * len(NAMES)) > 0.85
    assert model.chance([0.0] * len(NAMES)) < 0.05


@given(features, st.integers(0, len(NAMES) - 1), st.floats(0, 1))
def test_more_of_any_feature_never_lowers_the_score(values: list[float], at: int, more: float) -> None:
    raised = [*values[:at], max(values[at], more), *values[at + 1 :]]
    assert shipped_model().chance(raised) >= shipped_model().chance(values)


def test_no_row_of_a_non_commercial_dataset_was_used() -> None:
    assert MANIFEST["datasets"]
    for found in MANIFEST["datasets"].values():
        assert "NC" not in found["licence"]
        assert found["sources"]
        assert 0 < found["supported"] < found["rows"]
        assert len(found["sha256"]) == 64
    assert not {"faithbench", "jafaithsum", "jtruthfulqa"} & MANIFEST["datasets"].keys()


def rows() -> list[Row]:
    found = read_rows([ROOT / "tests/data/judge/rows.jsonl"])
    return [row for row in found if row.dataset in {"jnli", "jsick", "begin_wow"}]


def test_fitting_again_gives_the_same_table() -> None:
    known = rows()
    columns = [measured(row) for row in known]
    first = table(fitted(known, columns))
    assert first == table(fitted(known, columns))
    assert min(json.loads(first)["weights"].values()) >= 0


def test_a_feature_that_speaks_against_the_label_gets_no_weight() -> None:
    values = [(1.0, 0.0), (0.8, 0.3), (0.9, 0.1), (0.1, 1.0), (0.3, 0.7), (0.2, 0.9)]
    labels = [True, True, True, False, False, False]
    found = fit(values, labels, [1.0] * 6, ridge=0.01)
    assert found.weights[0] > 0
    assert found.weights[1] == 0.0


def test_the_page_shows_the_measured_figures() -> None:
    page = text_of(PAGE)
    assert filled(page, FIGURES) == page
    swapped = FIGURES["swapped"]
    told = " ".join(page.split())
    assert f"all {swapped['wrong_supported']} of {swapped['wrong']} are called supported" in told
    assert f"as are {swapped['right_supported']} of {swapped['right']} right ones" in told
    mean = FIGURES["grounding"][-1]
    assert mean["dataset"] == "mean of all"
    assert mean["left_out"] >= 0.82
    assert max(row["below_earlier"] for row in FIGURES["grounding"][:-1]) <= 2
