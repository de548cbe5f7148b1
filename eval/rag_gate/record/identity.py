"""What a recording was made of, so that nothing is joined that does not belong together."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rag_gate.config_target import TargetConfig
from rag_gate.files import fingerprint, fingerprint_bytes
from rag_gate.git import ask_git, read_git
from rag_gate.record.question import Question

#: Limits that change nothing about an answer.
_HARMLESS = frozenset(
    {
        "concurrency",
        "requests_per_minute",
        "timeout_s",
        "deadline_s",
        "max_attempts",
        "warmup",
        "latency",
        "manifest",
    }
)


@dataclass(frozen=True, slots=True)
class CodeState:
    """What git knows about the bot's code; None = nothing.

    Attributes:
        commit: that is checked out.
        dirty: whether tracked files have other contents.
        fingerprint: of both.
    """

    commit: str | None = None
    dirty: bool | None = None
    fingerprint: str | None = None


def code_state(folder: Path, ours: Iterable[Path]) -> CodeState:
    """Ask git about a folder.

    Args:
        folder: where the settings stand.
        ours: files and folders that rag-gate writes; changes there do not count.
    """
    top, commit = ask_git(folder, "rev-parse", "--show-toplevel"), ask_git(folder, "rev-parse", "HEAD")
    if not top or not commit:
        return CodeState()
    root = Path(os.path.realpath(top))
    real = [Path(os.path.realpath(path)) for path in ours]
    inside = [path.relative_to(root).as_posix() for path in real if root in path.parents]
    left_out = [f":(exclude,top,literal){name}" for name in inside]
    changes = read_git(
        root, "diff", "--no-ext-diff", "--no-textconv", "--binary", "HEAD", "--", ":/", *left_out
    )
    if changes is None:
        return CodeState(commit)
    return CodeState(commit, bool(changes), fingerprint([commit, fingerprint_bytes(changes)]))


def questions_fingerprint(questions: Iterable[Question]) -> str:
    """Return what stands for all that is asked: ids, questions, and what else a bot is told. Labels do not count."""
    return fingerprint([[item.question_id, item.question, item.language, item.tenant] for item in questions])


def target_fingerprint(config: TargetConfig, address: str | None) -> str:
    """Return what stands for the bot and how it is asked.

    Args:
        config: the settings; limits do not count. Of values of the environment it holds the names only.
        address: what stands for the address that the environment gives.
    """
    known = config.model_dump(mode="json", exclude=set(_HARMLESS), exclude_none=True)
    return fingerprint([known, address])[:16]
