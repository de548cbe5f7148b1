"""Which commit decides what is right, and how its files can be had."""

import os
from collections.abc import Mapping
from pathlib import Path

from rag_gate.errors import NotJudgedError
from rag_gate.git import ask_git, fetch_commit
from rag_gate.github.answers import ApiError
from rag_gate.github.client import GitHub
from rag_gate.github.commit_files import ApiFiles, Files, GitFiles, has_commit, lacks_files, merge_parents
from rag_gate.github.event import BASE_CHECKOUT, Context

_FIX = (
    "check out with 'fetch-depth: 2' (actions/checkout), or give the job 'permissions: contents: read' and the action its "
    "github-token"
)


def repository_root(start: Path) -> Path:
    """Return the root of the work tree, by its real path.

    No folder inside the repository must pass for its root: every path in the base commit would be another one, and look
    as if it were not there. So git is asked last: it refuses to answer for a folder of another user (in a container), and
    takes a folder with the files of a bare repository for one. A commit can hold those, but never a ``.git``.
    """
    here = Path(os.path.realpath(start))
    marked = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    if marked is not None:
        return marked
    top = ask_git(here, "rev-parse", "--show-toplevel")
    if top:
        return Path(os.path.realpath(top))
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    known = Path(os.path.realpath(workspace)) if workspace else here
    return known if here.is_relative_to(known) else here


def refuse_moved_folder(root: Path, environ: Mapping[str, str]) -> None:
    """Refuse to work where the base commit's paths are not those of the workflow.

    Raises:
        NotJudgedError: in a submodule, or if the working directory is reached through a link: the pull request may have
            put either there, and the base commit would seem to have no settings.
    """
    if ask_git(root, "rev-parse", "--show-superproject-working-tree"):
        raise NotJudgedError(
            f"{root.name}: is a submodule, so the base commit does not hold its files; run the gate in the repository "
            "itself"
        )
    workspace, asked = environ.get("GITHUB_WORKSPACE", ""), environ.get("RAG_GATE_WORKING_DIRECTORY", "")
    if not workspace or not asked:
        return
    start = Path(os.path.realpath(workspace))
    named = Path(os.path.normpath(start / asked))
    if named.is_relative_to(start) and Path(os.path.realpath(named)) != named:
        raise NotJudgedError(
            f"working-directory: {asked} is reached through a link, and the base commit may have another folder there; "
            "name the folder itself"
        )


def base_commit_of(context: Context, root: Path) -> str | None:
    """Return the commit whose files decide; None where the event names none.

    The first parent of the merge commit that GitHub made comes first: the base that the event names may be
    older than what was merged.
    """
    parents = merge_parents(root)
    if parents is not None and context.event != "merge_group" and parents.head == context.head_sha:
        return parents.base
    return context.base_sha


def open_base(context: Context, root: Path, github: GitHub | None) -> Files:
    """Return the files of the base commit.

    Raises:
        NotJudgedError: if no way leads to them; the message says what to do.
    """
    commit = base_commit_of(context, root)
    if commit is None:
        raise NotJudgedError(
            f"the event {context.event} names no base commit, so nothing trusted can be compared with"
        )
    if has_commit(root, commit) and not lacks_files(root):
        return GitFiles(root, commit)
    reason = "no github-token was given"
    if github is not None:
        try:
            # Without access every path is "not found", which must not be read as "the base has no such file".
            if github.has_commit(commit):
                return ApiFiles(github, commit)
            reason = "the github-token cannot see it"
        except ApiError as error:
            reason = error.problems[0]
    if fetch_commit(root, commit) and has_commit(root, commit):
        return GitFiles(root, commit)
    raise NotJudgedError(
        f"the base commit {commit[:12]} cannot be read ({reason}; git fetch failed as well), and the gate does not take "
        f"its rules from the pull request itself: {_FIX}"
    )


def refuse_base_checkout(context: Context, root: Path) -> None:
    """Refuse to measure the base and call it the pull request.

    Raises:
        NotJudgedError: on ``pull_request_target`` and ``issue_comment`` without the pull request's own files.
    """
    if context.event not in BASE_CHECKOUT or context.head_sha is None:
        return
    here, parents = ask_git(root, "rev-parse", "HEAD"), merge_parents(root)
    if here == context.head_sha or (parents is not None and parents.head == context.head_sha):
        return
    raise NotJudgedError(
        f"{context.event} checks out the base branch, so the recorded run here is not the pull request's; evaluate on "
        "pull_request, and comment on forks from workflow_run (docs/how-to/run-on-github.md)"
    )
