"""What an event means for the gate: which pull request, which commits, how far it can be trusted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rag_gate.errors import ConfigError
from rag_gate.files import parse_json, read_bytes
from rag_gate.github.payload import Payload
from rag_gate.records.partial import TierName

_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+\Z", re.ASCII)
_QUEUE = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([0-9]{1,10})-[0-9a-f]{7,64}\Z")
_DEPENDABOT = "dependabot[bot]"
_LARGEST = 30_000_000
#: Events whose checkout is, unless the workflow asks otherwise, not the pull request's code.
BASE_CHECKOUT = frozenset({"pull_request_target", "issue_comment"})
#: Events that are about a pull request, even where the payload does not say which.
_PROPOSED = frozenset({"pull_request", "pull_request_target", "merge_group", "workflow_run"})
_PULL_REF = re.compile(r"refs/pull/[0-9]{1,10}/")


@dataclass(frozen=True)
class Run:
    """The workflow run that is at work.

    Attributes:
        id, attempt: 0 where they are not known.
        api_url, server_url: from the environment, so that GitHub Enterprise Server works.
    """

    id: int
    attempt: int
    api_url: str
    server_url: str

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Run":
        """Take it from the environment of GitHub Actions.

        Raises:
            ConfigError: if an address there is none that a token may be sent to.
        """
        return cls(
            id=_whole(environ, "GITHUB_RUN_ID"),
            attempt=_whole(environ, "GITHUB_RUN_ATTEMPT"),
            api_url=_address(environ, "GITHUB_API_URL", "https://api.github.com"),
            server_url=_address(environ, "GITHUB_SERVER_URL", "https://github.com"),
        )


@dataclass(frozen=True)
class Context:
    """What is known about the event; None = the event does not say.

    Attributes:
        event: its name, such as ``pull_request``.
        repository: owner/name.
        pull: number of the pull request; the API knows it for ``workflow_run``.
        head_sha: the commit that is judged, never the temporary merge commit.
        base_sha, base_ref: what it is to be merged into, at the time of the event.
        head_owner, head_branch: where the head comes from.
        is_fork: whether the head is in another repository.
        is_dependabot: whether Dependabot started it: then there are no secrets of Actions.
        on_default_branch: whether the commit is on the default branch already.
        is_proposed: whether the commit is not yet part of the branch that decides what is right.
        source_run: for ``workflow_run``, the id of the run that has ended.
        run: the present run.
    """

    event: str
    repository: str
    run: Run
    pull: int | None = None
    head_sha: str | None = None
    base_sha: str | None = None
    base_ref: str | None = None
    head_owner: str | None = None
    head_branch: str | None = None
    is_fork: bool = False
    is_dependabot: bool = False
    on_default_branch: bool = False
    is_proposed: bool = False
    source_run: int | None = None

    @property
    def tier(self) -> TierName:
        """Core on pull requests; extended on the default branch, in the merge queue and on schedule."""
        wide = self.event in {"merge_group", "schedule"} or (self.event == "push" and self.on_default_branch)
        return "extended" if wide else "core"

    @property
    def run_url(self) -> str | None:
        """The page of the present run."""
        return f"{self.run.server_url}/{self.repository}/actions/runs/{self.run.id}" if self.run.id else None


def read_context(environ: Mapping[str, str]) -> Context:
    """Return what the event file and the environment of GitHub Actions say.

    Raises:
        ConfigError: outside GitHub Actions, or where the two hold something that cannot be.
    """
    path, name = environ.get("GITHUB_EVENT_PATH", ""), environ.get("GITHUB_EVENT_NAME", "")
    if not path or not name:
        raise ConfigError(
            "GITHUB_EVENT_PATH and GITHUB_EVENT_NAME are not set: this command works inside GitHub Actions; "
            "elsewhere use rag-gate run"
        )
    file = Path(path)
    data = read_bytes(file)
    if len(data) > _LARGEST:
        raise ConfigError(f"{path}: is larger than 30 MB; that is no event of GitHub")
    document = parse_json(data, path)
    if not isinstance(document, dict):
        raise ConfigError(f"{path}: an event is a JSON object, found {type(document).__name__}")
    return context_of(name, document, environ)


def context_of(name: str, event: Mapping[str, Any], environ: Mapping[str, str]) -> Context:
    """Return what an event means; pure, see ``read_context``."""
    payload = Payload(event)
    repository = environ.get("GITHUB_REPOSITORY", "") or payload.text("repository", "full_name") or ""
    if not _REPOSITORY.match(repository):
        raise ConfigError(f"GITHUB_REPOSITORY: must be owner/name, found '{repository[:100]}'")
    known: dict[str, Any] = {
        "event": name,
        "repository": repository,
        "run": Run.of(environ),
        "is_dependabot": _DEPENDABOT in (environ.get("GITHUB_ACTOR"), payload.text("sender", "login")),
    }
    if payload.has("pull_request"):
        known |= _of_pull(payload, repository)
    elif name == "merge_group":
        known |= _of_queue(payload)
    elif name == "workflow_run":
        known |= _of_run(payload, repository)
    elif name == "issue_comment":
        on_pull = payload.has("issue", "pull_request")
        known |= {"pull": payload.number("issue", "number") if on_pull else None}
    else:
        known |= _of_branch(name, payload, environ)
    # By what is there, not by a list of names: an event that is not known must not let a pull request decide for itself.
    proposed = known.get("pull") is not None or payload.has("pull_request") or name in _PROPOSED
    on_pull_ref = _PULL_REF.match(environ.get("GITHUB_REF", "")) is not None
    return Context(**known, is_proposed=proposed or on_pull_ref)


def _of_pull(payload: Payload, repository: str) -> dict[str, Any]:
    head_repository = payload.text("pull_request", "head", "repo", "full_name")
    author = payload.text("pull_request", "user", "login")
    found = {
        "pull": payload.number("pull_request", "number"),
        "head_sha": payload.sha("pull_request", "head", "sha"),
        "base_sha": payload.sha("pull_request", "base", "sha"),
        "base_ref": payload.text("pull_request", "base", "ref"),
        "head_owner": payload.text("pull_request", "head", "repo", "owner", "login"),
        "head_branch": payload.text("pull_request", "head", "ref"),
        # A deleted fork has no repository any more.
        "is_fork": head_repository is None or head_repository.lower() != repository.lower(),
    }
    return found | ({"is_dependabot": True} if author == _DEPENDABOT else {})


def _of_queue(payload: Payload) -> dict[str, Any]:
    match = _QUEUE.match(payload.text("merge_group", "head_ref") or "")
    return {
        "pull": int(match[1]) if match else None,
        "head_sha": payload.sha("merge_group", "head_sha"),
        "base_sha": payload.sha("merge_group", "base_sha"),
        "base_ref": (payload.text("merge_group", "base_ref") or "").removeprefix("refs/heads/") or None,
    }


def _of_run(payload: Payload, repository: str) -> dict[str, Any]:
    head = payload.text("workflow_run", "head_repository", "full_name")
    return {
        "head_sha": payload.sha("workflow_run", "head_sha"),
        "head_branch": payload.text("workflow_run", "head_branch"),
        "head_owner": payload.text("workflow_run", "head_repository", "owner", "login"),
        "is_fork": head is not None and head.lower() != repository.lower(),
        "source_run": payload.number("workflow_run", "id"),
    }


def _of_branch(name: str, payload: Payload, environ: Mapping[str, str]) -> dict[str, Any]:
    default = payload.text("repository", "default_branch")
    ref = payload.text("ref") or environ.get("GITHUB_REF", "")
    sha = payload.sha("after") if name == "push" else None
    return {
        "head_sha": sha or Payload({"sha": environ.get("GITHUB_SHA")}).sha("sha"),
        "head_branch": ref.removeprefix("refs/heads/") or None,
        # A schedule runs on the default branch only; its payload need not say what that is called.
        "on_default_branch": name == "schedule" or (default is not None and ref == f"refs/heads/{default}"),
    }


def _whole(environ: Mapping[str, str], name: str) -> int:
    value = environ.get(name, "")
    return int(value) if re.fullmatch(r"[0-9]{1,18}", value, re.ASCII) else 0


def _address(environ: Mapping[str, str], name: str, default: str) -> str:
    """Return an address without its last slash; a token goes there, so plain HTTP only to this machine."""
    value = (environ.get(name) or default).rstrip("/")
    parts = urlsplit(value)
    is_local = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    if parts.scheme != "https" and not (parts.scheme == "http" and is_local):
        raise ConfigError(f"{name}: must be an https address")
    return value
