"""Releases: a tag that package and changelog know, and a major tag that never moves back."""

import os
import subprocess
from pathlib import Path

import pytest
from interface import ROOT

import rag_gate

SCRIPTS = ROOT / "scripts" / "release"


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Kim", "-c", "user.email=kim@example.org", "-c", "tag.gpgsign=false")
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A clone whose remote has v1.9.0 and v1.10.0, each a commit of its own."""
    remote, clone = tmp_path / "remote.git", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", str(remote))
    git(tmp_path, "clone", "--quiet", str(remote), str(clone))
    for tag in ("v1.9.0", "v1.10.0", "v2.0.0"):
        git(clone, "commit", "--quiet", "--allow-empty", "--message", tag)
        git(clone, "tag", tag)
    git(clone, "push", "--quiet", "origin", "HEAD", "--tags")
    return clone


def move(clone: Path, tag: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GITHUB_TOKEN": "x"}
    command = [str(SCRIPTS / "move_major_tag.sh"), tag]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def test_the_major_tag_moves_to_the_newest_release(released: Path) -> None:
    done = move(released, "v1.10.0")
    assert done.returncode == 0, done.stderr
    where = git(released, "ls-remote", "origin", "refs/tags/v1").split()[0]
    assert where == git(released, "rev-parse", "v1.10.0^{commit}")


def test_the_major_tag_does_not_move_back_for_a_late_fix(released: Path) -> None:
    assert move(released, "v1.10.0").returncode == 0
    done = move(released, "v1.9.0")
    assert (done.returncode, "stays" in done.stdout) == (0, True)
    where = git(released, "ls-remote", "origin", "refs/tags/v1").split()[0]
    assert where == git(released, "rev-parse", "v1.10.0^{commit}")


@pytest.mark.parametrize("tag", ["v1", "1.2.3", "v1.2.3-rc1", "v1.2.3;id", ""])
def test_only_a_tag_of_a_release_moves_it(released: Path, tag: str) -> None:
    assert move(released, tag).returncode == 2
    assert git(released, "ls-remote", "origin", "refs/tags/v1") == ""


@pytest.mark.parametrize(
    ("tag", "changelog", "code"),
    [("v{}", "## [{}] - 2026-01-02", 0), ("v{}", "## [Unreleased]", 1), ("v99.0.0", "## [99.0.0]", 1)],
)
def test_a_tag_must_be_known_to_package_and_changelog(
    tmp_path: Path, tag: str, changelog: str, code: int
) -> None:
    (tmp_path / "pyproject.toml").write_text(f'version = "{rag_gate.__version__}"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"{changelog.format(rag_gate.__version__)}\n", encoding="utf-8")
    command = [str(SCRIPTS / "check_tag.sh"), tag.format(rag_gate.__version__)]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == code
