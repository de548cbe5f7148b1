"""The checkers of the field find nothing in the action, the workflows and the scripts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from act_runner import ROOT, program
from doc_pages import BLOCKS
from interface import WORKFLOWS

SCRIPTS = [
    ROOT / ".ci" / "run",
    *sorted(path for part in ("scripts", "examples", "docs") for path in (ROOT / part).rglob("*.sh")),
]


def checked(*command: str | Path, cwd: Path = ROOT) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [program(str(command[0])), *map(str, command[1:])],
        cwd=cwd,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A repository whose workflow pastes a pull request's title into a shell line."""
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    text = "on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"
    text += '      - run: echo "${{ github.event.pull_request.title }}"\n'
    (folder / "a.yml").write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)  # noqa: S607 - the tests' own git
    return tmp_path


def test_actionlint_finds_nothing_in_the_workflows_and_the_action_they_use() -> None:
    assert checked("actionlint", *WORKFLOWS) == ""


def test_actionlint_would_find_an_injection(broken: Path) -> None:
    assert "potentially untrusted" in checked("actionlint", cwd=broken)


def test_zizmor_finds_nothing_beyond_what_its_settings_explain() -> None:
    assert checked("zizmor", "--offline", "--quiet", "--no-progress", "action.yml", ".github") == ""


def test_zizmor_would_find_an_injection(broken: Path) -> None:
    assert "template-injection" in checked("zizmor", "--offline", "--quiet", ".", cwd=broken)


def test_the_checkers_find_nothing_in_workflows_that_users_get(tmp_path: Path) -> None:
    """Those of the documentation and of ``rag-gate init``."""
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for path in (ROOT / "eval" / "rag_gate" / "templates" / "github").glob("rag-gate*.yml"):
        shutil.copy(path, folder / f"shipped-{path.name}")
    for number, block in enumerate(BLOCKS):
        if block.language == "yaml" and "\njobs:" in block.text:
            (folder / f"{number}-{Path(block.page).stem}.yml").write_text(block.text, encoding="utf-8")
    found = sorted(folder.iterdir())
    assert len(found) > 5
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)  # noqa: S607 - the tests' own git
    assert checked("actionlint", cwd=tmp_path) == ""
    for path in found:
        assert checked("check-jsonschema", "--builtin-schema", "vendor.github-workflows", path) == ""


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_has_the_form_that_github_reads(path: Path) -> None:
    assert checked("check-jsonschema", "--builtin-schema", "vendor.github-workflows", path) == ""


def test_the_action_has_the_form_that_github_reads() -> None:
    assert checked("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml") == ""


def test_the_schema_would_find_a_misspelt_key(tmp_path: Path) -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8").replace("shell: bash", "shel: bash", 1)
    (tmp_path / "action.yml").write_text(text, encoding="utf-8")
    found = checked("check-jsonschema", "--builtin-schema", "vendor.github-actions", tmp_path / "action.yml")
    assert "shel" in found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_finds_nothing(path: Path) -> None:
    assert checked("shellcheck", path) == ""
    assert os.access(path, os.X_OK)


def test_the_checkers_are_those_of_the_lock() -> None:
    for name in ("act", "actionlint", "check-jsonschema", "shellcheck", "zizmor"):
        found = shutil.which(name, path=str(Path(sys.executable).parent))
        assert found is not None, f"{name} is not beside {sys.executable}"
