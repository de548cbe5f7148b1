"""The five scripts, called by their path from another folder, without the package installed."""

import json
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from cli_runner import ROOT, Ended, rag_gate, start
from material import SEED_ROWS, Row, lines

#: Dependencies are on the path and the package is not: without ``site`` no .pth file is read.
BARE = {"PYTHONPATH": sysconfig.get_path("purelib"), "PYTHONDONTWRITEBYTECODE": "1"}
CASES = 40


def script(name: str, *args: str | Path, cwd: Path) -> Ended:
    return start(sys.executable, "-S", ROOT / "eval" / name, *args, cwd=cwd, env=BARE)


def evaluate(folder: Path, dataset: str) -> Ended:
    """Run the documented command lines as they stand, up to the merged results."""
    steps = [
        (
            "retrieval_eval.py",
            "--dataset",
            dataset,
            "--k-values",
            "3,5,10",
            "--output",
            "eval_results_retrieval.json",
        ),
        (
            "llm_judge_eval.py",
            "--dataset",
            dataset,
            "--judge-model",
            "lexical-v1",
            "--output",
            "eval_results_judge.json",
        ),
        ("safety_eval.py", "--dataset", dataset, "--output", "eval_results_safety.json"),
        (
            "merge_results.py",
            "eval_results_retrieval.json",
            "eval_results_judge.json",
            "eval_results_safety.json",
            "--output",
            "eval_results.json",
        ),
    ]
    ended = Ended(0, "", "")
    for step in steps:
        ended = script(*step, cwd=folder)
        if ended.code:
            return ended
    return ended


def check(folder: Path, *options: str | Path) -> Ended:
    return script("regression_check.py", "eval_results.json", *options, cwd=folder)


def rows(n_lost: int = 0, **changes: Any) -> list[Row]:
    """Return golden rows with their results, of which the first so many lost their document."""
    return [
        {
            "id": f"q{number:02}",
            "question": f"規程{number}の期限はいつですか",
            "expected": f"{number + 1}日です。",
            "gold_ids": [f"doc-{number}"],
            "retrieved": ["other" if number < n_lost else f"doc-{number}"],
            "actual": f"{number + 1}日です。",
            **changes,
        }
        for number in range(CASES)
    ]


class Evaluated:
    """Folders with the results of a run in which so many cases lost their document, made once each."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        self._folders: dict[int, Path] = {}

    def lost(self, number: int) -> Path:
        if number not in self._folders:
            folder = self._factory.mktemp(f"lost{number}")
            ended = evaluate(folder, lines(folder / "golden.jsonl", rows(number)))
            assert ended.code == 0, ended.err
            self._folders[number] = folder
        return self._folders[number]


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Evaluated:
    return Evaluated(tmp_path_factory)


@pytest.fixture(scope="module")
def baseline(evaluated: Evaluated) -> Path:
    """A baseline with every case's scores, promoted from a clean run."""
    path = evaluated.lost(0) / "baseline.json"
    promoted = rag_gate("promote", "eval_results.json", "--baseline", path, cwd=path.parent)
    assert promoted.code == 0, promoted.err
    return path


def test_the_package_is_not_installed_where_the_scripts_run(tmp_path: Path) -> None:
    ended = start(sys.executable, "-S", "-c", "import click, rag_gate.cli", cwd=tmp_path, env=BARE)
    assert "No module named 'rag_gate" in ended.err


def test_the_documented_command_lines_work_on_the_short_form(tmp_path: Path) -> None:
    ended = evaluate(tmp_path, lines(tmp_path / "golden.jsonl", SEED_ROWS))
    assert ended.code == 0, ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "eval_results.json",
        "eval_results_judge.json",
        "eval_results_retrieval.json",
        "eval_results_safety.json",
        "golden.jsonl",
    ]
    results = json.loads((tmp_path / "eval_results.json").read_text(encoding="utf-8"))
    assert list(results["stages"]) == ["judge", "retrieval", "safety"]
    assert results["scores"]["answer_match"] == 2 / 3
    ended = check(tmp_path)
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["passed"] is True


def test_exit_code_0_where_nothing_changed(evaluated: Evaluated, baseline: Path) -> None:
    ended = check(evaluated.lost(0), "--baseline", baseline, "--strict")
    assert ended.code == 0, ended.err
    summary = json.loads(ended.out)
    assert (summary["passed"], summary["regressions"]) == (True, [])


