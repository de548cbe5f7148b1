"""No pass for files that were cut, joined by hand or edited, and none for settings that cannot fail."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Ended, rag_gate
from material import lines

GOLD = [{"id": f"q{number}", "expected": "5 yen", "relevant": ["a"]} for number in range(10)]
RUN = [{"id": f"q{number}", "retrieved": ["a"], "answer": "It is 5 yen."} for number in range(10)]
Edit = Callable[[Any], object]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("measured")
    lines(folder / "golden.jsonl", GOLD)
    lines(folder / "run.jsonl", RUN)
    (folder / "rag-gate.yml").write_text(
        "dataset: golden.jsonl\nrun: run.jsonl\noutput: .\nbaseline: baseline.json\n", encoding="utf-8"
    )
    assert rag_gate("run", cwd=folder).code == 0
    assert rag_gate("promote", "results.json", "--config", "rag-gate.yml", cwd=folder).code == 0
    return folder


def checked(folder: Path, results: Path, baseline: Path) -> Ended:
    return rag_gate("check", results, "--baseline", baseline, "--output", folder / "verdict.json")


def edited(source: Path, folder: Path, edit: Edit) -> Path:
    document = json.loads(source.read_text(encoding="utf-8"))
    edit(document)
    path = folder / source.name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def without_scores(document: Any) -> None:
    for case in document["cases"]:
        case["scores"] = dict.fromkeys(case["scores"])


EDITS: list[tuple[Edit, str]] = [
    (lambda document: document["cases"].clear(), "holds 0 of 10 cases"),
    (lambda document: document["cases"].pop(), "holds 9 of 10 cases"),
    (lambda document: document["cases"].__setitem__(1, document["cases"][0]), "'q0' stands twice"),
    (without_scores, "has a mean and no case with a score"),
    (
        lambda document: document["cases"][0]["scores"].update({"recall@5": 5}),
        "recall@5 is a share from 0 to 1",
    ),
    (lambda document: document["cases"][0]["scores"].update({"mrr": -1e308}), "mrr is a share from 0 to 1"),
]


@pytest.mark.parametrize("name", ["results.json", "baseline.json"])
@pytest.mark.parametrize(("edit", "line"), EDITS)
def test_an_edited_file_is_not_judged(
    measured: Path, tmp_path: Path, name: str, edit: Edit, line: str
) -> None:
    changed = edited(measured / name, tmp_path, edit)
    files = {"results.json": measured / "results.json", "baseline.json": measured / "baseline.json"}
    files[name] = changed
    ended = checked(tmp_path, files["results.json"], files["baseline.json"])
    assert ended.code == 2
    assert f"{changed}: " in ended.err
    assert line in ended.err
    assert "Traceback" not in ended.err
    assert not (tmp_path / "verdict.json").exists()


@pytest.mark.parametrize(
    "edit",
    [
        lambda document: document["scores"].update({"recall@5": 0.5}),
        lambda document: document["metrics"]["recall@5"].update({"mean": 0.5}),
        lambda document: (document["scores"].clear(), document["metrics"].clear()),
    ],
)
def test_results_at_odds_with_themselves_are_not_judged(measured: Path, tmp_path: Path, edit: Edit) -> None:
    ended = checked(tmp_path, edited(measured / "results.json", tmp_path, edit), measured / "baseline.json")
    assert ended.code == 2
    assert "write it again with rag-gate merge" in ended.err


def test_unchanged_files_pass(measured: Path, tmp_path: Path) -> None:
    assert checked(tmp_path, measured / "results.json", measured / "baseline.json").code == 0


@pytest.mark.parametrize(("now", "then"), [(88, 0.88), (0.88, 88), (1.5, 1), (-0.1, 0.5)])
def test_a_share_in_per_cent_is_refused_and_no_verdict(tmp_path: Path, now: float, then: float) -> None:
    (tmp_path / "now.json").write_text(json.dumps({"recall@5": now}), encoding="utf-8")
    (tmp_path / "then.json").write_text(json.dumps({"recall@5": then}), encoding="utf-8")
    ended = checked(tmp_path, tmp_path / "now.json", tmp_path / "then.json")
    assert ended.code == 2
    assert "recall@5: must be a share from 0 to 1 (0.88 for 88 %)" in ended.err


def test_a_metric_of_your_own_may_have_any_size(tmp_path: Path) -> None:
    for name in ("now", "then"):
        (tmp_path / f"{name}.json").write_text('{"tokens": 1e300}', encoding="utf-8")
    (tmp_path / "own.yml").write_text(
        "tolerances: {tokens: {tolerance: 9, direction: lower}}\n", encoding="utf-8"
    )
    files = (tmp_path / "now.json", "--baseline", tmp_path / "then.json", "--config", tmp_path / "own.yml")
    assert rag_gate("check", *files).code == 0
    ended = rag_gate(
        "report", tmp_path / "now.json", tmp_path / "verdict.json", "--output", tmp_path / "c.md"
    )
    assert ended.code == 0, ended.err


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("{tolerance: 0.03, floor: 80}", "recall@5.floor: must be a share from 0 to 1"),
        ("{tolerance: 0.03, direction: lower}", "recall@5.direction: of this metric higher is better"),
    ],
)
def test_a_rule_that_could_never_fail_or_never_pass_is_refused(
    measured: Path, tmp_path: Path, entry: str, line: str
) -> None:
    (tmp_path / "t.yml").write_text(f"recall@5: {entry}\n", encoding="utf-8")
    ended = rag_gate(
        "check",
        measured / "results.json",
        "--baseline",
        measured / "baseline.json",
        "--tolerances",
        tmp_path / "t.yml",
        "--output",
        tmp_path / "verdict.json",
    )
    assert ended.code == 2
    assert line in ended.err
