"""What git knows about the folder of a run. Without git, or outside a work tree, nothing is known."""

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from rag_gate.git import ask_git

_COMMIT = re.compile(r"[0-9A-Fa-f]{4,64}", re.ASCII)


class GitFacts(NamedTuple):
    """What is known; None = not known, and then nothing is refused because of it.

    Attributes:
        commit: of the run, else the one that is checked out.
        default_branch: its name, such as ``main``.
        on_default_branch: whether the commit is on it.
        changed: tracked files with changes that are not committed.
        dirty: whether there are any.
        user: who works here, by git's ``user.name``.
    """

    commit: str | None = None
    default_branch: str | None = None
    on_default_branch: bool | None = None
    changed: tuple[str, ...] = ()
    dirty: bool | None = None
    user: str | None = None


def git_facts(
    folder: Path,
    commit: str | None,
    ours: Iterable[Path],
    is_ours: Callable[[Path], bool] = lambda _: False,
) -> GitFacts:
    """Ask git about a folder.

    Args:
        folder: where the run's results lie.
        commit: of the run, as its manifest states it.
        ours: files and folders that rag-gate writes; changes there do not count.
        is_ours: tells further files that rag-gate writes or removes, by their real path.
    """
    top = ask_git(folder, "rev-parse", "--show-toplevel")
    if not top:
        return GitFacts(commit=commit)
    root = Path(top)
    branch = _default_branch(root)
    measured = _known(root, commit) or _known(root, "HEAD")
    real = Path(os.path.realpath(root))
    own = [Path(os.path.realpath(path)) for path in ours]
    own = [path for path in own if path != real and path not in real.parents]
    listed = _changed(root)
    changed = None if listed is None else [name for name in listed if not _is_own(real / name, own, is_ours)]
    return GitFacts(
        commit=commit or measured,
        default_branch=branch,
        on_default_branch=_is_on(root, measured, branch) if measured and branch else None,
        changed=tuple(changed or ()),
        dirty=None if changed is None else bool(changed),
        user=_printable(ask_git(root, "config", "--get", "user.name")),
    )


def _printable(name: str | None) -> str | None:
    return name.encode("utf-8", "replace").decode("utf-8") if name else None


def _default_branch(root: Path) -> str | None:
    remote = ask_git(root, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    if remote and remote.startswith("refs/remotes/origin/"):
        return remote.removeprefix("refs/remotes/origin/")
    configured = ask_git(root, "config", "--get", "init.defaultBranch")
    usual = [configured, "main", "master"] if configured in {"main", "master"} else ["main", "master"]
    return next((name for name in usual if name and _tips(root, name)), None)


def _tips(root: Path, branch: str) -> list[str]:
    """Return the commits that a branch has here and at the remote."""
    refs = (f"refs/heads/{branch}", f"refs/remotes/origin/{branch}")
    return [
        tip for ref in refs if (tip := ask_git(root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}"))
    ]


def _known(root: Path, commit: str | None) -> str | None:
    """Return the full name of a commit that this repository has."""
    if commit is None or not (commit == "HEAD" or _COMMIT.fullmatch(commit)):
        return None
    return ask_git(root, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")


def _is_on(root: Path, commit: str, branch: str) -> bool:
    return any(
        ask_git(root, "merge-base", "--is-ancestor", commit, tip) is not None for tip in _tips(root, branch)
    )


def _is_own(path: Path, own: Iterable[Path], is_ours: Callable[[Path], bool]) -> bool:
    return is_ours(path) or any(path.is_relative_to(ours) for ours in own)


def _changed(root: Path) -> list[str] | None:
    listed = ask_git(
        root,
        "diff",
        "--name-only",
        "--no-renames",
        "--no-ext-diff",
        "--ignore-submodules=untracked",
        "-z",
        "HEAD",
    )
    if listed is None:
        return None
    return [name for name in listed.split("\0") if name]
