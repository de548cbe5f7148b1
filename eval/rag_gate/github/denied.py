"""What it means that GitHub does not take a comment, in words for the log; the verdict does not hang on it."""

from rag_gate.github.answers import ApiError
from rag_gate.github.event import Context

_FORBIDDEN, _UNAUTHORISED, _NOT_FOUND, _INVALID, _BUSY = 403, 401, 404, 422, 429
_STAGES = "a second workflow on workflow_run can write it (docs/how-to/run-on-github.md)"


def why_denied(error: ApiError, context: Context) -> str:
    """Return why there is no comment, and what to do."""
    said = {
        _NOT_FOUND: f"pull request {context.pull} is not to be found with this token",
        _INVALID: f"GitHub does not take it ({error.message})",
        _BUSY: "GitHub asks to wait longer than this job can",
    }
    if error.status in {_FORBIDDEN, _UNAUTHORISED}:
        return f"no comment: {_read_only(error, context)}"
    return f"no comment: {said.get(error.status or 0, error.problems[0])}"


def _read_only(error: ApiError, context: Context) -> str:
    if context.is_fork:
        return f"the token of a pull request from a fork can only read; {_STAGES}"
    if context.is_dependabot:
        return f"the token of a run that Dependabot started can only read; {_STAGES}"
    return (
        "the token may not write to pull requests; add 'permissions: pull-requests: write' to the job "
        f"(GitHub says: {error.message})"
    )
