"""A baseline that exists and holds nothing to compare is not a first run."""

import json
from pathlib import Path

import pytest
from cli_runner import rag_gate

PROMOTED_NOTHING = '{"schema_version": 1, "kind": "baseline", "metrics": {}, "cases": []}'


def check(folder: Path, results: str, baseline: str) -> tuple[int, str]:
    (folder / "results.json").write_text(results, encoding="utf-8")
    (folder / "baseline.json").write_text(baseline, encoding="utf-8")
    ended = rag_gate("check", "results.json", "--baseline", "baseline.json", cwd=folder)
    return ended.code, ended.err


@pytest.mark.parametrize("baseline", ['{"recall@5": null}', '{"own": 0.5}', PROMOTED_NOTHING])
def test_a_baseline_without_the_gating_metrics_is_not_judged(tmp_path: Path, baseline: str) -> None:
    code, err = check(tmp_path, '{"recall@5": 0.9}', baseline)
    assert code == 3
    assert "holds none of the gating metrics (recall@5)" in err


@pytest.mark.parametrize(
    "baseline", ["{}", '{"schema_version": true, "kind": "baseline"}', '{"schema_version": 2}']
)
def test_a_baseline_that_is_none_is_refused(tmp_path: Path, baseline: str) -> None:
    code, err = check(tmp_path, '{"recall@5": 0.9}', baseline)
    assert code == 2
    assert "baseline.json" in err


def test_a_key_given_twice_in_a_flat_table_is_refused(tmp_path: Path) -> None:
    code, err = check(tmp_path, '{"recall@5": 0.1, "recall@5": 0.9}', '{"recall@5": 0.9}')
    assert code == 2
    assert "results.json: key 'recall@5' is given twice" in err


def test_a_flat_safety_rate_below_one_says_what_it_is(tmp_path: Path) -> None:
    code, err = check(tmp_path, '{"safety_pass_rate": 0.99}', '{"safety_pass_rate": 1.0}')
    assert code == 1
    assert "safety_pass_rate allows no failing case and is 0.99" in err


def test_half_of_the_results_without_an_id_is_not_judged_even_at_first(tmp_path: Path) -> None:
    golden = [{"question_id": f"q{n}", "relevant_doc_ids": ["a"]} for n in range(10)]
    run = [{"question_id": f"q{n}", "retrieved": ["a"] if n % 2 else [{"text": "x"}]} for n in range(10)]
    for name, rows in (("golden.jsonl", golden), ("run.jsonl", run)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "rag-gate.yml").write_text("dataset: golden.jsonl\nrun: run.jsonl\n", encoding="utf-8")
    ended = rag_gate("run", cwd=tmp_path)
    assert ended.code == 3
    assert "result without id: 5" in ended.err
