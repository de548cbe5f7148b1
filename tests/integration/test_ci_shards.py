"""Shards in jobs of a matrix: planned, measured, joined; none may be missing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_github import FakeGitHub
from pull_request import Repository, Runner


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


@pytest.fixture
def runner(tmp_path: Path, hub: FakeGitHub) -> Runner:
    repository = Repository(tmp_path)
    repository.branch()
    return Runner(repository, hub)


def _measured(runner: Runner, tree: Path, *shards: str) -> Path:
    folder = tree / "shards"
    for shard in shards:
        ended = runner.ci(tree, "--shard", shard)
        assert (ended.code, ended.outputs["status"]) == (0, "measured"), ended.err
        for path in map(Path, ended.outputs["paths"].splitlines()):
            target = folder / shard.replace("/", "of") / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)
    return folder


def test_joined_shards_give_the_same_verdict_as_one_job(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.answer(lost=30)
    runner.repository.propose()
    tree = runner.repository.checkout()
    folder = _measured(runner, tree, "1/3", "2/3", "3/3")
    assert hub.comments == []
    joined = runner.ci(tree, "--mode", "merge", "--results", str(folder))
    assert joined.verdict == ("regression", "1")
    parts = hub.comments[0]["body"].split("<details>")[0].split("\n", 2)[2]
    alone = runner.ci(tree)
    assert alone.outputs["regressions"] == joined.outputs["regressions"]
    assert hub.comments[0]["body"].split("<details>")[0].split("\n", 2)[2] == parts


def test_a_missing_shard_is_no_pass(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    folder = _measured(runner, tree, "1/3", "3/3")
    ended = runner.ci(tree, "--mode", "merge", "--results", str(folder))
    assert ended.verdict == ("error", "3")
    assert "shard 2/3" in ended.err
    assert "NOT EVALUATED" in hub.comments[0]["body"]


def test_no_shard_at_all_is_no_pass(runner: Runner) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    (tree / "shards").mkdir()
    ended = runner.ci(tree, "--mode", "merge", "--results", str(tree / "shards"))
    assert ended.outputs["exit-code"] in {"2", "3"}


def test_shards_of_another_golden_set_are_refused(runner: Runner) -> None:
    """Measured on the pull request's labels: they are not the ones that decide."""
    repository = runner.repository
    repository.answer(lost=30)
    golden = repository.rows("golden.jsonl")
    for row in golden[:30]:
        row["relevant_doc_ids"] = ["other"]
    repository.write_rows("golden.jsonl", golden)
    repository.propose()
    tree = repository.checkout()
    payload = {"ref": "refs/heads/main", "repository": {"full_name": "org/app", "default_branch": "main"}}
    shard = runner.ci(tree, "--shard", "1/1", "--tier", "core", event="push", payload=payload)
    assert shard.outputs["status"] == "measured"
    ended = runner.ci(tree, "--mode", "merge", "--results", "eval_results")
    assert ended.verdict == ("error", "3")
    assert "another golden set" in ended.err


def test_the_plan_is_json_for_a_matrix(runner: Runner) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    ended = runner.ci(tree, "--mode", "plan", "--shard", "3")
    assert json.loads(ended.outputs["matrix"]) == ["1/3", "2/3", "3/3"]
    assert json.loads(ended.out) == ["1/3", "2/3", "3/3"]
    assert json.loads(runner.ci(tree, "--mode", "plan").outputs["matrix"]) == ["1/1"]


def test_a_shard_that_cannot_be_measured_says_so(runner: Runner) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    (tree / "run.jsonl").write_text("{broken\n")
    ended = runner.ci(tree, "--shard", "1/2")
    assert (ended.code, ended.outputs["status"], ended.outputs["exit-code"]) == (0, "error", "2")
    assert "::error title=rag-gate%3A shard not measured::" in ended.out
