"""The workflow that makes a measured run the baseline: a pull request with the reason and what changes."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from act_runner import Act, Ran
from app import App, loses
from fake_github import FakeGitHub
from interface import ROOT

REASON = "new retriever $(touch pwned) `id`\n~~~~~~~~~~~\n@org/team reviewed it"
RUN = "77"
WORKFLOW = ".github/workflows/promote.yml"


@pytest.fixture
def promoting(tmp_path: Path) -> App:
    """A repository with the workflow, and a newer run on main than the baseline's."""
    app = App(tmp_path / "promoting")
    text = (ROOT / WORKFLOW).read_text(encoding="utf-8")
    assert text.count("RAG_GATE_CONFIG: ${{ inputs.config }}\n") == 1
    own = "RAG_GATE_CONFIG: ${{ inputs.config }}\n          RAG_GATE_INSTALL: none\n"
    text = text.replace("RAG_GATE_CONFIG: ${{ inputs.config }}\n", own)
    (app.main / WORKFLOW).write_text(text, encoding="utf-8")
    app.user.record(manifest={"commit": "0" * 40, "model": "new"})
    app.on_main("A newer run")
    return app


def dispatch(act: Act, app: App, api: FakeGitHub, *odd: dict[str, Any], **inputs: str) -> Ran:
    """Start the workflow; ``odd`` is what is odd about the run that was measured."""
    place = act.store / "repositories" / "org" / "rag-gate"
    shutil.copytree(act.action, place, dirs_exist_ok=True)
    # The runner's remote is an address; git takes the folder in its place.
    act.variables |= {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_1": f"url.{app.remote.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_1": "https://github.com/org/app",
    }
    given = {
        "run-id": RUN,
        "reason": REASON,
        "config": "rag-gate.yml",
        "workflow": "rag-gate.yml",
        "artifact": "rag-gate",
        "accept-regression": "false",
        "new-anchor": "false",
    }
    clone = app.clone()
    subprocess.run(["git", "-C", clone.folder, "switch", "--quiet", "--create", "main"], check=True)  # noqa: S607 - as checkout does
    shutil.copytree(clone.folder, act.store / "repositories" / "org" / "app", dirs_exist_ok=True)
    known: dict[str, Any] = {key: value for row in odd for key, value in row.items()}
    api.workflow_run(int(RUN), head=clone.head, **known)
    payload = {"inputs": given | inputs, "repository": {"full_name": "org/app", "default_branch": "main"}}
    return act.run(clone.folder, "workflow_dispatch", payload, WORKFLOW)


def measured(act: Act, app: App, tier: str = "extended") -> None:
    """What a run on main uploaded."""
    ended = app.user.run(tier)
    assert ended.code in {0, 1}, ended.err
    shutil.copytree(app.main / "eval_results", act.store / "artifacts" / RUN / "rag-gate")


def remote(app: App, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", app.remote, *arguments], capture_output=True, text=True, check=True)  # noqa: S607 - the tests' own git
    return done.stdout


def test_a_pull_request_is_opened_with_the_reason_and_what_changes(
    promoting: App, act: Act, api: FakeGitHub
) -> None:
    measured(act, promoting)
    ran = dispatch(act, promoting, api)
    assert ran.passed, ran.log
    (pull,) = api.pulls.values()
    assert pull["head"]["ref"] == f"rag-gate/promote-{RUN}"
    assert pull["title"] == f"Promote the baseline measured by run {RUN}"
    body = pull["body"]
    assert f"/org/app/actions/runs/{RUN}" in body
    assert "new retriever" in body
    assert body.count("~~~~~~~~~~") == 2, "the reason cannot end the block that it stands in"

    branch = f"rag-gate/promote-{RUN}"
    changed = remote(promoting, "diff", "--name-only", "main", branch).splitlines()
    assert {"baseline.json", "baseline.history.jsonl"} <= set(changed)
    assert all(name.startswith("baseline.") for name in changed), changed
    history = remote(promoting, "show", f"rag-gate/promote-{RUN}:baseline.history.jsonl").splitlines()
    assert json.loads(history[-1])["reason"] == REASON
    assert not list(act.folder.rglob("pwned"))


def test_main_itself_does_not_move(promoting: App, act: Act, api: FakeGitHub) -> None:
    before = remote(promoting, "rev-parse", "main")
    measured(act, promoting)
    assert dispatch(act, promoting, api).passed
    assert remote(promoting, "rev-parse", "main") == before
    assert api.pulls


def test_a_second_dispatch_updates_the_pull_request(promoting: App, act: Act, api: FakeGitHub) -> None:
    measured(act, promoting)
    assert dispatch(act, promoting, api).passed
    ran = dispatch(act, promoting, api, reason="said better")
    assert ran.passed, ran.log
    assert len(api.pulls) == 1
    assert "said better" in remote(promoting, "log", "-1", "--format=%B", f"rag-gate/promote-{RUN}")


def test_a_regression_is_promoted_only_when_that_is_said(promoting: App, act: Act, api: FakeGitHub) -> None:
    loses(12)(promoting.user)
    promoting.on_main("A worse run")
    measured(act, promoting)
    ran = dispatch(act, promoting, api)
    assert not ran.passed
    assert "accept-regression" in ran.log
    assert api.pulls == {}
    ran = dispatch(act, promoting, api, **{"accept-regression": "true", "new-anchor": "true"})
    assert ran.passed, ran.log
    assert len(api.pulls) == 1


def test_a_run_of_a_fork_is_refused_before_its_artifact_is_taken(
    promoting: App, act: Act, api: FakeGitHub
) -> None:
    """tests/integration/test_promotable_run.py has all that is refused."""
    measured(act, promoting)
    ran = dispatch(act, promoting, api, {"event": "pull_request"})
    assert not ran.passed
    assert any("started by pull_request" in text for text in ran.annotations("error"))
    assert not list(act.folder.rglob("rag-gate-results"))
    assert api.pulls == {}


@pytest.mark.parametrize("run", ["77; touch pwned", "$(id)", "../77", ""])
def test_a_run_that_is_no_number_is_refused(promoting: App, act: Act, api: FakeGitHub, run: str) -> None:
    environment = {
        **os.environ,
        "RAG_GATE_PYTHON": "false",
        "RESULTS": "x",
        "CONFIG": "x",
        "REASON": "x",
        "ACCEPT_REGRESSION": "false",
        "NEW_ANCHOR": "false",
        "RUN_ID": run,
        "BASE": "main",
        "GITHUB_TOKEN": "x",
    }
    del act
    script = ROOT / "scripts" / "action" / "promote.sh"
    done = subprocess.run(
        [script], cwd=promoting.main, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "run-id: must be a number" in done.stderr
    assert api.pulls == {}
