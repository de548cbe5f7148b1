"""What a gate meets in practice, on real Japanese data, in the default configuration.

50 answerable cases of LIT-RAGBench (the 10 with the worst recall are kept back as "harder cases"); 45 answers
are right, 5 are wrong. Each situation must come out right: no cry on noise, no pass when the measurement broke.
"""

import copy
import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Ended, rag_gate

REAL = Path(__file__).resolve().parents[1] / "data" / "real" / "litragbench-ja"
WRONG = "その情報は別の部署が管理しています。"
Row = dict[str, Any]


def jsonl(text: str) -> list[Row]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def recall(case: Row, run: Row) -> float:
    first = {result["id"] for result in run["retrieved"][:5]}
    return len(first & set(case["relevant"])) / len(set(case["relevant"]))


def material() -> tuple[list[Row], list[Row], dict[str, Row]]:
    """Return the 50 base cases, the 10 harder ones, and a recorded run of all 60."""
    gold = [case for case in jsonl((REAL / "gold.jsonl").read_text(encoding="utf-8")) if case["answerable"]]
    run = {
        row["id"]: row for row in jsonl(gzip.decompress((REAL / "run_bm25.jsonl.gz").read_bytes()).decode())
    }
    ordered = sorted(gold, key=lambda case: (-recall(case, run[case["id"]]), case["id"]))
    base, harder = sorted(ordered[:50], key=lambda case: case["id"]), ordered[50:]
    rows = {}
    for number, case in enumerate([*base, *harder]):
        wrong = number < 50 and number % 10 == 9
        rows[case["id"]] = {**run[case["id"]], "answer": WRONG if wrong else case["expected_answer"]}
    return base, harder, rows


