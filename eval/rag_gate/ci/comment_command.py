"""The command ``comment``: post a report as the sticky comment of the event's pull request."""

import os
from pathlib import Path

from rag_gate.ci.commenting import comment_file, open_github, say_on_pull
from rag_gate.ci.pulls import completed, pull_of
from rag_gate.cli_support import emit, say
from rag_gate.github.client import GitHub
from rag_gate.github.commands import lines_of
from rag_gate.github.event import Context, read_context
from rag_gate.github.marker import without_head
from rag_gate.github.step_files import write_outputs, write_summary


def run_comment(path: Path, gate_id: str | None) -> None:
    """Post a report as the sticky comment of the event's pull request.

    Raises:
        RagGateError: if there is no event, or no report.
    """
    environ = dict(os.environ)
    text, name = comment_file(path, gate_id)
    context = read_context(environ)
    write_summary(environ.get("GITHUB_STEP_SUMMARY"), without_head(text))
    with open_github(context, environ) as github:
        said = say_on_pull(_with_pull(context, github), github, text, name)
    for line in lines_of([said.warning] if said.warning else []):
        emit(line)
    say([said.line] if said.line else [])
    write_outputs(environ.get("GITHUB_OUTPUT"), {"comment-url": said.url or ""})


def _with_pull(context: Context, github: GitHub | None) -> Context:
    """Find the pull request of an event that does not say its number."""
    if context.event != "workflow_run" or github is None:
        return completed(context, github)
    return pull_of(context, github) or context
