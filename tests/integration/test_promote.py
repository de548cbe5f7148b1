"""Promotion: what becomes the baseline, what is refused, and that nothing is lost."""

import json
import shutil
from pathlib import Path

import pytest
from cli_runner import Ended, rag_gate
from promoter import SETTINGS, Row


class User:
    """A user's folder with ten cases, of which the first ``lost`` retrieve nothing of use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings(SETTINGS)

    def settings(self, text: str) -> None:
        (self.folder / "rag-gate.yml").write_text(text, encoding="utf-8")

    def measure(self, cases: int = 30, lost: int = 0, answer: str = "3 days", tier: str = "core") -> Ended:
        golden, run = [], []
        for number in range(cases):
            key = f"q{number:02d}"
            case: Row = {
                "question_id": key,
                "question": f"Question {number}?",
                "relevant_doc_ids": [f"d{number}"],
            }
            case |= {"expected_answer": "3 days", "negative_assertions": ["instant refund"]}
            case |= {"tier": "core" if number < 20 else "extended"}
            golden.append(case)
            found = f"d{number}" if number >= lost else "other"
            run.append({"question_id": key, "retrieved": [found], "answer": answer})
        for name, rows in (("golden.jsonl", golden), ("run.jsonl", run)):
            (self.folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return rag_gate("run", "--tier", tier, cwd=self.folder)

    def promote(self, *options: str) -> Ended:
        return rag_gate(
            "promote", "eval_results/results.json", "--config", "rag-gate.yml", *options, cwd=self.folder
        )

    @property
    def baseline(self) -> Row:
        document: Row = json.loads((self.folder / "baseline.json").read_text(encoding="utf-8"))
        return document


@pytest.fixture(scope="module")
def promoted(tmp_path_factory: pytest.TempPathFactory) -> User:
    found = User(tmp_path_factory.mktemp("promoted"))
    assert found.measure(tier="extended").code == 0
    assert found.promote("--reason", "first").code == 0
    return found


@pytest.fixture
def user(promoted: User, tmp_path: Path) -> User:
    shutil.copytree(promoted.folder, tmp_path, dirs_exist_ok=True)
    return User(tmp_path)


def test_a_baseline_says_who_when_why_and_what_changed(user: User) -> None:
    provenance = user.baseline["provenance"]
    assert provenance["reason"] == "first"
    assert provenance["verdict"] == "pass"
    assert provenance["promoted_at"].endswith("+00:00")
    assert provenance["changes"]["recall@5"] == [None, 1.0]
    assert [case["question_id"] for case in user.baseline["cases"]][:2] == ["q00", "q01"]
    assert user.baseline["dataset"]["tier"] == "extended"


def test_a_first_promotion_does_not_list_every_metric_as_new(tmp_path: Path) -> None:
    user = User(tmp_path)
    assert user.measure().code == 0
    promoted = user.promote("--reason", "first")
    kept = f"baseline.run.{user.baseline['kept_run'][:12]}.jsonl"
    assert promoted.code == 0
    assert promoted.err.splitlines() == [
        f"rag-gate: wrote {kept}",
        "rag-gate: wrote baseline.json (20 cases)",
    ]


def test_a_baseline_that_is_not_there_is_named(tmp_path: Path) -> None:
    measured = User(tmp_path).measure()
    assert measured.code == 0
    assert (
        "baseline.json: no such file, so nothing is compared; promote once, or check the path" in measured.err
    )


@pytest.mark.parametrize(
    ("key", "other", "notice"),
    [
        ('"retrieved"', '"retreived"', "the run records no results under 'retrieved'"),
        ('"answer"', '"anwser"', "the run records no 'answer'"),
        ('["d', '["d.', "no gold id is among the results of any case"),
    ],
)
def test_a_first_run_says_what_it_could_not_see(tmp_path: Path, key: str, other: str, notice: str) -> None:
    user = User(tmp_path)
    user.settings("dataset: golden.jsonl\nrun: run.jsonl\n")
    assert user.measure().code == 0
    run = user.folder / "run.jsonl"
    run.write_text(run.read_text(encoding="utf-8").replace(key, other), encoding="utf-8")
    ended = rag_gate("run", cwd=user.folder)
    assert notice in ended.err
    comment = (user.folder / "eval_results/comment.md").read_text(encoding="utf-8")
    assert notice.partition(" any ")[0] in comment


def test_a_flat_table_is_not_blamed_on_the_golden_set(user: User) -> None:
    flat = user.folder / "flat.json"
    flat.write_text('{"recall@5": 0.8}', encoding="utf-8")
    ended = rag_gate("check", flat, "--baseline", user.folder / "baseline.json")
    assert ended.code == 3
    assert "recall@5: the results are means without cases, the baseline has cases" in ended.err


def test_files_in_the_wrong_order_are_told_in_one_line(user: User) -> None:
    results, verdict = user.folder / "eval_results/results.json", user.folder / "eval_results/verdict.json"
    ended = rag_gate("report", verdict, results, "--output", user.folder / "c.md")
    line = f"{results}: is a file of kind 'results', and a verdict file is needed here; give one of rag-gate check"
    assert (ended.code, ended.err) == (2, f"rag-gate: {line}\n")


def test_a_regression_needs_its_flag_and_a_reason_and_then_becomes_the_baseline(user: User) -> None:
    before = user.baseline
    assert user.measure(lost=12, tier="extended").code == 1
    refused = user.promote()
    assert (refused.code, user.baseline) == (2, before)
    assert "[gate_regressed]" in refused.err
    assert "--reason" in refused.err
    flags = ("--accept-regression", "--new-anchor", "--reason")
    assert user.promote(*flags, "  ").code == 2
    assert user.promote("--reason", "a reason alone says nothing about a regression").code == 2
    accepted = user.promote(*flags, "new index, known loss")
    assert accepted.code == 0, accepted.err
    assert "recall@5: 1.0000 -> 0.6000" in accepted.err
    assert user.baseline["provenance"]["verdict"] == "regressed"


def test_a_failing_safety_case_is_never_promoted(user: User) -> None:
    before = user.baseline
    assert user.measure(answer="An instant refund in 3 days.", tier="extended").code == 1
    refused = user.promote("--reason", "we accept this")
    assert (refused.code, user.baseline) == (2, before)
    assert "[zero_tolerance_failing]" in refused.err


def test_a_core_run_never_replaces_an_extended_baseline(user: User) -> None:
    assert user.measure(tier="core").code == 0
    refused = user.promote("--reason", "quick")
    assert refused.code == 2
    assert "[tier_mismatch]" in refused.err


def test_a_metric_of_the_baseline_may_not_be_dropped(user: User) -> None:
    user.settings(SETTINGS + "safety: {engine: none}\n")
    assert user.measure(tier="extended").code == 3
    refused = user.promote("--reason", "no safety")
    assert refused.code == 3
    assert "safety_pass_rate" in refused.err


def test_an_incomplete_run_is_never_promoted(user: User) -> None:
    before = user.baseline
    user.measure(tier="extended")
    rows = (user.folder / "run.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (user.folder / "run.jsonl").write_text("".join(rows[:20]), encoding="utf-8")
    assert rag_gate("run", "--tier", "extended", cwd=user.folder).code == 3
    refused = user.promote("--reason", "it is late")
    assert (refused.code, user.baseline) == (3, before)
    assert "10 cases" in refused.err


def test_a_new_golden_set_replaces_the_old_one_for_a_reason(user: User) -> None:
    text = (
        (user.folder / "golden.jsonl").read_text(encoding="utf-8").replace("Question", "Asked anew: question")
    )
    (user.folder / "golden.jsonl").write_text(text, encoding="utf-8")
    assert rag_gate("run", "--tier", "extended", cwd=user.folder).code == 3
    assert user.promote().code == 3
    assert user.promote("--reason", "questions rewritten").code == 0
    assert rag_gate("run", "--tier", "extended", cwd=user.folder).code == 0


def test_promotion_without_a_baseline_file_or_with_flat_results_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "flat.json").write_text('{"recall@5": 0.9}', encoding="utf-8")
    nowhere = rag_gate("promote", "flat.json", cwd=tmp_path)
    assert nowhere.code == 2
    assert "--baseline" in nowhere.err
    flat = rag_gate("promote", "flat.json", "--baseline", "baseline.json", cwd=tmp_path)
    assert flat.code == 2
    assert "flat table" in flat.err
    assert not (tmp_path / "baseline.json").exists()
