"""A user's repository with the gate in it: main, pull requests to it, and clones as a runner has them."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from act_runner import Act, Ran
from fake_github import FakeGitHub
from interface import ROOT
from promoter import Promoter

PULL = 7
_SHIPPED = ROOT / "eval" / "rag_gate" / "templates" / "github" / "rag-gate.yml"
_GATE = "- uses: org/rag-gate@v1\n"
#: The shipped workflow's gate with the packages of the tests, and a step that keeps what it left.
_OBSERVED = """\
- id: gate
        uses: org/rag-gate@v1
        with:
          install: none
      - if: ${{ always() }}
        env:
          OUTPUTS: ${{ toJSON(steps.gate.outputs) }}
        run: printf '%s' "$OUTPUTS" >"$ACT_STANDIN_STORE/outputs.json"
"""
Change = Callable[[Promoter], object]


@dataclass(frozen=True)
class Clone:
    """A clone on a runner, and what GitHub says about it.

    Attributes:
        folder: the work tree, at the merge commit of a pull request or at a commit of main.
        head: the pull request's newest commit.
        base: the commit it is to be merged into.
    """

    folder: Path
    head: str
    base: str

    def pull_request(
        self, *, fork: bool = False, author: str = "kim", title: str = "A change"
    ) -> dict[str, Any]:
        """Return the payload of the event pull_request."""
        owner = "stranger" if fork else "org"
        head_repository = {"full_name": f"{owner}/app", "fork": fork, "owner": {"login": owner}}
        return {
            "action": "synchronize",
            "number": PULL,
            "pull_request": {
                "number": PULL,
                "title": title,
                "user": {"login": author},
                "head": {"ref": "feature", "sha": self.head, "repo": head_repository},
                "base": {"ref": "main", "sha": self.base, "repo": {"full_name": "org/app"}},
            },
            "repository": {"full_name": "org/app", "default_branch": "main"},
            "sender": {"login": author},
        }

    def merge_group(self) -> dict[str, Any]:
        """Return the payload of the event merge_group."""
        group = {
            "head_sha": self.head,
            "head_ref": f"refs/heads/gh-readonly-queue/main/pr-{PULL}-{self.base}",
            "base_sha": self.base,
            "base_ref": "refs/heads/main",
        }
        return {"action": "checks_requested", "merge_group": group, "repository": {"full_name": "org/app"}}


class App:
    """The repository ``org/app``; its remote is a folder."""

    def __init__(self, folder: Path, *, baseline: bool = True, cases: int = 40, extended: int = 10) -> None:
        """Make main: a golden set, a recorded run, settings, a baseline and the shipped workflow."""
        self._clones = 0
        self._folder = folder
        self.remote = folder / "remote.git"
        self.main = folder / "main"
        self.main.mkdir(parents=True)
        self.user = Promoter(self.main, cases, extended)
        self.user.git("init", "--quiet", "--initial-branch", "main")
        if baseline:
            self.user.first()
        else:
            self.user.record()
        shutil.rmtree(self.main / "eval_results", ignore_errors=True)
        self.user.write(".gitignore", "eval_results/\n")
        workflows = self.main / ".github" / "workflows"
        workflows.mkdir(parents=True)
        text = _SHIPPED.read_text(encoding="utf-8")
        assert text.count(_GATE) == 1
        (workflows / "rag-gate.yml").write_text(text.replace(_GATE, _OBSERVED), encoding="utf-8")
        self.commit("The gate")
        subprocess.run(["git", "init", "--quiet", "--bare", self.remote], check=True)  # noqa: S607 - the user's own git
        self.user.git("remote", "add", "origin", str(self.remote))
        self.user.git("push", "--quiet", "origin", "main")

    def commit(self, message: str) -> str:
        """Commit everything and return the commit's id."""
        self.user.git("add", "--all")
        self.user.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.user.git("rev-parse", "HEAD")

    def on_main(self, message: str) -> None:
        """Commit to main and push it."""
        self.commit(message)
        self.user.git("push", "--quiet", "origin", "main")

    def pull(self, change: Change | None = None, *, depth: int = 2) -> Clone:
        """Open a pull request with a change, and clone its merge commit."""
        self.user.git("switch", "--quiet", "--force-create", "change", "main")
        if change is not None:
            change(self.user)
        shutil.rmtree(self.main / "eval_results", ignore_errors=True)
        head = self.commit("A change")
        self.user.git("switch", "--quiet", "--detach", "main")
        self.user.git("merge", "--quiet", "--no-ff", "--message", "Merge", "change")
        merged, base = self.user.git("rev-parse", "HEAD"), self.user.git("rev-parse", "main")
        self.user.git("push", "--quiet", "--force", "origin", "change", f"HEAD:refs/pull/{PULL}/merge")
        self.user.git("switch", "--quiet", "main")
        return Clone(self._cloned(f"refs/pull/{PULL}/merge", merged, depth), head, base)

    def clone(self, depth: int = 2) -> Clone:
        """Clone main."""
        commit = self.user.git("rev-parse", "main")
        return Clone(self._cloned("refs/heads/main", commit, depth), commit, commit)

    def _cloned(self, ref: str, commit: str, depth: int) -> Path:
        self._clones += 1
        folder = self._folder / f"clone-{self._clones}"
        for arguments in (
            ("init", "--quiet", "--initial-branch", "main", str(folder)),
            ("-C", str(folder), "fetch", "--quiet", "--depth", str(depth), self.remote.as_uri(), ref),
            ("-C", str(folder), "checkout", "--quiet", "--detach", commit),
            # As actions/checkout names it; act would leave a folder without any ref behind.
            ("-C", str(folder), "update-ref", f"refs/remotes/{ref.removeprefix('refs/')}", commit),
            ("-C", str(folder), "remote", "add", "origin", "https://github.com/org/app"),
        ):
            subprocess.run(["git", *arguments], check=True, env=_no_settings())  # noqa: S607 - the runner's own git
        return folder


