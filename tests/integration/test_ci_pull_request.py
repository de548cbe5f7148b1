"""``rag-gate ci`` on pull requests: the verdict, the comment, and that the base commit's files decide."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_github import READ_ONLY, STRANGER, FakeGitHub
from pull_request import Repository, Runner, git


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = Repository(tmp_path)
    found.branch()
    return found


@pytest.fixture
def runner(repository: Repository, hub: FakeGitHub) -> Runner:
    return Runner(repository, hub)


def test_a_change_without_harm_passes_and_gets_one_comment(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert (ended.code, ended.verdict, ended.outputs["passed"]) == (0, ("pass", "0"), "true")
    assert len(hub.comments) == 1
    body = hub.comments[0]["body"]
    assert body.startswith("<!-- rag-gate:default -->\n<!-- rag-gate-run head=")
    assert "## rag-gate: PASSED" in body
    assert ended.outputs["comment-url"] == hub.comments[0]["html_url"]
    assert "## rag-gate: PASSED" in ended.summary


def test_the_comment_is_about_the_head_commit_and_not_the_merge(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    runner.ci(runner.repository.checkout())
    assert f"head={runner.repository.head} " in hub.comments[0]["body"]
    assert runner.repository.merge not in hub.comments[0]["body"]


def test_a_regression_is_left_to_the_last_step(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.answer(lost=30)
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert (ended.code, ended.verdict, ended.outputs["regressions"]) == (0, ("regression", "1"), "1")
    assert "BLOCKED" in hub.comments[0]["body"]
    assert "::error title=rag-gate%3A BLOCKED::" in ended.out
    paths = ended.outputs["paths"].splitlines()
    assert {Path(path).name for path in paths} >= {"results.json", "verdict.json", "comment.md"}
    assert all(Path(path).is_file() for path in paths)


def test_without_outputs_the_process_itself_ends_with_the_verdict(runner: Runner) -> None:
    runner.repository.answer(lost=30)
    runner.repository.propose()
    assert runner.ci(runner.repository.checkout(), GITHUB_OUTPUT="").code == 1


def test_a_second_push_updates_the_same_comment(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.answer(lost=30)
    runner.repository.propose()
    runner.ci(runner.repository.checkout("first"))
    git(runner.repository.origin, "checkout", "--quiet", "feature")
    runner.repository.answer(lost=0)
    runner.repository.propose()
    runner.ci(runner.repository.checkout("second"))
    assert len(hub.comments) == 1
    assert "PASSED" in hub.comments[0]["body"]


def test_a_promoted_baseline_in_the_pull_request_does_not_decide(runner: Runner, hub: FakeGitHub) -> None:
    repository = runner.repository
    git(repository.origin, "checkout", "--quiet", "-B", "main")
    start = git(repository.origin, "rev-parse", "HEAD")
    repository.answer(lost=30)
    repository.commit("worse")
    repository.bot.run()
    promoted = repository.bot.promote("--reason", "mine", "--accept-regression", "--new-anchor")
    assert promoted.code == 0, promoted.err
    repository.branch()
    repository.commit("promoted")
    git(repository.origin, "branch", "--force", "main", start)
    repository.propose()
    ended = runner.ci(repository.checkout())
    assert ended.verdict == ("regression", "1")
    assert "Files that decide, changed by this pull request" in hub.comments[0]["body"]
    assert "baseline.json" in hub.comments[0]["body"]


def _promotion(repository: Repository, reason: str = "the new bot answers shorter") -> None:
    """Merge a bot that is worse, and propose its run as the baseline."""
    git(repository.origin, "checkout", "--quiet", "-B", "main")
    repository.answer(lost=30)
    repository.commit("worse, merged on purpose")
    repository.bot.run()
    promoted = repository.bot.promote("--reason", reason, "--accept-regression", "--new-anchor")
    assert promoted.code == 0, promoted.err
    repository.branch("promotion")


def test_a_pull_request_that_only_moves_the_baseline_is_neutral_with_its_reason(
    runner: Runner, hub: FakeGitHub
) -> None:
    _promotion(runner.repository)
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert ended.verdict == ("neutral", "0")
    body = hub.comments[0]["body"]
    assert "REGRESSED" in body
    assert "the new bot answers shorter" in body


@pytest.mark.parametrize("name", ["README.md", "golden.jsonl", "baseline.json.py", "baseline.run.evil.jsonl"])
def test_one_that_changes_anything_else_as_well_is_judged_as_ever(runner: Runner, name: str) -> None:
    _promotion(runner.repository)
    with (runner.repository.origin / name).open("a") as handle:
        handle.write("\n")
    runner.repository.propose()
    assert runner.ci(runner.repository.checkout()).verdict == ("regression", "1")


def test_a_proposed_baseline_that_this_run_does_not_meet_does_not_help(runner: Runner) -> None:
    _promotion(runner.repository)
    runner.repository.propose()
    tree = runner.repository.checkout()
    rows = [json.loads(line) for line in (tree / "run.jsonl").read_text().splitlines()]
    text = "".join(json.dumps(row | {"retrieved": ["other"]}) + "\n" for row in rows)
    (tree / "run.jsonl").write_text(text)
    assert runner.ci(tree).verdict == ("regression", "1")


def test_a_tampered_baseline_does_not_decide(runner: Runner) -> None:
    baseline = runner.repository.origin / "baseline.json"
    document = json.loads(baseline.read_text())
    document["metrics"]["recall@5"] = 0.1
    for case in document["cases"]:
        case["scores"]["recall@5"] = 0.0
    baseline.write_text(json.dumps(document))
    runner.repository.answer(lost=30)
    runner.repository.propose()
    assert runner.ci(runner.repository.checkout()).verdict == ("regression", "1")


def test_a_loosened_tolerance_does_not_help_its_own_pull_request(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.edit("rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    runner.repository.answer(lost=30)
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert ended.verdict == ("regression", "1")
    assert "rag-gate.yml: the base commit's version decided" in ended.out
    assert "rag-gate.yml" in hub.comments[0]["body"]


def test_a_gate_that_is_switched_off_in_the_pull_request_decides_still(runner: Runner) -> None:
    (runner.repository.origin / "rag-gate.yml").unlink()
    runner.repository.answer(lost=30)
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert ended.verdict == ("regression", "1")
    assert "removes rag-gate.yml" in ended.summary


def test_removed_cases_count_still(runner: Runner) -> None:
    """Failing cases are taken out of golden set and run: they are missing, not gone."""
    repository = runner.repository
    for name in ("golden.jsonl", "run.jsonl"):
        repository.write_rows(name, repository.rows(name)[20:])
    repository.propose()
    ended = runner.ci(repository.checkout())
    assert ended.verdict == ("error", "3")
    assert "20 cases removed by this pull request" in ended.summary


def test_removed_cases_that_the_run_still_answers_are_measured_as_before(runner: Runner) -> None:
    repository = runner.repository
    repository.answer(lost=20)
    repository.write_rows("golden.jsonl", repository.rows("golden.jsonl")[20:])
    repository.propose()
    assert runner.ci(repository.checkout()).verdict == ("regression", "1")


def test_only_the_base_commit_can_acknowledge_removed_cases(runner: Runner) -> None:
    repository = runner.repository
    gone = ["q000", "q001", "q002", "q003", "q004"]
    git(repository.origin, "checkout", "--quiet", "main")
    with (repository.origin / "rag-gate.yml").open("a") as settings:
        settings.write(f"gate: {{removed_ok: [{', '.join(gone)}]}}\n")
    repository.commit("acknowledge")
    repository.branch("after")
    for name in ("golden.jsonl", "run.jsonl"):
        repository.write_rows(name, repository.rows(name)[5:])
    repository.propose()
    ended = runner.ci(repository.checkout())
    assert ended.verdict == ("pass", "0")
    assert "5 cases removed, as the base commit" in ended.summary


def test_added_cases_are_shown_and_do_not_gate(runner: Runner) -> None:
    repository = runner.repository
    golden, run = repository.rows("golden.jsonl"), repository.rows("run.jsonl")
    for number in range(30):
        golden.append(
            {"question_id": f"new{number}", "question": "?", "relevant_doc_ids": ["n"], "must_pass": True}
        )
        run.append({"question_id": f"new{number}", "retrieved": ["n" if number else "other"], "answer": "a"})
    repository.write_rows("golden.jsonl", golden)
    repository.write_rows("run.jsonl", run)
    repository.propose()
    ended = runner.ci(repository.checkout())
    assert ended.verdict == ("pass", "0")
    assert (
        "30 new cases do not gate before the merge: 29 passed, 1 retrieval failure \\(new0\\)"
        in ended.summary
    )


def test_edited_labels_do_not_decide(runner: Runner) -> None:
    """Gold ids are bent towards what the bot finds now."""
    repository = runner.repository
    repository.answer(lost=30)
    golden = repository.rows("golden.jsonl")
    for row in golden[:30]:
        row["relevant_doc_ids"] = ["other"]
    repository.write_rows("golden.jsonl", golden)
    repository.propose()
    ended = runner.ci(repository.checkout())
    assert ended.verdict == ("regression", "1")
    assert "30 cases edited by this pull request: the base commit's labels decide" in ended.summary


def test_a_case_moved_to_another_tier_counts_in_its_old_one(runner: Runner) -> None:
    repository = runner.repository
    repository.answer(lost=30)
    golden = repository.rows("golden.jsonl")
    for row in golden[:30]:
        row["tier"] = "extended"
    repository.write_rows("golden.jsonl", golden)
    repository.propose()
    ended = runner.ci(repository.checkout())
    assert ended.verdict == ("regression", "1")
    assert "30 cases edited" in ended.summary


def test_results_inside_the_golden_rows_come_from_the_pull_request_and_labels_from_the_base(
    tmp_path: Path, hub: FakeGitHub
) -> None:
    repository = Repository(tmp_path / "inline")
    run = {row["question_id"]: row for row in repository.rows("run.jsonl")}
    rows = [{**row, **run[row["question_id"]]} for row in repository.rows("golden.jsonl")]
    repository.write_rows("golden.jsonl", rows)
    repository.edit("rag-gate.yml", "run: run.jsonl\n", "")
    (repository.origin / "run.jsonl").unlink()
    repository.commit("inline")
    repository.branch()
    for number, row in enumerate(rows):
        if number < 30:
            row |= {"retrieved": ["other"], "relevant_doc_ids": ["other"]}
    repository.write_rows("golden.jsonl", rows)
    repository.propose()
    assert Runner(repository, hub).ci(repository.checkout()).verdict == ("regression", "1")


def test_a_broken_run_file_is_an_error_that_is_commented(runner: Runner, hub: FakeGitHub) -> None:
    (runner.repository.origin / "run.jsonl").write_text("{broken\n")
    runner.repository.propose()
    tree = runner.repository.checkout()
    ended = runner.ci(tree)
    assert (ended.code, ended.verdict, ended.outputs["passed"]) == (0, ("error", "2"), "false")
    assert "NOT EVALUATED" in hub.comments[0]["body"]
    assert "run.jsonl:1: is not valid JSON" in ended.summary.replace("\u200b", "")
    assert str(tree) not in hub.comments[0]["body"]


def test_a_broken_settings_file_of_the_base_is_called_that(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path / "broken")
    (repository.origin / "rag-gate.yml").write_text("datset: x\n")
    repository.commit("broken")
    repository.branch()
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    assert ended.verdict == ("error", "2")
    assert "base commit: rag-gate.yml: datset" in ended.err


def test_a_broken_golden_set_of_the_pull_request_is_an_error(runner: Runner) -> None:
    (runner.repository.origin / "golden.jsonl").write_text("{broken\n")
    runner.repository.propose()
    assert runner.ci(runner.repository.checkout()).verdict == ("error", "2")


def test_an_error_can_be_neutral_but_not_a_wrong_file(runner: Runner) -> None:
    repository = runner.repository
    repository.write_rows("run.jsonl", repository.rows("run.jsonl")[30:])
    repository.propose()
    tree = repository.checkout()
    assert runner.ci(tree).verdict == ("error", "3")
    assert runner.ci(tree, "--on-error", "neutral").verdict == ("neutral", "0")
    (tree / "run.jsonl").write_text("{broken\n")
    assert runner.ci(tree, "--on-error", "neutral").verdict == ("error", "2")


def test_results_of_an_earlier_run_are_not_taken_for_this_one(runner: Runner) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    runner.ci(tree)
    (tree / "run.jsonl").write_text("{broken\n")
    ended = runner.ci(tree)
    assert "results.json" not in ended.outputs["paths"]


def test_business_rules_in_a_file_are_those_of_the_base(tmp_path: Path, hub: FakeGitHub) -> None:
    """They are part of the settings, and must be there when these are read."""
    repository = Repository(tmp_path / "ruled")
    for path in repository.origin.glob("baseline*"):
        path.unlink()
    rule = "- {{id: fee, kind: must_not_mention, terms: [{term}]}}\n"
    rules = repository.origin / "rules.yml"
    rules.write_text("schema_version: 1\nrules:\n" + rule.format(term="days"))
    with (repository.origin / "rag-gate.yml").open("a") as settings:
        settings.write("safety: {rules: rules.yml}\n")
    repository.commit("rules")
    repository.branch()
    rules.write_text("schema_version: 1\nrules:\n" + rule.format(term="nothing at all"))
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    assert ended.outputs["status"] != "error", ended.err
    assert "rules.yml: the base commit's version decided" in ended.out
    verdict = json.loads((repository.folder / "checkout/eval_results/results.json").read_text())
    assert verdict["metrics"]["safety_pass_rate"]["mean"] == 0.0, "all answers speak of days"


def test_no_baseline_yet_is_no_error(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path / "young")
    for path in repository.origin.glob("baseline*"):
        path.unlink()
    repository.commit("no baseline")
    repository.branch()
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    assert ended.verdict == ("pass", "0")
    assert "no baseline yet" in ended.summary


def test_the_pull_request_that_brings_the_gate_is_neutral(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path / "new")
    kept = {path.name: path.read_text() for path in repository.origin.glob("*.*") if path.is_file()}
    for name in kept:
        (repository.origin / name).unlink()
    repository.commit("nothing")
    repository.branch()
    for name, text in kept.items():
        (repository.origin / name).write_text(text)
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    assert ended.verdict == ("neutral", "0")
    assert "NEUTRAL" in hub.comments[0]["body"]


@pytest.mark.parametrize("depth", [1, 2, 50])
def test_any_depth_of_checkout_will_do(runner: Runner, hub: FakeGitHub, depth: int) -> None:
    runner.repository.edit("rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    runner.repository.answer(lost=30)
    runner.repository.propose()
    hub.commits[runner.repository.base] = runner.repository.files(runner.repository.base)
    ended = runner.ci(runner.repository.checkout(depth=depth))
    assert ended.verdict == ("regression", "1")
    asked = any("/contents/" in path for _, path in hub.log)
    assert asked == (depth == 1)


def test_without_api_the_base_commit_is_fetched(runner: Runner) -> None:
    runner.token = STRANGER
    runner.repository.answer(lost=30)
    runner.repository.propose()
    assert runner.ci(runner.repository.checkout(depth=1)).verdict == ("regression", "1")


def test_a_base_that_cannot_be_read_fails_with_the_fix(runner: Runner) -> None:
    runner.token = STRANGER
    runner.repository.propose()
    tree = runner.repository.checkout(depth=1)
    git(tree, "remote", "remove", "origin")
    ended = runner.ci(tree)
    assert ended.verdict == ("error", "3")
    assert "fetch-depth: 2" in ended.err


def test_large_files_of_the_base_come_through_the_api_too(runner: Runner, hub: FakeGitHub) -> None:
    repository = runner.repository
    git(repository.origin, "checkout", "--quiet", "main")
    golden = repository.rows("golden.jsonl")
    golden[0]["note"] = "x" * 1_200_000
    repository.write_rows("golden.jsonl", golden)
    repository.commit("large")
    repository.branch("next")
    repository.propose()
    hub.commits[repository.base] = repository.files(repository.base)
    assert runner.ci(repository.checkout(depth=1)).verdict == ("pass", "0")


def test_a_stacked_pull_request_is_compared_with_the_branch_below(runner: Runner) -> None:
    repository = runner.repository
    repository.edit("rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    repository.commit("loosened below")
    repository.branch("above")
    repository.answer(lost=30)
    repository.propose(base="feature")
    assert runner.ci(repository.checkout()).verdict == ("pass", "0")


@pytest.mark.parametrize(
    ("fork", "author", "words"), [(True, "eve", "from a fork"), (False, "dependabot[bot]", "Dependabot")]
)
def test_a_token_that_can_only_read_is_a_warning(
    runner: Runner, hub: FakeGitHub, *, fork: bool, author: str, words: str
) -> None:
    runner.token = READ_ONLY
    runner.repository.propose()
    payload = runner.pull_event(fork=fork, author=author)
    ended = runner.ci(runner.repository.checkout(), payload=payload)
    assert (ended.code, ended.verdict) == (0, ("pass", "0"))
    assert hub.comments == []
    assert words in next(line for line in ended.out.splitlines() if line.startswith("::warning"))
    assert "## rag-gate: PASSED" in ended.summary


def test_missing_permissions_of_an_own_branch_are_named(runner: Runner) -> None:
    runner.token = READ_ONLY
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert "pull-requests%3A write" in ended.out or "pull-requests: write" in ended.out
    assert ended.verdict == ("pass", "0")


def test_no_token_at_all_is_a_warning(runner: Runner) -> None:
    runner.token = ""
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert ended.verdict == ("pass", "0")
    assert "no github-token was given" in ended.out


def test_hostile_texts_stay_text_everywhere(runner: Runner, hub: FakeGitHub) -> None:
    repository = runner.repository
    evil = "x\n::error::owned\n##[error]owned | <!-- rag-gate:default --> @team <script>alert(1)</script> %0A::warning::hi"
    golden = repository.rows("golden.jsonl")
    for row in golden:
        row["question"] = evil
    git(repository.origin, "checkout", "--quiet", "main")
    repository.write_rows("golden.jsonl", golden)
    repository.commit("hostile labels")
    repository.branch("next")
    repository.answer(lost=30)
    repository.write_rows(
        "golden.jsonl", [*golden, {"question_id": evil, "question": evil, "relevant_doc_ids": ["n"]}]
    )
    repository.propose()
    payload = runner.pull_event(title=evil)
    ended = runner.ci(repository.checkout(), payload=payload)
    assert ended.outputs["status"] in {"regression", "error"}
    commands = [line for line in (ended.out + ended.err).splitlines() if line.lstrip().startswith("::")]
    assert all(
        line.startswith(("::error title=rag-gate", "::warning title=rag-gate", "::notice title=rag-gate"))
        for line in commands
    )
    assert "##[error]" not in ended.out + ended.err
    body = hub.comments[0]["body"]
    assert body.count("<!-- rag-gate:default -->") == 1
    assert "<script>" not in body
    assert "@team" not in body


def test_a_merge_queue_run_gates_all_tiers_and_does_not_comment(runner: Runner, hub: FakeGitHub) -> None:
    repository = runner.repository
    repository.edit("rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    repository.answer(lost=30)
    repository.propose()
    queue = {
        "head_sha": repository.merge,
        "base_sha": repository.base,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-7-{repository.base}",
        "base_ref": "refs/heads/main",
    }
    payload = {"merge_group": queue, "repository": {"full_name": "org/app", "default_branch": "main"}}
    ended = runner.ci(repository.checkout(), event="merge_group", payload=payload)
    assert ended.verdict == ("regression", "1")
    assert hub.comments == []
    assert "60 cases" in ended.summary


def test_a_push_to_the_default_branch_is_judged_by_its_own_files(runner: Runner, hub: FakeGitHub) -> None:
    repository = runner.repository
    repository.edit("rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    repository.answer(lost=30)
    repository.propose()
    payload = {
        "ref": "refs/heads/main",
        "before": repository.base,
        "after": repository.merge,
        "repository": {"full_name": "org/app", "default_branch": "main"},
    }
    ended = runner.ci(repository.checkout(depth=1), event="push", payload=payload)
    assert ended.verdict == ("pass", "0")
    assert "60 cases" in ended.summary
    assert hub.comments == []


def test_pull_request_target_does_not_measure_the_base_in_place_of_the_change(runner: Runner) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout(commit=runner.repository.base)
    ended = runner.ci(tree, event="pull_request_target", payload=runner.pull_event())
    assert ended.verdict == ("error", "3")
    assert "workflow_run" in ended.err


def test_fail_on_never_says_so(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.answer(lost=30)
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout(), "--fail-on", "never")
    assert (ended.verdict, ended.outputs["passed"]) == (("regression", "0"), "true")
    assert "REGRESSED" in hub.comments[0]["body"]
    assert "fail-on is never" in hub.comments[0]["body"]


def test_an_inconclusive_result_fails_where_that_is_asked(runner: Runner) -> None:
    runner.repository.answer(lost=3)
    runner.repository.propose()
    tree = runner.repository.checkout()
    assert runner.ci(tree).verdict == ("inconclusive", "0")
    assert runner.ci(tree, "--fail-on", "inconclusive").verdict == ("inconclusive", "4")


def test_blank_inputs_are_no_inputs(runner: Runner) -> None:
    runner.repository.propose()
    names = "MODE TIER RESULTS BASELINE SHARD FAIL_ON ON_ERROR ON_MISSING_SECRET COMMENT COMMENT_ID MAX_COST_USD CONFIG"
    blank = {f"RAG_GATE_{name}": "" for name in names.split()}
    assert runner.ci(runner.repository.checkout(), payload=runner.pull_event(), **blank).verdict == (
        "pass",
        "0",
    )


def test_inputs_come_from_the_environment(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout(), RAG_GATE_COMMENT="never", RAG_GATE_TIER="extended")
    assert hub.comments == []
    assert "60 cases" in ended.summary


def test_two_gates_have_two_comments(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    for name in ("chat", "search"):
        runner.ci(tree, "--comment-id", name)
    assert [row["body"].split("\n")[0] for row in hub.comments] == [
        "<!-- rag-gate:chat -->",
        "<!-- rag-gate:search -->",
    ]


def test_an_error_is_told_in_the_gates_own_comment(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path / "named")
    with (repository.origin / "rag-gate.yml").open("a") as settings:
        settings.write("report: {gate_id: chat}\n")
    repository.commit("named")
    repository.branch()
    repository.propose()
    runner, tree = Runner(repository, hub), repository.checkout()
    runner.ci(tree)
    (tree / "run.jsonl").write_text("{broken\n")
    runner.ci(tree)
    assert [row["body"].split("\n")[0] for row in hub.comments] == ["<!-- rag-gate:chat -->"]
    assert "NOT EVALUATED" in hub.comments[0]["body"]


def test_a_crash_is_no_verdict_and_its_traceback_no_command(
    runner: Runner, hub: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("x\n::error::owned\n##[error]owned")

    monkeypatch.setattr("rag_gate.ci.gate.measure", crash)
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert ended.verdict == ("error", "3")
    assert "internal error" in hub.comments[0]["body"]
    assert "owned" in ended.err
    assert not any(line.startswith("::error::") for line in (ended.out + ended.err).splitlines())
    assert "##[error]" not in ended.err


def test_a_gate_in_a_folder_is_found_in_the_base_whether_git_answers_or_not(
    runner: Runner, hub: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container git may refuse a folder of another user."""
    repository = runner.repository
    git(repository.origin, "checkout", "--quiet", "main")
    (repository.origin / "app").mkdir()
    for name in git(repository.origin, "ls-files").splitlines():
        git(repository.origin, "mv", name, f"app/{name}")
    repository.commit("into a folder")
    repository.branch("next")
    repository.edit("app/rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    run = repository.rows("app/run.jsonl")
    repository.write_rows("app/run.jsonl", [row | {"retrieved": ["other"]} for row in run])
    repository.propose()
    hub.commits[repository.base] = repository.files(repository.base)
    tree = repository.checkout()
    assert runner.ci(tree / "app").verdict == ("regression", "1")
    for module in ("base_commit", "commit_files"):
        monkeypatch.setattr(f"rag_gate.github.{module}.ask_git", lambda *_: None)
    assert runner.ci(tree / "app").verdict == ("regression", "1")


def test_a_comment_on_failure_only_is_kept_up_to_date(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    runner.ci(tree, "--comment", "on-failure")
    assert hub.comments == []
    (tree / "run.jsonl").rename(tree / "kept.jsonl")
    runner.ci(tree, "--comment", "on-failure")
    assert "NOT EVALUATED" in hub.comments[0]["body"]
    (tree / "kept.jsonl").rename(tree / "run.jsonl")
    runner.ci(tree, "--comment", "on-failure")
    assert "PASSED" in hub.comments[0]["body"]
