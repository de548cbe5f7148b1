"""Run a workflow on this machine with ``act``, in place of GitHub: its runner, its artifacts, its caches.

Nothing is downloaded: the official actions have stand-ins beside this file, and the action under test
is a copy of this checkout.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STANDINS = Path(__file__).resolve().parent / "standins"
#: Of the repository, what a user's runner gets of the action and needs.
PARTS = ("action.yml", "pyproject.toml", "eval", "prompts", "config", "scripts", "requirements")
_USES = re.compile(r"uses: ((?:actions|astral-sh)/[\w./-]+@[0-9a-f]{40})")
_ENDED = re.compile(r"\s*\S+\s+(Success|Failure) - Main (.+?)(?: \[[^\]]*\])?$")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".git", ".venv", "out")


@dataclass(frozen=True)
class Ran:
    """A workflow that has run.

    Attributes:
        passed: whether all its jobs did.
        steps: step -> its result.
        log: what its steps printed.
        commands: workflow commands that the runner obeyed, such as ``error``, with their text.
        summary: the summary of the job.
        store: where artifacts and caches are.
    """

    passed: bool
    steps: Mapping[str, str]
    log: str
    commands: Sequence[tuple[str, str]]
    summary: str
    store: Path

    def annotations(self, level: str) -> list[str]:
        """Return the texts of the annotations of a level."""
        return [text for command, text in self.commands if command == level]

    def artifact(self, name: str, run_id: str = "1") -> Path:
        """Return the folder of an uploaded artifact."""
        return self.store / "artifacts" / run_id / name

    @property
    def artifacts(self) -> set[str]:
        """The names of all uploaded artifacts."""
        return {path.name for path in self.store.glob("artifacts/*/*")}


@dataclass
class Act:
    """A runner with a store of its own for artifacts and caches, which lasts from run to run.

    Attributes:
        folder: for everything that it writes.
        action: the copy of the action under test.
        api: address that stands for GitHub's API.
        token: what ``github.token`` is.
    """

    folder: Path
    action: Path
    api: str = "http://127.0.0.1:9"
    token: str = "a-token-long-enough-to-be-masked"
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        """Where artifacts and caches are."""
        return self.folder / "store"

    def run(
        self,
        repository: Path,
        event: str,
        payload: Mapping[str, Any],
        workflow: str = ".github/workflows/rag-gate.yml",
        *options: str,
    ) -> Ran:
        """Run a workflow of a repository on an event.

        Args:
            repository: the clone, as ``actions/checkout`` would leave it.
            event: the event's name.
            payload: what GitHub sends with it.
            workflow: the workflow's file.
            options: more options of ``act``.
        """
        self.store.mkdir(parents=True, exist_ok=True)
        event_file = self.folder / "event.json"
        event_file.write_text(json.dumps(payload), encoding="utf-8")
        command = [
            program("act"), event, "--json", "--no-cache-server", "--eventpath", str(event_file),
            "--workflows", workflow, "--platform", "ubuntu-latest=-self-hosted",
            "--env", f"GITHUB_API_URL={self.api}", "--secret", f"GITHUB_TOKEN={self.token}",
            *self._repositories(repository), *options,
        ]  # fmt: skip
        done = subprocess.run(
            command,
            cwd=repository,
            env=self._environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        return _read(done, self.store)

    def _environment(self) -> dict[str, str]:
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "RAG_GATE_"))
        }
        kept.pop("PYTHONPATH", None)
        path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
        own = {
            "PATH": path,
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "ACT_STANDIN_STORE": str(self.store),
            # A pull request's clone is read under whatever user runs the tests.
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        return {**kept, **own, **self.variables}

    def _repositories(self, repository: Path) -> Sequence[str]:
        pinned = {"org/rag-gate@v1": self.action}
        for file in (self.action / "action.yml", *repository.glob(".github/workflows/*.yml")):
            for name in _USES.findall(file.read_text(encoding="utf-8")):
                pinned[_repository_of(name)] = STANDINS / _standin_of(name)
        return [
            part for name, folder in pinned.items() for part in ("--local-repository", f"{name}={folder}")
        ]


def program(name: str) -> str:
    """Return the path of a program that is installed beside the interpreter of the tests."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found is not None, f"{name} is not installed; run: make test"
    return found


def copy_of_the_action(folder: Path) -> Path:
    """Copy what the action consists of, compiled once for all runs."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=_LEFT_OUT)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / part)
    compiled = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "eval"]
    subprocess.run(compiled, cwd=folder, check=True)
    return folder


def _repository_of(name: str) -> str:
    """``actions/cache/restore@SHA`` is a folder of the repository ``actions/cache``."""
    path, _, revision = name.partition("@")
    return f"{'/'.join(path.split('/')[:2])}@{revision}"


def _standin_of(name: str) -> str:
    return name.partition("@")[0].split("/")[1]


def _read(done: subprocess.CompletedProcess[str], store: Path) -> Ran:
    steps: dict[str, str] = {}
    printed: list[str] = []
    commands: list[tuple[str, str]] = []
    summary = ""
    for line in f"{done.stdout}\n{done.stderr}".splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            printed.append(line)
            continue
        if row.get("raw_output") or row.get("level") == "error":
            printed.append(str(row.get("msg", "")).rstrip("\n"))
        if row.get("command") == "summary":
            summary = str(row["content"])
        elif "command" in row:
            commands.append((str(row["command"]), str(row.get("arg", ""))))
        ended = _ENDED.match(str(row.get("msg", "")))
        if ended:
            steps[ended[2]] = ended[1].lower()
    return Ran(done.returncode == 0, steps, "\n".join(printed), commands, summary, store)
