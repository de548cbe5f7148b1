"""Ask git about a folder, without a shell, without prompts and without programs that a repository names."""

import os
import shutil
import subprocess
from pathlib import Path

_LONGEST_WAIT = 30
_LONGEST_FETCH = 300
#: Where these point elsewhere (as inside a hook), the folder of the run still decides.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE")
#: A repository may name a program as its file system monitor, which git would start; and a folder in a work tree may look
#: like a repository without one, which git would take for the one that is meant, with its settings.
_SAFE = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit")
_QUIET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}


def ask_git(folder: Path, *arguments: str) -> str | None:
    """Return what git answers, as text; None where there is no git or no answer."""
    found = read_git(folder, *arguments)
    return None if found is None else os.fsdecode(found).strip("\n")


def read_git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git answers, as it is; None where there is no git or no answer."""
    return _run(folder, arguments, _LONGEST_WAIT)


def fetch_commit(folder: Path, commit: str) -> bool:
    """Fetch one commit, without its history, from ``origin``; tell whether it came."""
    arguments = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--depth=1", "origin", commit)
    return _run(folder, arguments, _LONGEST_FETCH) is not None


def _run(folder: Path, arguments: tuple[str, ...], timeout: int) -> bytes | None:
    program = shutil.which("git")
    if program is None or not folder.is_dir():
        return None
    environment = {key: value for key, value in os.environ.items() if key not in _ELSEWHERE}
    command = [program, *_SAFE, *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, our own words, and commits that are hexadecimal
            command,
            cwd=folder,
            env={**environment, **_QUIET},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None  # a git that cannot be used knows nothing
    return done.stdout if done.returncode == 0 else None
