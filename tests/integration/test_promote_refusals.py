"""Everything that forbids a promotion: its code, its exit code, and that nothing is written."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from promoter import SETTINGS, Promoter


@pytest.fixture
def user(tmp_path: Path) -> Promoter:
    return Promoter(tmp_path).first()


def files(user: Promoter) -> dict[Path, bytes]:
    found = (path for path in user.folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path: path.read_bytes() for path in found}


def refused(user: Promoter, code: str, *options: str) -> str:
    """Promote, and find that it is refused for one reason and changes no file."""
    before = files(user)
    ended = user.promote(*options)
    assert (ended.code, ended.err.count("promote: "), f"[{code}]" in ended.err) == (2, 1, True), ended.err
    assert files(user) == before
    return ended.err


def not_executed(user: Promoter) -> None:
    user.record()
    rows = (user.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()
    rows[:20] = [
        json.dumps({"question_id": json.loads(row)["question_id"], "error": "timeout"}) for row in rows[:20]
    ]
    user.write("run.jsonl", "\n".join(rows))
    user.run()


def without_a_metric(user: Promoter) -> None:
    user.write(
        "rag-gate.yml", SETTINGS.replace("recall@5: 0.03", "mrr: 0.03") + "retrieval: {k_values: [3]}\n"
    )
    user.measure()


def below_the_floor(user: Promoter) -> None:
    user.write("rag-gate.yml", SETTINGS.replace("recall@5: 0.03", "recall@5: {tolerance: 0.9, floor: 0.995}"))
    user.measure(lost=1)


def judged_otherwise(user: Promoter) -> None:
    user.measure()
    user.write("rag-gate.yml", SETTINGS.replace("judge: {engine: none}", "judge: {engine: lexical}"))


CASES: list[tuple[str, Callable[[Promoter], object], str]] = [
    ("zero_tolerance_failing", lambda user: user.measure(answer="An instant refund."), "q000"),
    ("below_floor", below_the_floor, "recall@5; a baseline cannot lower a floor"),
    ("metric_dropped", without_a_metric, "the baseline has complete@10"),
    ("tier_mismatch", lambda user: user.measure(tier="core"), "run --tier extended"),
    ("judge_fingerprint_mismatch", judged_otherwise, "the run was not judged"),
]


@pytest.mark.parametrize(("code", "make", "said"), CASES, ids=[case[0] for case in CASES])
def test_a_refusal_that_no_flag_clears(
    user: Promoter, code: str, make: Callable[[Promoter], object], said: str
) -> None:
    make(user)
    flags = ("--new-anchor", "--accept-regression", "--yes", "--reason", "no flag helps")
    assert said in refused(user, code, *flags)


def test_a_metric_that_applies_to_no_answer_of_the_run_is_not_dropped(user: Promoter) -> None:
    user.measure(answer="3 days [source: d1]")
    assert user.promote("--reason", "it cites now").code == 0
    assert user.baseline["metrics"]["citation_precision"] is not None
    user.measure(answer="3 days")  # without a citation there is none to be right or wrong
    promoted = user.promote("--reason", "it cites no more")
    assert promoted.code == 0, promoted.err
    assert user.baseline["metrics"].get("citation_precision") is None


def test_a_metric_that_might_apply_to_a_missing_case_is_dropped(user: Promoter) -> None:
    user.write("rag-gate.yml", SETTINGS.replace(", safety_pass_rate: 0.0", ""))
    user.measure(answer="3 days [source: d1]")
    assert user.promote("--reason", "it cites now").code == 0
    user.record(answer="3 days")
    rows = (user.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()
    user.write("run.jsonl", "\n".join(rows[1:]))
    user.run()
    assert "the baseline has citation_precision" in refused(
        user, "metric_dropped", "--reason", "it cites no more"
    )


def test_a_run_that_could_not_be_judged_ends_with_its_own_code(user: Promoter) -> None:
    not_executed(user)
    ended = user.promote("--reason", "it is late")
    assert ended.code == 3
    assert "[gate_error]" in ended.err
    assert "[incomplete]" in ended.err


def test_a_regression_is_accepted_by_its_flag_with_a_reason_only(user: Promoter) -> None:
    user.write("rag-gate.yml", SETTINGS.replace("recall@5: 0.03", "recall@5: 0.02"))
    anchor = user.baseline["anchor"]
    anchor["cases"][:20] = [case | {"scores": {"recall@5": 0.0}} for case in anchor["cases"][:20]]
    user.write("baseline.json", json.dumps(user.baseline | {"anchor": anchor}))
    assert user.measure(lost=20).code == 1
    for options in (
        (),
        ("--reason", "without the flag"),
        ("--accept-regression",),
        ("--new-anchor", "--reason", "x"),
    ):
        assert "--accept-regression --reason" in refused(user, "gate_regressed", *options)
    accepted = user.promote("--accept-regression", "--reason", "cheaper index")
    assert accepted.code == 0, accepted.err
    assert "recall@5: 1.0000 -> 0.8000" in accepted.err
    assert "newly failing (20): q000, q001" in accepted.err


def test_all_refusals_are_named_at_once(user: Promoter) -> None:
    user.measure(lost=30, tier="core", answer="An instant refund.")
    said = user.promote().err
    assert [
        f"[{code}]" in said for code in ("gate_regressed", "tier_mismatch", "zero_tolerance_failing")
    ] == [True] * 3


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Promoter:
    """A user whose settings, golden set and run are committed on main; results are not."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    user = Promoter(tmp_path)
    user.git("init", "--quiet", "--initial-branch", "main")
    user.measure()
    user.git("add", "golden.jsonl", "run.jsonl", "rag-gate.yml")
    user.git("commit", "--quiet", "-m", "first")
    return user


