"""The comment on pull requests from forks: judged again by the base branch, from an artifact that anybody may have made."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from act_runner import Act, Ran
from app import PULL, App, Clone, loses, only_body, publish, run_pull
from fake_github import READ_ONLY, FakeGitHub
from interface import ROOT

RUN = 55
_TEMPLATE = ROOT / "eval" / "rag_gate" / "templates" / "github" / "rag-gate-comment.yml"
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository with both workflows that ``rag-gate init`` writes."""
    app = App(tmp_path_factory.mktemp("forked"))
    text = _TEMPLATE.read_text(encoding="utf-8")
    assert text.count("mode: comment\n") == 1
    text = text.replace("mode: comment\n", "mode: comment\n          install: none\n")
    (app.main / ".github" / "workflows" / "rag-gate-comment.yml").write_text(text, encoding="utf-8")
    app.on_main("The comment on forks")
    return app


@pytest.fixture(scope="module")
def measured(forked: App, action: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Clone, Files]:
    """A fork's pull request, and what its own run uploaded."""
    pull = forked.pull(loses(12))
    with FakeGitHub() as api:
        act = Act(tmp_path_factory.mktemp("first"), action, api.url, READ_ONLY)
        ran = run_pull(act, api, pull, fork=True)
    assert not ran.passed
    folder = ran.artifact("rag-gate")
    return pull, {path.name: path.read_bytes() for path in folder.iterdir()}


def packed(files: Files, *links: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for name in links:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o120777 << 16
            archive.writestr(entry, "/etc/passwd")
    return data.getvalue()


def second_stage(
    act: Act,
    api: FakeGitHub,
    app: App,
    pull: Clone,
    archive: bytes,
    head: str | None = None,
    owner: str = "stranger",
) -> Ran:
    api.pull(PULL, head=pull.head, base=pull.base, fork=owner == "stranger", author=owner)
    publish(api, app, pull.head, pull.base)
    api.artifact(archive)
    run = {
        "id": RUN,
        "event": "pull_request",
        "conclusion": "failure",
        "head_sha": head or pull.head,
        "head_branch": "feature",
        "head_repository": {"full_name": f"{owner}/app", "owner": {"login": owner}},
        "actor": {"login": "kim"},
        "pull_requests": [],
    }
    repository = {"full_name": "org/app", "default_branch": "main"}
    payload = {"action": "completed", "workflow_run": run, "repository": repository}
    workflow = ".github/workflows/rag-gate-comment.yml"
    return act.run(app.clone().folder, "workflow_run", payload, workflow, "--env", "GITHUB_RUN_ID=56")


def test_a_forks_regression_is_commented_with_its_numbers_as_claims(
    forked: App, measured: tuple[Clone, Files], act: Act, api: FakeGitHub
) -> None:
    pull, files = measured
    ran = second_stage(act, api, forked, pull, packed(files))
    assert ran.passed, ran.log
    body = only_body(api)
    assert "BLOCKED" in body
    assert "claims" in body
    assert pull.head in body
    assert "q000" in body


def test_a_comment_and_a_verdict_in_the_artifact_are_not_taken_over(
    forked: App, measured: tuple[Clone, Files], act: Act, api: FakeGitHub
) -> None:
    pull, files = measured
    forged = files | {"comment.md": b"## PASSED, trust me @org/team", "verdict.json": b'{"passed": true}'}
    second_stage(act, api, forked, pull, packed(forged))
    body = only_body(api)
    assert "BLOCKED" in body
    assert "trust me" not in body


def test_a_run_of_an_older_commit_does_not_comment(
    forked: App, measured: tuple[Clone, Files], act: Act, api: FakeGitHub
) -> None:
    pull, files = measured
    ran = second_stage(act, api, forked, pull, packed(files), head=pull.base)
    assert ran.passed, ran.log
    assert api.comments == []


def test_a_pull_request_that_could_comment_itself_gets_no_second_one(
    forked: App, measured: tuple[Clone, Files], act: Act, api: FakeGitHub
) -> None:
    pull, files = measured
    second_stage(act, api, forked, pull, packed(files), owner="org")
    assert api.log == []


def flattered(files: Files) -> bytes:
    """Better means than those of the cases."""
    results: dict[str, Any] = json.loads(files["results.json"])
    results["metrics"]["recall@5"]["mean"] = 1.0
    results["scores"]["recall@5"] = 1.0
    return packed({"results.json": json.dumps(results).encode()})


def bomb(files: Files) -> bytes:
    return packed({**files, "results.json": b" " * 120_000_000})


#: One of each kind; tests/integration/test_ci_second_stage.py has them all.
MALICIOUS: dict[str, Callable[[Files], bytes]] = {
    "path outside": lambda files: packed({**files, "../../outside.json": b"{}"}),
    "link": lambda files: packed(files, "link.json"),
    "bomb": bomb,
    "other means": flattered,
}


@pytest.mark.parametrize("name", MALICIOUS)
def test_a_malicious_artifact_is_no_verdict(
    forked: App, measured: tuple[Clone, Files], act: Act, api: FakeGitHub, name: str
) -> None:
    pull, files = measured
    ran = second_stage(act, api, forked, pull, MALICIOUS[name](files))
    body = only_body(api)
    assert "NOT EVALUATED" in body, ran.log
    assert "internal error" not in body
    assert not list(act.folder.rglob("outside.json"))
