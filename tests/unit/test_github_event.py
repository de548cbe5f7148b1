"""What events of GitHub Actions mean: which pull request, which commits, which tier."""

import json
from pathlib import Path
from typing import Any

import pytest

from rag_gate.errors import ConfigError, InputError
from rag_gate.github.event import Context, context_of, read_context

HEAD, BASE, MERGE = "a" * 40, "b" * 40, "c" * 40
ENVIRON = {
    "GITHUB_REPOSITORY": "org/app",
    "GITHUB_SHA": MERGE,
    "GITHUB_RUN_ID": "12",
    "GITHUB_RUN_ATTEMPT": "2",
    "GITHUB_ACTOR": "kim",
}
REPOSITORY = {"full_name": "org/app", "default_branch": "main"}


def pull(head: str | None = "org/app", author: str = "kim", **changed: Any) -> dict[str, Any]:
    repo = None if head is None else {"full_name": head, "owner": {"login": head.split("/")[0]}}
    row = {
        "number": 7,
        "user": {"login": author},
        "head": {"sha": HEAD, "ref": "feature", "repo": repo},
        "base": {"sha": BASE, "ref": "main"},
    }
    return {"pull_request": row | changed, "repository": REPOSITORY}


def known(name: str, event: dict[str, Any], **environ: str) -> Context:
    return context_of(name, event, ENVIRON | environ)


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target", "pull_request_review"])
def test_a_pull_request_is_known_by_its_head_and_never_by_the_merge_commit(name: str) -> None:
    found = known(name, pull())
    assert (found.pull, found.head_sha, found.base_sha, found.base_ref) == (7, HEAD, BASE, "main")
    assert (found.is_fork, found.is_dependabot, found.tier, found.is_proposed) == (False, False, "core", True)


@pytest.mark.parametrize(
    ("head", "fork"), [("stranger/app", True), ("org/other", True), ("ORG/App", False), (None, True)]
)
def test_a_fork_is_another_repository_or_one_that_is_gone(head: str | None, *, fork: bool) -> None:
    assert known("pull_request", pull(head)).is_fork is fork


def test_dependabot_is_known_as_author_and_as_actor() -> None:
    assert known("pull_request", pull(author="dependabot[bot]")).is_dependabot
    assert known("pull_request", pull(), GITHUB_ACTOR="dependabot[bot]").is_dependabot


def test_a_merge_queue_names_its_pull_request_and_base_and_gates_all_tiers() -> None:
    group = {
        "head_sha": HEAD,
        "base_sha": BASE,
        "head_ref": f"refs/heads/gh-readonly-queue/release/1.x/pr-42-{BASE}",
        "base_ref": "refs/heads/release/1.x",
    }
    found = known("merge_group", {"merge_group": group, "repository": REPOSITORY})
    assert (found.pull, found.head_sha, found.base_sha, found.base_ref) == (42, HEAD, BASE, "release/1.x")
    assert (found.tier, found.is_proposed) == ("extended", True)


def test_a_run_of_a_fork_names_no_pull_request_by_itself() -> None:
    run = {
        "id": 55,
        "head_sha": HEAD,
        "head_branch": "feature",
        "head_repository": {"full_name": "stranger/app", "owner": {"login": "stranger"}},
        "pull_requests": [],
    }
    found = known("workflow_run", {"workflow_run": run, "repository": REPOSITORY})
    assert (found.pull, found.head_owner, found.head_branch, found.source_run) == (
        None,
        "stranger",
        "feature",
        55,
    )
    assert found.is_fork


@pytest.mark.parametrize(
    ("ref", "tier", "default"), [("refs/heads/main", "extended", True), ("refs/heads/other", "core", False)]
)
def test_a_push_gates_all_tiers_on_the_default_branch_only(ref: str, tier: str, *, default: bool) -> None:
    found = known("push", {"ref": ref, "before": BASE, "after": HEAD, "repository": REPOSITORY})
    assert (found.tier, found.on_default_branch, found.head_sha, found.is_proposed) == (
        tier,
        default,
        HEAD,
        False,
    )


