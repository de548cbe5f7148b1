"""A repository with a gate, a pull request against it, and a runner that has checked it out."""

import gc
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner
from fake_github import TOKEN, FakeGitHub
from promoter import Promoter

from rag_gate.cli import main

Row = dict[str, Any]


class CiEnded(NamedTuple):
    """How ``rag-gate ci`` ended: the process, its outputs, summary and log."""

    code: int
    outputs: dict[str, str]
    summary: str
    out: str
    err: str

    @property
    def verdict(self) -> tuple[str, str]:
        return self.outputs["status"], self.outputs["exit-code"]


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Kim", "-c", "user.email=kim@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *identity, "-c", "protocol.file.allow=always", *arguments]
    hidden = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | hidden
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout.strip()


class Repository:
    """Promoted on ``main``; ``change`` makes the pull request's branch and GitHub's merge commit."""

    def __init__(self, folder: Path, **cases: int) -> None:
        self.origin, self.folder = folder / "origin", folder
        self.origin.mkdir(parents=True)
        self.bot = Promoter(self.origin, **{"cases": 60, "extended": 20, **cases}).first()
        git(self.origin, "init", "--quiet", "--initial-branch=main")
        git(self.origin, "config", "uploadpack.allowAnySHA1InWant", "true")
        (self.origin / ".gitignore").write_text("eval_results/\n")
        self.base = self.commit("a gate")
        self.head = self.merge = self.base

    def commit(self, message: str) -> str:
        git(self.origin, "add", "--all")
        git(self.origin, "commit", "--quiet", "--allow-empty", "-m", message)
        return git(self.origin, "rev-parse", "HEAD")

    def branch(self, name: str = "feature") -> None:
        git(self.origin, "checkout", "--quiet", "-B", name)

    def propose(self, base: str = "main") -> None:
        """Commit what was changed, and merge it as GitHub does for a check."""
        self.head = self.commit("a change")
        self.base = git(self.origin, "rev-parse", base)
        git(self.origin, "checkout", "--quiet", "--detach", base)
        git(self.origin, "merge", "--quiet", "--no-ff", "-m", "merge", self.head)
        self.merge = git(self.origin, "rev-parse", "HEAD")

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.origin / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def rows(self, name: str) -> list[Row]:
        return [json.loads(line) for line in (self.origin / name).read_text(encoding="utf-8").splitlines()]

    def write_rows(self, name: str, rows: list[Row]) -> None:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (self.origin / name).write_text(text, encoding="utf-8")

    def answer(self, lost: int = 0) -> None:
        """Let the bot answer again; it loses the documents of the first few cases."""
        run = self.rows("run.jsonl")
        for number, row in enumerate(run):
            row["retrieved"] = ["other"] if number < lost else [f"d{number}"]
        self.write_rows("run.jsonl", run)

    def checkout(self, name: str = "checkout", depth: int = 2, commit: str | None = None) -> Path:
        """Check out as a runner does; returns the work tree."""
        tree = self.folder / name
        tree.mkdir()
        git(tree, "init", "--quiet")
        git(tree, "remote", "add", "origin", self.origin.as_uri())
        git(tree, "fetch", "--quiet", f"--depth={depth}", "origin", commit or self.merge)
        git(tree, "checkout", "--quiet", "--detach", "FETCH_HEAD")
        return tree

    def files(self, commit: str) -> dict[str, bytes]:
        """Return a commit's files, as GitHub's API has them."""
        names = git(self.origin, "ls-tree", "-r", "--name-only", commit).splitlines()
        show = ("git", "show")
        return {
            name: subprocess.run(
                [*show, f"{commit}:{name}"], cwd=self.origin, capture_output=True, check=True
            ).stdout
            for name in names
        }


@dataclass
class Runner:
    """Runs ``rag-gate ci`` in a work tree, as a step of a workflow."""

    repository: Repository
    hub: FakeGitHub
    token: str = TOKEN
    run_id: int = 100

    def pull_event(self, *, fork: bool = False, author: str = "kim", title: str = "A change") -> Row:
        head_name = "stranger/app" if fork else "org/app"
        self.hub.pull(head=self.repository.head, base=self.repository.base, fork=fork, author=author)
        return {
            "action": "synchronize",
            "pull_request": {
                "number": 7,
                "title": title,
                "user": {"login": author},
                "head": {
                    "sha": self.repository.head,
                    "ref": "feature",
                    "repo": {"full_name": head_name, "owner": {"login": head_name.split("/", maxsplit=1)[0]}},
                },
                "base": {"sha": self.repository.base, "ref": "main", "repo": {"full_name": "org/app"}},
            },
            "repository": {"full_name": "org/app", "default_branch": "main"},
            "sender": {"login": author},
        }

    def run_event(self, *, fork: bool = True) -> Row:
        self.hub.pull(head=self.repository.head, base=self.repository.base, fork=fork)
        head_name = "stranger/app" if fork else "org/app"
        head = {"full_name": head_name, "owner": {"login": head_name.split("/", maxsplit=1)[0]}}
        run = {"id": 55, "head_sha": self.repository.head, "head_branch": "feature", "head_repository": head}
        return {"workflow_run": {**run, "pull_requests": []}, "repository": {"full_name": "org/app"}}

    def ci(
        self, tree: Path, *options: str, event: str = "pull_request", payload: Row | None = None, **extra: str
    ) -> CiEnded:
        """Run the command in a work tree; ``extra`` are variables of the environment."""
        if payload is None:
            payload = self.pull_event()
        self.run_id += 1
        own = self.repository.folder / f"step-{self.run_id}"
        own.mkdir()
        (own / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        environment = {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(own / "event.json"),
            "GITHUB_REPOSITORY": "org/app",
            "GITHUB_API_URL": self.hub.url,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_RUN_ID": str(self.run_id),
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_SHA": self.repository.merge,
            "GITHUB_REF": payload.get("ref", "refs/pull/7/merge"),
            "GITHUB_ACTOR": "kim",
            "GITHUB_OUTPUT": str(own / "outputs"),
            "GITHUB_STEP_SUMMARY": str(own / "summary"),
            "GITHUB_TOKEN": self.token,
            **extra,
        }
        before = Path.cwd()
        os.chdir(tree)
        try:
            ended = CliRunner().invoke(main, ["ci", *options], env=environment)
        finally:
            os.chdir(before)
            gc.enable()
        return CiEnded(
            ended.exit_code, read_outputs(own / "outputs"), _text(own / "summary"), ended.stdout, ended.stderr
        )


def read_outputs(path: Path) -> dict[str, str]:
    """Read outputs as GitHub does: a name, a mark, lines, the mark."""
    outputs: dict[str, str] = {}
    lines = iter(_text(path).splitlines())
    for line in lines:
        name, _, mark = line.partition("<<")
        assert mark, line
        block: list[str] = []
        for inner in lines:
            if inner == mark:
                break
            block.append(inner)
        outputs[name] = "\n".join(block)
    return outputs


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
