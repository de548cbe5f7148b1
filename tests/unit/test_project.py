"""The project's own promises: versions, licence, sizes, locks, layers, no leftovers."""

import os
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import rag_gate

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE = sorted((ROOT / "eval").rglob("*.py"))

DEPENDENCIES: list[str] = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]
TESTING = [*DEPENDENCIES, *EXTRAS["example"], *GROUPS["test"]]
LOCKS = {
    "action": GROUPS["action"],
    "core": DEPENDENCIES,
    "example": [*DEPENDENCIES, *EXTRAS["example"]],
    "test": TESTING,
    "lint": [*TESTING, *GROUPS["lint"]],
    "ragas": [*DEPENDENCIES, *EXTRAS["ragas"]],
}

# What is read by people or run: not the texts that tests and the example feed to the gate.
WRITTEN = ["*.md", "*.toml", "Makefile", ".ci/*", "eval/**/*", "tests/*/*.py", "examples/**/*.py"]
WRITTEN += ["examples/*/*.md", "examples/*/*.yml", "docs/**/*.md", "prompts/**/*", "config/**/*"]
WRITTEN += [".github/**/*", "requirements/*", "benchmarks/**/*.py", "scripts/**/*", "action.yml"]
TEXT_SUFFIXES = {
    "",
    ".py",
    ".md",
    ".toml",
    ".yml",
    ".yaml",
    ".json",
    ".txt",
    ".in",
    ".j2",
    ".html",
    ".css",
    ".sh",
}


def written_files() -> Iterator[Path]:
    for pattern in WRITTEN:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and path.suffix in TEXT_SUFFIXES and path != Path(__file__):
                yield path


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in written_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]


def pins(lock: str) -> list[Requirement]:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    return [Requirement(line.removesuffix("\\")) for line in text.splitlines() if re.match(r"[a-z0-9]", line)]


def applying_pins(lock: str, python: str) -> dict[str, str]:
    environment = {**default_environment(), "python_version": python[:4], "python_full_version": python}
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins(lock)
        if pin.marker is None or pin.marker.evaluate({key: str(value) for key, value in environment.items()})
    }


def test_the_version_is_the_same_in_the_package_and_in_pyproject() -> None:
    assert rag_gate.__version__ == PROJECT["project"]["version"]


def test_the_changelog_has_the_unreleased_changes() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_licence_that_pyproject_names_is_there() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0"
    for name in PROJECT["project"]["license-files"]:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "Apache License" in text
        assert "Version 2.0, January 2004" in text


def test_source_files_stay_small() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > 300} == {}
    assert statistics.median(lengths.values()) < 100


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
@pytest.mark.parametrize("lock", LOCKS)
def test_each_lock_satisfies_what_pyproject_asks_for(lock: str, python: str) -> None:
    locked = applying_pins(lock, python)
    for line in LOCKS[lock]:
        wanted = Requirement(line)
        assert canonicalize_name(wanted.name) in locked, f"run make lock: {lock}.txt lacks {wanted.name}"
        version = locked[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version), f"run make lock: {lock}.txt has {wanted.name} {version}"


@pytest.mark.parametrize(
    ("smaller", "larger"), [("action", "core"), ("core", "example"), ("example", "test"), ("test", "lint")]
)
def test_a_larger_lock_has_all_pins_of_the_smaller_one(smaller: str, larger: str) -> None:
    assert {str(pin) for pin in pins(smaller)} <= {str(pin) for pin in pins(larger)}


def test_the_action_installs_all_dependencies_but_the_one_that_is_large() -> None:
    large = {line for line in PROJECT["project"]["dependencies"] if Requirement(line).name == "datasets"}
    assert set(GROUPS["action"]) == set(PROJECT["project"]["dependencies"]) - large
    assert (
        not {"datasets", "pandas", "pyarrow", "numpy", "hatchling"} & applying_pins("action", "3.12.0").keys()
    )


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_pin_with_hashes_and_name_no_host(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[a-z0-9])", text)[1:]
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|^-|--(?:index|find-links|trusted)", text, re.MULTILINE)


def test_the_build_requirement_of_the_locks_is_pyprojects() -> None:
    asked = (ROOT / "requirements" / "build.in").read_text(encoding="utf-8").split()
    assert set(PROJECT["build-system"]["requires"]) <= set(asked)


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    assert lines_matching(re.compile(r"(?<![\w.}/:-])/(?:home|Users|root|work|mnt)/\w")) == []


def test_nothing_is_left_to_fill_in() -> None:
    assert (
        lines_matching(re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b|[Ll]orem ipsum|your-org\b|\bCHANGEME\b")) == []
    )


def test_imports_keep_to_the_layers() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()"]
    environment = {**os.environ, "PYTHONPATH": "eval"}
    done = subprocess.run(
        [*command, "--no-cache"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