def run_pull(
    act: Act,
    api: FakeGitHub,
    pull: Clone,
    *options: str,
    fork: bool = False,
    author: str = "kim",
    title: str = "A change",
) -> Ran:
    """Push a pull request to GitHub, and run the shipped workflow on it."""
    api.pull(PULL, head=pull.head, base=pull.base, fork=fork, author=author)
    payload = pull.pull_request(fork=fork, author=author, title=title)
    return act.run(pull.folder, "pull_request", payload, ".github/workflows/rag-gate.yml", *options)


def publish(api: FakeGitHub, app: "App", *commits: str) -> None:
    """Let GitHub know commits that a clone may lack, with their files."""
    for commit in commits:
        names = app.user.git("ls-tree", "-r", "--name-only", commit).splitlines()
        api.commits[commit] = {
            name: f"{app.user.git('show', f'{commit}:{name}')}\n".encode() for name in names
        }


def only_body(api: FakeGitHub) -> str:
    """Return the text of the one comment."""
    (comment,) = api.comments
    body: str = comment["body"]
    return body


def outputs_of(ran: Ran) -> dict[str, str]:
    """Return the outputs of the action."""
    outputs: dict[str, str] = json.loads((ran.store / "outputs.json").read_text(encoding="utf-8"))
    return outputs


def edit(name: str, pattern: str, replacement: str) -> Change:
    """Return a change of one file."""

    def change(user: Promoter) -> None:
        path = user.folder / name
        text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"))
        assert count, f"{name} does not hold {pattern}"
        path.write_text(text, encoding="utf-8")

    return change


def loses(count: int) -> Change:
    """Return the change of a bot that finds nothing any more for some cases."""
    return lambda user: user.record(lost=count)


def _no_settings() -> dict[str, str]:
    return {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
