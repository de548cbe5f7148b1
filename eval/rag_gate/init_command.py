"""The command ``init``: golden set, settings, workflow and reviewers for a user's repository."""

import re
from collections.abc import Iterator
from pathlib import Path

from rag_gate.cli_support import say
from rag_gate.errors import ConfigError
from rag_gate.files import read_text, write_text
from rag_gate.resources import shipped
from rag_gate.starting.command import SETTINGS, Wish, nothing_found, start

#: Where each shipped file goes; the second says whether one that is there is an error.
_FILES = (
    ("rag-gate.yml", Path(".github/workflows/rag-gate.yml")),
    ("rag-gate-comment.yml", Path(".github/workflows/rag-gate-comment.yml")),
)
_NEXT = "next: golden.jsonl and a run of your bot, then rag-gate run, then rag-gate promote --reason 'first baseline'"
#: GitHub takes the first of these that there is.
_OWNERS = (Path(".github/CODEOWNERS"), Path("CODEOWNERS"), Path("docs/CODEOWNERS"))
_RULES = ("/rag-gate.yml", "/golden.jsonl", "/baseline*", "/.github/")
_OWNER = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]*(?:/[\w.-]+)?|[^\s@#]+@[^\s@#]+\.[^\s@#]+", re.ASCII)


def run_init(folder: Path, wish: Wish, owner: str | None, *, github: bool, force: bool) -> None:
    """Write what a repository needs; nothing that is there is lost.

    Args:
        folder: root of the repository.
        wish: which questions to take.
        owner: who reviews changes of the rules; None = the lines are only shown.
        github: write the workflows as well.
        force: write over files that are there; settings are never written over together with workflows.

    Raises:
        ConfigError: if a file is there already, or the owner is no name; nothing was written then.
        InputError: if there are no questions and no workflow is asked for.
    """
    if owner is not None and not _OWNER.fullmatch(owner):
        raise ConfigError(f"--owner: must be @user, @org/team or an e-mail address, found '{owner[:60]}'")
    there = [str(target) for _, target in _FILES if (folder / target).exists()] if github else []
    if there and not force:
        raise ConfigError(
            f"{', '.join(there)}: is there already; look at it, and say --force to write over it"
        )
    kept = github and (folder / SETTINGS).exists()
    started = not kept and start(folder, wish, force=force)
    if not github and not started:
        raise nothing_found(folder)
    if github:
        _write_workflows(folder, owner, has_settings=kept or started)
        if not started:
            say([_NEXT])


def _write_workflows(folder: Path, owner: str | None, *, has_settings: bool) -> None:
    source = shipped("templates") / "github"
    for name, target in _FILES:
        write_text(folder / target, read_text(source / name))
        say([f"wrote {target}"])
    if not has_settings:
        write_text(folder / SETTINGS, read_text(source / "settings.yml"))
        say([f"wrote {SETTINGS}"])
    say(_reviewers(folder, owner))


def _reviewers(folder: Path, owner: str | None) -> Iterator[str]:
    """Add the rules to CODEOWNERS, or say which lines belong there."""
    path = next((found for found in _OWNERS if (folder / found).is_file()), _OWNERS[0])
    lines = [f"{rule} {owner or '@your-team'}" for rule in _RULES]
    text = read_text(folder / path) if (folder / path).is_file() else ""
    known = {line.split(" ")[0] for line in text.splitlines() if line.strip()}
    missing = [line for line in lines if line.split(" ")[0] not in known]
    if owner is None:
        yield f"so that nobody changes the rules alone, add to {path} (or say --owner):"
        yield from (f"  {line}" for line in lines)
    elif missing:
        start = f"{text.rstrip()}\n\n" if text.strip() else ""
        write_text(
            folder / path,
            f"{start}# What decides whether a change makes the bot worse.\n" + "\n".join(missing) + "\n",
        )
        yield f"wrote {path}"
    else:
        yield f"{path} names the rules already"