class Gate:
    """A user's folder: golden set, run, settings and a baseline promoted from a clean run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base, self.harder, self.rows = material()
        settings = "dataset: golden.jsonl\nrun: run.jsonl\nbaseline: baseline.json\n"
        (folder / "rag-gate.yml").write_text(settings, encoding="utf-8")
        self.write(self.base, list(self.rows.values()))
        first = rag_gate("run", cwd=folder)
        assert first.code == 0, first.err
        assert "there is no baseline" in first.err
        promoted = rag_gate("promote", "eval_results/results.json", "--config", "rag-gate.yml", cwd=folder)
        assert promoted.code == 0, promoted.err

    def write(self, golden: list[Row], run: list[Row]) -> None:
        for name, rows in (("golden.jsonl", golden), ("run.jsonl", run)):
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (self.folder / name).write_text(text, encoding="utf-8")

    def run(self) -> tuple[Ended, Row]:
        ended = rag_gate("run", cwd=self.folder)
        verdict: Row = json.loads((self.folder / "eval_results/verdict.json").read_text(encoding="utf-8"))
        return ended, verdict

    def changed(self, ids: list[str], change: Callable[[Row, Row], Row]) -> list[Row]:
        cases = {case["id"]: case for case in self.base}
        return [change(row, cases[key]) if key in ids else row for key, row in self.rows.items()]


@pytest.fixture(scope="module")
def promoted(tmp_path_factory: pytest.TempPathFactory) -> Gate:
    return Gate(tmp_path_factory.mktemp("promoted"))


@pytest.fixture
def gate(promoted: Gate, tmp_path: Path) -> Gate:
    own = copy.copy(promoted)
    own.folder = tmp_path / "user"
    shutil.copytree(promoted.folder, own.folder)
    return own


def without_gold(row: Row, case: Row) -> Row:
    return {**row, "retrieved": [r for r in row["retrieved"] if r["id"] not in case["relevant"]]}


def failed(row: Row, case: Row) -> Row:
    del case
    return {"id": row["id"], "error": "TimeoutError: the bot did not answer"}


def test_an_identical_run_passes(gate: Gate) -> None:
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"]) == (0, "pass")


def test_five_of_fifty_cases_losing_their_documents_is_a_retrieval_regression(gate: Gate) -> None:
    lost = [case["id"] for case in gate.base if recall(case, gate.rows[case["id"]]) == 1.0][::7][:5]
    gate.write(gate.base, gate.changed(lost, without_gold))
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"], verdict["stage"]) == (1, "regressed", "retrieval")
    assert verdict["regressions"][0]["metric"] == "recall@5"
    assert sorted(row["question_id"] for row in verdict["worsened"]["recall@5"]) == sorted(lost)


def test_noise_in_both_directions_passes(gate: Gate) -> None:
    right = [case["id"] for case in gate.base if gate.rows[case["id"]]["answer"] != WRONG]
    wrong = [case["id"] for case in gate.base if gate.rows[case["id"]]["answer"] == WRONG]
    flipped = right[:2] + wrong[:2]

    def flip(row: Row, case: Row) -> Row:
        return {**row, "answer": WRONG if row["answer"] != WRONG else case["expected_answer"]}

    gate.write(gate.base, gate.changed(flipped, flip))
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"]) == (0, "pass")
    assert len(verdict["cases"]["fixed"]) + len(verdict["cases"]["newly_failing"]) >= 1


@pytest.mark.parametrize("down", [50, 30], ids=["all judgments fail", "60 percent of the judgments fail"])
def test_a_judge_that_is_down_is_named_and_never_a_pass(gate: Gate, down: int) -> None:
    assert gate.run()[0].code == 0
    path = gate.folder / "eval_results/judge.json"
    partial = json.loads(path.read_text(encoding="utf-8"))
    for case in partial["cases"][:down]:
        case["scores"] = dict.fromkeys(case["scores"])
        case["reasons"] = dict.fromkeys(case["scores"], "judge_error")
    path.write_text(json.dumps(partial, ensure_ascii=False), encoding="utf-8")
    files = [f"eval_results/{stage}.json" for stage in ("retrieval", "judge", "safety")]
    assert rag_gate("merge", *files, "--output", "results.json", cwd=gate.folder).code == 0
    ended = rag_gate("check", "results.json", "--config", "rag-gate.yml", cwd=gate.folder)
    assert ended.code == 3
    assert "correctness" in ended.err
    assert f"{down} cases" in ended.err


def test_ten_harder_cases_are_no_regression(gate: Gate) -> None:
    gate.write([*gate.base, *gate.harder], list(gate.rows.values()))
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"]) == (0, "pass")
    assert verdict["cases"]["added"] == sorted(case["id"] for case in gate.harder)
    assert verdict["metrics"]["recall@5"]["n_pairs"] == 50


@pytest.mark.parametrize("easy", [False, True], ids=["the first half", "the easy half"])
def test_half_of_the_golden_set_missing_is_not_judged(gate: Gate, *, easy: bool) -> None:
    ranked = sorted(gate.base, key=lambda case: -recall(case, gate.rows[case["id"]]))
    gate.write((ranked if easy else gate.base)[:25], list(gate.rows.values()))
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"]) == (3, "error")
    assert "25 of the baseline's 50 cases" in ended.err


@pytest.mark.parametrize("how", ["failed", "missing"])
def test_half_of_the_run_missing_is_not_judged(gate: Gate, how: str) -> None:
    half = [case["id"] for case in gate.base][:25]
    rows = (
        gate.changed(half, failed) if how == "failed" else [r for k, r in gate.rows.items() if k not in half]
    )
    gate.write(gate.base, rows)
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"]) == (3, "error")
    assert "25 cases (50 %)" in ended.err


def test_a_pipeline_that_retrieves_nothing_is_a_regression(gate: Gate) -> None:
    gate.write(gate.base, [{"id": key, "retrieved": [], "answer": ""} for key in gate.rows])
    ended, verdict = gate.run()
    assert (ended.code, verdict["overall"], verdict["stage"]) == (1, "regressed", "retrieval")
    assert "50 cases retrieved nothing" in ended.err


def test_two_of_fifty_errored_is_never_silent(gate: Gate) -> None:
    errored = [case["id"] for case in gate.base if recall(case, gate.rows[case["id"]]) == 1.0][:2]
    gate.write(gate.base, gate.changed(errored, failed))
    ended, verdict = gate.run()
    assert verdict["overall"] == "inconclusive"
    assert "missing_could_flip" in verdict["metrics"]["recall@5"]["reasons"]
    assert [row["question_id"] for row in verdict["cases"]["unscored"]] == sorted(errored)
    assert "2 cases were not executed" in ended.err
    assert rag_gate("run", "--strict", cwd=gate.folder).code == 4


def test_two_cases_with_the_same_question_stay_two_cases(gate: Gate) -> None:
    questions = [case["question"] for case in gate.base]
    assert len(set(questions)) < len(questions), "the data holds equal questions"
    _, verdict = gate.run()
    assert verdict["metrics"]["recall@5"]["n_pairs"] == 50
    twins = [case for case in gate.base if questions.count(case["question"]) > 1][:2]
    gate.write(gate.base, gate.changed([twins[0]["id"]], failed))
    _, verdict = gate.run()
    assert [row["question_id"] for row in verdict["cases"]["unscored"]] == [twins[0]["id"]]
