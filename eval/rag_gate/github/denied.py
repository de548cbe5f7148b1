"""What it means that GitHub does not take a comment, in words for the log; the verdict does not hang on it."""

from rag_gate.github.answers import ApiError
from rag_gate.github.event import Context

_FORBIDDEN, _UNAUTHORISED, _NOT_FOUND, _INVALID, _BUSY = 403, 401, 404, 422, 429
_STAGES = "a second workflow on workflow_run can write it (docs/how-to/run-on-github.md)"


def why_denied(error: ApiError, context: Context) -> str:
    """Return why there is no comment, and what to do."""
    if error.status in {_FORBIDDEN, _UNAUTHORISED}:
        if context.is_fork:
            return f"no comment: the token of a pull request from a fork can only read; {_STAGES}"
        if context.is_dependabot:
            return f"no comment: the token of a run that Dependabot started can only read; {_STAGES}"
        return (
            "no comment: the token may not write to pull requests; add 'permissions: pull-requests: write' to the job "
            f"(GitHub says: {error.message})"
        )
    if error.status == _NOT_FOUND:
        return f"no comment: pull request {context.pull} is not to be found with this token"
    if error.status == _INVALID:
        return f"no comment: GitHub does not take it ({error.message})"
    if error.status == _BUSY:
        return "no comment: GitHub asks to wait longer than this job can"
    return f"no comment: {error}"
