"""Without the judge's key, as on forks: what needs no key decides, and the check is neutral by policy."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_github import FakeGitHub
from pull_request import Repository, Runner

SETTINGS = """\
dataset: golden.jsonl
run: run.jsonl
baseline: baseline.json
tolerances: {recall@5: 0.03, safety_pass_rate: 0.0, correctness: 0.03}
"""


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


@pytest.fixture
def runner(tmp_path: Path, hub: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The gate's judge is one that needs a key, which is not there; the promoted run was judged."""
    repository = Repository(tmp_path)
    bot = repository.bot
    bot.write("rag-gate.yml", SETTINGS)
    repository.write_rows(
        "golden.jsonl", [{**row, "expected_answer": "3 days"} for row in repository.rows("golden.jsonl")]
    )
    for old in repository.origin.glob("baseline*"):
        old.unlink()
    repository.commit("judged")
    bot.run()
    promoted = bot.promote("--reason", "judged")
    assert promoted.code == 0, promoted.err
    repository.commit("promoted")
    repository.branch()
    monkeypatch.setattr("rag_gate.ci.gate.missing_key", lambda _judge, _environ: "OPENAI_API_KEY")
    return Runner(repository, hub)


def test_a_pull_request_without_the_key_is_neutral_and_says_why(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout())
    assert (ended.verdict, ended.outputs["passed"]) == (("neutral", "0"), "true")
    body = hub.comments[0]["body"]
    assert "## rag-gate: NEUTRAL" in body
    assert "the judge did not run" in body
    assert "PASSED" not in body
    assert "`correctness`" not in body.split("<details>")[0]


def test_what_needs_no_key_fails_the_check_still(runner: Runner) -> None:
    runner.repository.answer(lost=30)
    runner.repository.propose()
    assert runner.ci(runner.repository.checkout()).verdict == ("regression", "1")


def test_a_missing_key_can_fail_the_check(runner: Runner) -> None:
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout(), "--on-missing-secret", "fail")
    assert ended.verdict == ("error", "3")
    assert "OPENAI_API_KEY" in ended.err


def test_a_missing_key_can_skip_the_gate_in_words(runner: Runner, hub: FakeGitHub) -> None:
    runner.repository.propose()
    ended = runner.ci(runner.repository.checkout(), "--on-missing-secret", "skip")
    assert ended.verdict == ("skipped", "0")
    assert "PASSED" not in hub.comments[0]["body"]
    assert "nothing was measured" in hub.comments[0]["body"]


def test_on_the_default_branch_a_missing_key_is_an_error(runner: Runner) -> None:
    runner.repository.propose()
    payload = {"ref": "refs/heads/main", "repository": {"full_name": "org/app", "default_branch": "main"}}
    ended = runner.ci(runner.repository.checkout(), event="push", payload=payload)
    assert ended.verdict == ("error", "3")