def test_git_says_where_a_baseline_comes_from(repository: Promoter) -> None:
    repository.git("config", "user.name", "Kim")
    assert repository.promote("--reason", "first").code == 0
    provenance = repository.baseline["provenance"]
    head = repository.git("rev-parse", "HEAD")
    known = ("commit", "on_default_branch", "dirty", "promoted_by")
    assert [provenance[key] for key in known] == [head, True, False, "Kim"]
    assert repository.baseline["anchor"]["commit"] == head


def test_without_git_it_is_not_known_and_not_refused(user: Promoter) -> None:
    provenance = user.baseline["provenance"]
    assert [provenance[key] for key in ("commit", "on_default_branch", "dirty")] == [None, None, None]


def test_a_git_that_is_not_installed_is_not_needed(
    repository: Promoter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(repository.folder))
    assert repository.promote("--reason", "first").code == 0
    assert repository.baseline["provenance"]["dirty"] is None


def test_a_run_of_another_branch_is_refused(repository: Promoter) -> None:
    repository.git("switch", "--quiet", "--create", "feature")
    assert repository.promote("--reason", "a new branch has main's commit still").code == 0
    repository.git("commit", "--quiet", "--allow-empty", "-m", "change")
    said = refused(repository, "not_on_default_branch", "--reason", "not merged")
    assert repository.git("rev-parse", "HEAD")[:12] in said
    assert "is not on the default branch (main)" in said
    repository.git("switch", "--quiet", "main")
    assert repository.promote("--reason", "on main again").code == 0


def test_the_commit_of_the_manifest_counts_where_git_knows_it(repository: Promoter) -> None:
    repository.git("switch", "--quiet", "--create", "feature")
    repository.git("commit", "--quiet", "--allow-empty", "-m", "change")
    commit = repository.git("rev-parse", "HEAD")
    repository.git("switch", "--quiet", "main")
    repository.measure(manifest={"commit": commit})
    repository.git("commit", "--quiet", "--all", "-m", "run")
    assert commit[:12] in refused(repository, "not_on_default_branch")
    for unknown in ("0" * 40, "--help", "main; true", "v1.4"):
        repository.measure(manifest={"commit": unknown})
        repository.git("commit", "--quiet", "--all", "-m", "run")
        assert repository.promote("--reason", "measured elsewhere").code == 0
        assert repository.baseline["provenance"]["commit"] == unknown


@pytest.mark.parametrize("branch", ["trunk", "master"])
def test_the_default_branch_is_the_remotes_or_the_usual_one(repository: Promoter, branch: str) -> None:
    repository.git("branch", "--move", "main", branch)
    if branch == "trunk":
        repository.git("update-ref", "refs/remotes/origin/trunk", "HEAD")
        repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.git("commit", "--quiet", "--allow-empty", "-m", "change")
    assert f"is not on the default branch ({branch})" in refused(repository, "not_on_default_branch")


def test_a_repository_without_a_usual_branch_is_not_refused(repository: Promoter) -> None:
    repository.git("branch", "--move", "main", "trunk")
    assert repository.promote("--reason", "first").code == 0
    assert repository.baseline["provenance"]["on_default_branch"] is None


@pytest.mark.parametrize("staged", [True, False])
def test_changes_that_are_not_committed_are_refused(repository: Promoter, *, staged: bool) -> None:
    repository.write("golden.jsonl", (repository.folder / "golden.jsonl").read_text(encoding="utf-8") + "\n")
    if staged:
        repository.git("add", "golden.jsonl")
    assert "not committed: golden.jsonl; commit them" in refused(repository, "dirty_tree")


def test_what_rag_gate_itself_writes_and_new_files_do_not_count(repository: Promoter) -> None:
    assert repository.promote("--reason", "first").code == 0
    repository.git("add", "--force", "baseline.json", "baseline.history.jsonl", "eval_results")
    repository.git("commit", "--quiet", "-m", "baseline")
    repository.write("notes.txt", "untracked")
    assert repository.measure().code == 0
    (repository.folder / "eval_results/comment.md").write_text("changed", encoding="utf-8")
    for _ in range(2):
        assert repository.promote("--reason", "again").code == 0
    assert repository.baseline["provenance"]["dirty"] is False


def test_a_repository_without_a_commit_is_not_refused(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    user.git("init", "--quiet", "--initial-branch", "main")
    assert user.first().baseline["provenance"]["dirty"] is None