def test_a_schedule_gates_all_tiers() -> None:
    found = known("schedule", {"repository": REPOSITORY}, GITHUB_REF="refs/heads/main")
    assert (found.tier, found.head_sha, found.pull) == ("extended", MERGE, None)


def test_a_comment_on_an_issue_is_not_one_on_a_pull_request() -> None:
    issue: dict[str, Any] = {"number": 3}
    assert known("issue_comment", {"issue": issue, "repository": REPOSITORY}).pull is None
    issue["pull_request"] = {"url": "x"}
    assert known("issue_comment", {"issue": issue, "repository": REPOSITORY}).pull == 3


def test_a_manual_run_has_no_pull_request() -> None:
    found = known("workflow_dispatch", {"repository": REPOSITORY, "ref": "refs/heads/topic"})
    assert (found.pull, found.tier, found.head_branch) == (None, "core", "topic")


@pytest.mark.parametrize("sha", ["", "abc", "A" * 40, "0" * 40, 7, None, "a" * 39 + "\n", ["a" * 40]])
def test_what_is_no_commit_is_not_taken_for_one(sha: object) -> None:
    found = known("pull_request", pull(head=None) | {"pull_request": {"number": True, "head": {"sha": sha}}})
    assert (found.head_sha, found.pull) == (None, None)


def test_addresses_come_from_the_environment() -> None:
    found = known(
        "push", {}, GITHUB_API_URL="https://ghe.example/api/v3/", GITHUB_SERVER_URL="https://ghe.example"
    )
    assert found.run.api_url == "https://ghe.example/api/v3"
    assert found.run_url == "https://ghe.example/org/app/actions/runs/12"
    assert known("push", {}).run.api_url == "https://api.github.com"


@pytest.mark.parametrize("address", ["http://ghe.example/api", "ftp://x", "javascript:x", "ghe.example"])
def test_the_token_goes_over_https_only(address: str) -> None:
    with pytest.raises(ConfigError, match="https"):
        known("push", {}, GITHUB_API_URL=address)


@pytest.mark.parametrize("name", ["", "app", "org/app/x", "../app", "org/a b", "org/app\n"])
def test_a_repository_is_owner_and_name(name: str) -> None:
    with pytest.raises(ConfigError, match="owner/name"):
        context_of("push", {"repository": {}}, {"GITHUB_REPOSITORY": name})


def test_outside_github_the_other_command_is_named() -> None:
    with pytest.raises(ConfigError, match="rag-gate run"):
        read_context({})


def test_an_event_with_emoji_and_a_mark_is_read_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    event = pull(title="直す 🎉")
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(event, ensure_ascii=False).encode())
    environ = ENVIRON | {"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": "pull_request"}
    assert read_context(environ).pull == 7


@pytest.mark.parametrize(("text", "error"), [("[]", ConfigError), ("{", InputError)])
def test_an_event_that_is_none_is_an_error(tmp_path: Path, text: str, error: type[Exception]) -> None:
    path = tmp_path / "event.json"
    path.write_text(text)
    with pytest.raises(error):
        read_context(ENVIRON | {"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": "push"})


def test_a_schedule_is_of_the_default_branch_though_its_payload_names_none() -> None:
    found = known("schedule", {"schedule": "0 3 * * *"}, GITHUB_REF="refs/heads/trunk")
    assert (found.on_default_branch, found.tier, found.is_proposed) == (True, "extended", False)


@pytest.mark.parametrize("name", ["pull_request_review_comment", "an_event_of_tomorrow"])
def test_an_event_that_brings_a_pull_request_proposes_it(name: str) -> None:
    found = known(name, pull())
    assert (found.pull, found.base_sha, found.is_proposed) == (7, BASE, True)
    assert known(name, {}, GITHUB_REF="refs/pull/7/merge").is_proposed