def test_exit_code_1_for_a_regression_that_names_metric_and_numbers(
    evaluated: Evaluated, baseline: Path
) -> None:
    ended = check(evaluated.lost(12), "--baseline", baseline)
    assert ended.code == 1, ended.err
    summary = json.loads(ended.out)
    found = {row["metric"]: row for row in summary["regressions"]}["recall@5"]
    assert (found["baseline"], found["current"], found["tolerance"]) == (1.0, 0.7, 0.03)
    assert found["delta"] == pytest.approx(-0.3)
    assert summary["passed"] is False


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 4)])
def test_exit_code_4_only_under_strict_for_a_drop_that_may_be_noise(
    evaluated: Evaluated, baseline: Path, options: tuple[str, ...], code: int
) -> None:
    folder = evaluated.lost(2)
    ended = check(folder, "--baseline", baseline, *options)
    assert ended.code == code, ended.err
    verdict = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["overall"] == "inconclusive"


def test_exit_code_2_for_a_golden_set_that_cannot_be_used(tmp_path: Path) -> None:
    ended = evaluate(tmp_path, lines(tmp_path / "golden.jsonl", [{"question": "?"}]))
    assert ended.code == 2
    assert "golden.jsonl:1" in ended.err
    assert check(tmp_path).code == 2


def test_exit_code_3_where_cases_were_not_executed(tmp_path: Path, baseline: Path) -> None:
    broken = [*rows()[:-6], *({**row, "error": "HTTP 503"} for row in rows()[-6:])]
    assert evaluate(tmp_path, lines(tmp_path / "golden.jsonl", broken)).code == 0
    ended = check(tmp_path, "--baseline", baseline)
    assert ended.code == 3, ended.err
    assert json.loads(ended.out)["passed"] is False


def test_exit_code_3_where_a_stage_is_missing(tmp_path: Path) -> None:
    dataset = lines(tmp_path / "golden.jsonl", SEED_ROWS)
    assert script("retrieval_eval.py", "--dataset", dataset, cwd=tmp_path).code == 0
    ended = script("merge_results.py", "eval_results_retrieval.json", cwd=tmp_path)
    assert ended.code == 3
    assert "stage judge and safety are missing" in ended.err


@pytest.mark.parametrize(
    ("current", "code"), [({"recall@5": 0.88, "mrr": 0.75}, 0), ({"recall@5": 0.80, "mrr": 0.75}, 1)]
)
def test_flat_tables_of_scores_are_results_and_baseline(tmp_path: Path, current: Row, code: int) -> None:
    (tmp_path / "eval_results.json").write_text(json.dumps(current), encoding="utf-8")
    (tmp_path / "base.json").write_text('{"recall@5": 0.88, "mrr": 0.75}', encoding="utf-8")
    ended = check(tmp_path, "--baseline", "base.json")
    assert ended.code == code, ended.err
    assert len(json.loads(ended.out)["regressions"]) == code


def test_results_that_cannot_be_used_are_refused_with_file_and_key(tmp_path: Path) -> None:
    (tmp_path / "eval_results.json").write_text('{"recall@5": 1e999}', encoding="utf-8")
    ended = check(tmp_path)
    assert (ended.code, "Traceback" in ended.err) == (2, False)
    assert "eval_results.json: recall@5: must be a finite number" in ended.err


@pytest.mark.parametrize(
    "name",
    ["retrieval_eval.py", "llm_judge_eval.py", "safety_eval.py", "merge_results.py", "regression_check.py"],
)
def test_each_script_helps(tmp_path: Path, name: str) -> None:
    ended = script(name, "--help", cwd=tmp_path)
    assert ended.code == 0
    assert f"Usage: {name}" in ended.out


@pytest.mark.parametrize("path", sorted((ROOT / "eval").glob("*.py")), ids=lambda path: path.stem)
def test_a_script_without_its_dependencies_says_what_to_install_and_ends_with_2(path: Path) -> None:
    ended = start(sys.executable, "-S", path, env={"PYTHONDONTWRITEBYTECODE": "1"})
    assert ended.code == 2
    assert "is not installed" in ended.err
    assert "pip install -r requirements/core.txt" in ended.err
