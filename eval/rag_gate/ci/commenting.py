"""Put the report on the pull request. The verdict does not hang on it: what goes wrong here is a warning."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rag_gate.errors import ConfigError, RagGateError
from rag_gate.files import read_text
from rag_gate.github.answers import ApiError
from rag_gate.github.client import GitHub
from rag_gate.github.commands import Annotation
from rag_gate.github.denied import why_denied
from rag_gate.github.event import Context
from rag_gate.github.marker import Stamp, gate_of
from rag_gate.github.sticky import Sticky

#: Variables that may hold the token, the first that is set counts.
_TOKENS = ("RAG_GATE_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
_ON = frozenset(
    {
        "pull_request",
        "pull_request_target",
        "pull_request_review",
        "pull_request_review_comment",
        "issue_comment",
        "workflow_run",
    }
)


@dataclass(frozen=True)
class Said:
    """What became of the comment.

    Attributes:
        url: its page, None where there is none.
        warning: why there is none, None where there is nothing to say.
        line: what happened, for the log.
    """

    url: str | None = None
    warning: Annotation | None = None
    line: str | None = None


def token_of(environ: Mapping[str, str]) -> str:
    """Return the token, empty where there is none."""
    return next((value for name in _TOKENS if (value := environ.get(name, "").strip())), "")


@contextmanager
def open_github(context: Context, environ: Mapping[str, str]) -> Iterator[GitHub | None]:
    """Provide a client, None without a token."""
    token = token_of(environ)
    if not token:
        yield None
        return
    with GitHub(context.run.api_url, context.repository, token) as github:
        yield github


def say_on_pull(
    context: Context, github: GitHub | None, text: str, gate_id: str, *, create: bool = True
) -> Said:
    """Create or update the sticky comment.

    Args:
        context: which pull request and commit.
        github: None without a token.
        text: the report.
        gate_id: name in the hidden marker.
        create: whether to write one where there is none yet.
    """
    if context.pull is None or context.event not in _ON:
        return Said(line=f"no comment on {context.event}; the report is in the summary of the run")
    if github is None:
        return _no("no comment: no github-token was given; the report is in the summary of the run")
    stamp = Stamp(context.head_sha or "unknown", context.run.id, context.run.attempt)
    try:
        posted = Sticky(github, context.pull, gate_id, stamp, context.source_run).post(text, create=create)
    except ApiError as error:
        return _no(f"{why_denied(error, context)}. The report is in the summary of the run.")
    except RagGateError as error:
        return _no(f"no comment: {error.problems[0]}")
    if posted.outcome == "superseded":
        return Said(
            posted.url,
            line="the comment was left alone: a newer commit or run of this pull request has spoken",
        )
    return Said(posted.url, line=f"comment {posted.outcome}{f': {posted.url}' if posted.url else ''}")


def comment_file(path: Path, gate_id: str | None) -> tuple[str, str]:
    """Return a report and the name of its gate, from its first line unless one is given.

    Raises:
        InputError: if the file cannot be read.
        ConfigError: if it is no report of rag-gate and no name is given.
    """
    text = read_text(path)
    found = gate_id or gate_of(text)
    if found is None:
        raise ConfigError(
            f"{path}: its first line is no marker of rag-gate; write it with rag-gate report, or give --comment-id"
        )
    return text, found


def _no(why: str) -> Said:
    return Said(warning=Annotation("warning", "rag-gate: no comment", why))
