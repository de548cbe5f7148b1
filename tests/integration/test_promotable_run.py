"""Which workflow runs may become the baseline: all that GitHub says about them must speak for it."""

from collections.abc import Iterator
from typing import Any

import pytest
from fake_github import STRANGER, TOKEN, FakeGitHub, Fault
from openapi_slice import smallest

from rag_gate.ci.promotable import refuse_unfit_run
from rag_gate.errors import ConfigError, RagGateError
from rag_gate.github.client import GitHub
from rag_gate.github.retries import Patience

HEAD = "a" * 40
FORK = smallest("minimal-repository", full_name="stranger/app") | {
    "owner": smallest("simple-user", login="stranger")
}


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


def check(hub: FakeGitHub, run: int = 77, branch: str = "main", token: str = TOKEN) -> None:
    patience = Patience(sleep=lambda _seconds: None)
    with GitHub(hub.url, "org/app", token, patience) as github:
        refuse_unfit_run(github, "org/app", run, branch, "rag-gate.yml")


@pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch"])
def test_a_run_of_the_default_branch_may(hub: FakeGitHub, event: str) -> None:
    hub.workflow_run(77, head=HEAD, event=event, path=".github/workflows/rag-gate.yml@refs/heads/main")
    check(hub)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"event": "pull_request"}, "started by pull_request"),
        ({"event": "pull_request_target"}, "started by pull_request_target"),
        ({"event": "merge_group"}, "started by merge_group"),
        ({"event": "workflow_run"}, "started by workflow_run"),
        ({"event": ""}, "started by unknown"),
        ({"head_branch": "feature"}, "ran on feature"),
        ({"head_branch": None}, "ran on no branch"),
        ({"head_repository": FORK}, "head repository is stranger/app"),
        ({"repository": FORK}, "repository is stranger/app"),
        ({"path": ".github/workflows/other.yml"}, "workflow is .github/workflows/other.yml"),
        ({"path": "evil/.github/workflows/rag-gate.yml"}, "workflow is evil/"),
        ({"status": "in_progress"}, "not completed"),
    ],
)
def test_any_other_run_may_not(hub: FakeGitHub, known: dict[str, Any], said: str) -> None:
    hub.workflow_run(77, head=HEAD, **known)
    with pytest.raises(ConfigError, match=said):
        check(hub)


def test_a_tag_that_is_called_like_the_branch_is_none(hub: FakeGitHub) -> None:
    """GitHub names a pushed tag in the same place; what it points to nobody need have reviewed."""
    hub.workflow_run(77, head=HEAD)
    hub.branches["main"].clear()
    with pytest.raises(ConfigError, match=r"commit aaaaaaaaaaaa is not on main"):
        check(hub)


def test_a_run_that_is_not_there_is_said(hub: FakeGitHub) -> None:
    with pytest.raises(ConfigError, match="org/app has no workflow run 77"):
        check(hub)


def test_without_an_answer_nothing_is_promoted(hub: FakeGitHub) -> None:
    hub.workflow_run(77, head=HEAD)
    with pytest.raises(RagGateError):
        check(hub, token=STRANGER)
    hub.faults += [Fault("GET", "compare", 500) for _ in range(4)]
    with pytest.raises(RagGateError):
        check(hub)
