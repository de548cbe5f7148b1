"""Whether a workflow run may become the baseline: one of the default branch's own code, by the workflow that gates it."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from rag_gate.errors import ConfigError
from rag_gate.github.answers import ApiError
from rag_gate.github.client import GitHub
from rag_gate.github.payload import Payload

#: In runs of these events the default branch's code measures, and nobody else's.
_EVENTS = frozenset({"push", "schedule", "workflow_dispatch"})
_NOT_FOUND = 404


def refuse_unfit_run(github: GitHub, repository: str, run: int, branch: str, workflow: str) -> None:
    """Refuse a run whose results anybody else may have written; what GitHub does not say counts against it.

    Args:
        github: the repository.
        repository: its name, owner/name.
        run: id of the run.
        branch: the default branch.
        workflow: file name of the workflow that gates it.

    Raises:
        ConfigError: one line for each reason.
        ApiError: if GitHub does not answer.
    """
    try:
        found = Payload(github.workflow_run(run))
    except ApiError as error:
        if error.status != _NOT_FOUND:
            raise
        raise ConfigError(f"run-id: {repository} has no workflow run {run}") from None
    problems = list(_problems(found, repository, run, branch, workflow))
    commit = found.sha("head_sha")
    if not problems and (commit is None or not github.is_on_branch(commit, branch)):
        problems.append(f"its commit {str(commit)[:12]} is not on {branch} (any more)")
    if problems:
        raise ConfigError.of(
            f"run-id: run {run} cannot become the baseline: {problem}" for problem in problems
        )


def _problems(found: Payload, repository: str, run: int, branch: str, workflow: str) -> Iterator[str]:
    if found.number("id") != run:
        yield "GitHub answers with another run"
    for key in ("repository", "head_repository"):
        name = found.text(key, "full_name") or "unknown"
        if name.lower() != repository.lower():
            yield f"its {key.replace('_', ' ')} is {name}, not {repository}"
    event = found.text("event") or "unknown"
    if event not in _EVENTS:
        yield f"it was started by {event}; only {', '.join(sorted(_EVENTS))} run the code of {branch}"
    if (ref := found.text("head_branch")) != branch:
        yield f"it ran on {ref or 'no branch'}, not on {branch}"
    # GitHub may add the ref: .github/workflows/gate.yml@refs/heads/main
    file = PurePosixPath((found.text("path") or "").partition("@")[0])
    if file != PurePosixPath(".github/workflows") / workflow:
        yield f"its workflow is {file}, not {workflow} (the input 'workflow' names it)"
    if found.text("status") != "completed":
        yield f"it is not completed ({found.text('status') or 'unknown'})"
