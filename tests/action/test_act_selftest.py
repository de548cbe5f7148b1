"""This repository's own workflow that tests the action, with a real installation from files."""

import shutil
import subprocess
from pathlib import Path

import pytest
from act_runner import Act, Ran, copy_of_the_action
from fake_github import FakeGitHub
from interface import ROOT
from wheelhouse import wheelhouse


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this repository, as far as the workflow needs it."""
    folder = copy_of_the_action(tmp_path_factory.mktemp("selftest") / "rag-gate")
    for part in (".github", "examples", ".gitignore"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__", "out"))
        else:
            shutil.copy2(source, folder / part)
    identity = ("-c", "user.name=Kim", "-c", "user.email=kim@example.org", "-c", "commit.gpgsign=false")
    for arguments in (
        ("init", "--quiet", "--initial-branch", "main"),
        ("remote", "add", "origin", "https://github.com/org/app"),
        ("add", "--all"),
        (*identity, "commit", "--quiet", "--message", "The action"),
    ):
        subprocess.run(["git", "-C", folder, *arguments], check=True)  # noqa: S607 - the tests' own git
    return folder


def selftest(act: Act, checkout: Path, *matrix: str) -> Ran:
    wheels = str(wheelhouse())
    act.variables |= {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": wheels,
        "UV_OFFLINE": "1",
        "UV_NO_INDEX": "1",
        "UV_FIND_LINKS": wheels,
    }
    repository = {"full_name": "org/app", "default_branch": "other"}
    payload = {"ref": "refs/heads/main", "repository": repository}
    options = [part for value in matrix for part in ("--matrix", value)]
    return act.run(checkout, "push", payload, ".github/workflows/selftest.yml", *options)


def test_the_action_installs_itself_and_passes_on_the_example(
    act: Act, checkout: Path, api: FakeGitHub
) -> None:
    ran = selftest(act, checkout, "os:ubuntu-latest", "installer:pip", "python:3.11", "name:none")
    assert ran.passed, ran.log
    assert ran.steps["It passed, and says so"] == "success"
    assert "ready in" in ran.log
    assert api.comments == []


def test_what_must_fail_is_asserted_to_fail(act: Act, checkout: Path, api: FakeGitHub) -> None:
    ran = selftest(act, checkout, "name:settings that are not there", "os:none")
    assert ran.passed, ran.log
    assert ran.steps["It failed as it must"] == "success"
    assert ran.steps["End with the verdict"] == "failure"
    assert api.comments == []
