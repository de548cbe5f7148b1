"""Without the judge's key, but with all its verdicts kept: nothing is missing, so the run is a whole one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_github import FakeGitHub
from judge_service import JudgeService
from pull_request import CiEnded, Repository, Runner

SETTINGS = """\
dataset: golden.jsonl
run: run.jsonl
baseline: baseline.json
judge: {{model: gpt-4o-2024-11-20, base_url: "{url}", api_key_env: JUDGE_KEY, canary: false}}
tolerances: {{recall@5: 0.03, safety_pass_rate: 0.0}}
"""
KEY = "sk-test-5f1c7be2a90d"


@pytest.fixture
def service() -> Iterator[JudgeService]:
    with JudgeService() as found:
        yield found


@pytest.fixture
def runner(tmp_path: Path, service: JudgeService) -> Iterator[Runner]:
    repository = Repository(tmp_path, cases=8, extended=4)
    (repository.origin / "rag-gate.yml").write_text(SETTINGS.format(url=service.url))
    repository.commit("a model judge")
    repository.branch()
    with FakeGitHub() as hub:
        yield Runner(repository, hub)


def ci(runner: Runner, tree: Path, *options: str, key: str = "") -> CiEnded:
    kept = str(runner.repository.folder / "kept")
    return runner.ci(tree, *options, RAG_GATE_CACHE_DIR=kept, JUDGE_KEY=key)


def test_a_run_whose_verdicts_are_all_kept_needs_no_key(runner: Runner, service: JudgeService) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    first = ci(runner, tree, key=KEY)
    assert first.verdict == ("pass", "0"), first.err
    assert service.keys == [f"Bearer {KEY}"] * 4
    again = ci(runner, tree)
    assert again.verdict == ("pass", "0"), again.err
    assert "no key \\(JUDGE\\_KEY\\) was needed" in again.summary
    assert len(service.keys) == 4, "nothing was asked, with or without a key"
    assert ci(runner, tree, "--on-missing-secret", "fail").verdict == ("pass", "0")


def test_one_verdict_that_is_not_kept_leaves_the_judge_out(runner: Runner, service: JudgeService) -> None:
    repository = runner.repository
    repository.propose()
    ci(runner, repository.checkout("first"), key=KEY)
    repository.branch("other")
    rows = repository.rows("run.jsonl")
    rows[3]["answer"] = "another answer"
    repository.write_rows("run.jsonl", rows)
    repository.propose()
    ended = ci(runner, repository.checkout("second"))
    assert ended.verdict == ("neutral", "0"), ended.err
    assert "No secret (JUDGE_KEY): the judge did not run" in ended.err + ended.out
    assert len(service.keys) == 4


def test_an_empty_cache_is_no_complete_one(runner: Runner, service: JudgeService) -> None:
    runner.repository.propose()
    assert ci(runner, runner.repository.checkout()).verdict == ("neutral", "0")
    assert service.keys == []


def test_the_job_that_joins_needs_no_key_where_the_shards_had_it(
    runner: Runner, service: JudgeService
) -> None:
    """In the reusable workflow, the secrets go to the jobs that measure and to no other."""
    runner.repository.propose()
    tree = runner.repository.checkout()
    for shard in ("1/2", "2/2"):
        assert ci(runner, tree, "--shard", shard, key=KEY).outputs["status"] == "measured"
    joined = ci(runner, tree, "--mode", "merge", "--results", "eval_results", "--on-missing-secret", "skip")
    assert joined.verdict == ("pass", "0"), joined.err
    assert len(service.keys) == 4


def test_where_no_shard_had_the_key_the_joined_run_says_so(runner: Runner, service: JudgeService) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    for shard in ("1/2", "2/2"):
        ci(runner, tree, "--shard", shard)
    joined = ci(runner, tree, "--mode", "merge", "--results", "eval_results")
    assert joined.verdict == ("neutral", "0"), joined.err
    assert service.keys == []


def test_a_shard_without_the_judge_among_others_with_it_is_no_pass(runner: Runner) -> None:
    runner.repository.propose()
    tree = runner.repository.checkout()
    ci(runner, tree, "--shard", "1/2", key=KEY)
    ci(runner, tree, "--shard", "2/2")
    joined = ci(runner, tree, "--mode", "merge", "--results", "eval_results")
    assert joined.verdict == ("error", "3"), joined.err
