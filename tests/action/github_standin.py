"""GitHub's API on loopback: remembers comments, serves a repository's files, and checks requests and answers.

What it checks them against is GitHub's own description; every breach is kept in ``problems``.
"""

import base64
import json
import re
import subprocess
import threading
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, unquote, urlsplit

from github_answers import DESCRIPTION, answer
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

BOT = "github-actions[bot]"
_LONGEST = 65_536
_DENIED = "Resource not accessible by integration"
_HOST = "https://api.github.com"
_DEFAULT_PAGE = 30


class Reply(NamedTuple):
    status: int
    content: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


class Asked(NamedTuple):
    method: str
    path: str
    status: int


@dataclass
class GitHubStandin:
    """One repository, ``org/app``, behind GitHub's API.

    Attributes:
        repository: the git repository that holds its commits.
        readonly: whether the token may only read, as for pull requests from forks.
        pulls: the open pull requests.
        comments: pull request -> its comments, oldest first.
        artifacts: run -> name and archive of each artifact.
        asked: every request and its status.
        problems: what GitHub's description does not allow.
        failures: statuses to answer with, in turn, before anything else.
    """

    repository: Path | None = None
    readonly: bool = False
    pulls: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    artifacts: dict[int, list[tuple[str, bytes]]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    _next: int = 100

    def __enter__(self) -> Self:
        standin = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def handle_any(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                standin.serve(self, self.rfile.read(length))

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any  # noqa: N815 - as the library calls them

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._lock = threading.Lock()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The address to use as GITHUB_API_URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def bodies(self) -> list[str]:
        """The texts of all comments by the workflow's own user."""
        return [row["body"] for rows in self.comments.values() for row in rows if row["user"]["login"] == BOT]

    def add_comment(self, pull: int, body: str, author: str = BOT) -> dict[str, Any]:
        """Put a comment there."""
        self._next += 1
        user = answer("simple-user", login=author)
        made = answer("issue-comment", id=self._next, body=body, user=user)
        made["html_url"] = f"https://github.com/org/app/pull/{pull}#issuecomment-{self._next}"
        self.comments.setdefault(pull, []).append(made)
        return made

    def open_pull(self, number: int, head: tuple[str, str, str], base: str, author: str = "kim") -> None:
        """Open a pull request, or push to it.

        Args:
            number: its number.
            head: repository, branch and commit.
            base: the commit of main.
            author: who opened it.
        """
        repository, branch, commit = head
        owner = repository.partition("/")[0]
        known = {
            "number": number,
            "state": "open",
            "user": answer("simple-user", login=author),
            "head": {"label": f"{owner}:{branch}", "ref": branch, "sha": commit},
            "base": {"label": "org:main", "ref": "main", "sha": base},
        }
        self.pulls[:] = [row for row in self.pulls if row["number"] != number]
        self.pulls.append(known | {"repository": repository})

    def serve(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        """Answer one request."""
        with self._lock:
            try:
                reply = self._reply(handler, body)
            except Exception as error:  # noqa: BLE001 - a fault of the stand-in must not look like one of GitHub
                reply = _error(500, "fault of the stand-in")
                self.problems.append(f"fault of the stand-in: {error!r}")
            self.asked.append(Asked(handler.command, handler.path, reply.status))
            self.problems += _breaches(handler, body, reply)
        content, kind = reply.content, "application/json; charset=utf-8"
        if isinstance(content, bytes):
            kind = "application/octet-stream"
        else:
            content = b"" if content is None else json.dumps(content).encode()
        handler.send_response(reply.status)
        handler.send_header("content-type", kind)
        handler.send_header("content-length", str(len(content)))
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    def _reply(self, handler: BaseHTTPRequestHandler, body: bytes) -> Reply:
        if self.failures:
            return _error(self.failures.pop(0), "Something went wrong")
        if self.readonly and handler.command != "GET":
            return _error(403, _DENIED)
        parts = urlsplit(handler.path)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        for method, pattern, name in _ROUTES:
            match = re.fullmatch(pattern, unquote(parts.path))
            if match and method == handler.command:
                document = json.loads(body) if body else {}
                found: Reply = getattr(self, name)(
                    *match.groups(), query | {"accept": handler.headers["accept"] or ""}, document
                )
                return found
        return _error(404, "Not Found")

    def _list_comments(self, pull: str, query: dict[str, str], _: Any) -> Reply:
        rows = self.comments.get(int(pull), [])
        size, page = int(query.get("per_page", _DEFAULT_PAGE)), int(query.get("page", 1))
        following = f"{self.url}/repos/org/app/issues/{pull}/comments?per_page={size}&page={page + 1}"
        more = {"link": f'<{following}>; rel="next"'} if len(rows) > size * page else {}
        return Reply(200, rows[size * (page - 1) : size * page], more)

    def _create_comment(self, pull: str, _: Any, document: dict[str, Any]) -> Reply:
        refused = _too_long(document)
        return refused or Reply(201, self.add_comment(int(pull), document["body"]))

    def _update_comment(self, comment: str, _: Any, document: dict[str, Any]) -> Reply:
        for rows in self.comments.values():
            for row in rows:
                if row["id"] == int(comment):
                    refused = _too_long(document)
                    if refused is None:
                        row["body"] = document["body"]
                    return refused or Reply(200, row)
        return _error(404, "Not Found")

    def _delete_comment(self, comment: str, *_: Any) -> Reply:
        for rows in self.comments.values():
            rows[:] = [row for row in rows if row["id"] != int(comment)]
        return Reply(204)

    def _list_pulls(self, query: dict[str, str], _: Any) -> Reply:
        head = query.get("head")
        found = [pull for pull in self.pulls if head in (None, pull["head"]["label"])]
        return Reply(200, [_pull("pull-request-simple", row) for row in found])

    def _get_pull(self, number: str, *_: Any) -> Reply:
        found = [row for row in self.pulls if row["number"] == int(number)]
        return Reply(200, _pull("pull-request", found[0])) if found else _error(404, "Not Found")

    def _create_pull(self, _: Any, document: dict[str, Any]) -> Reply:
        if any(row["head"]["ref"] == document["head"] for row in self.pulls):
            return _error(422, f"A pull request already exists for org:{document['head']}.")
        self._next += 1
        self.open_pull(self._next, ("org/app", document["head"], "0" * 40), "0" * 40, BOT)
        address = f"https://github.com/org/app/pull/{self._next}"
        self.pulls[-1] |= {"title": document["title"], "body": document["body"], "html_url": address}
        return Reply(201, _pull("pull-request", self.pulls[-1]))

    def _commit(self, commit: str, *_: Any) -> Reply:
        if self._git("cat-file", "-e", f"{commit}^{{commit}}") is None:
            return _error(404, "Not Found")
        return Reply(200, answer("git-commit", sha=commit))

    def _contents(self, path: str, query: dict[str, str], _: Any) -> Reply:
        listed = self._git("ls-tree", query["ref"], "--", path)
        if not listed:
            return _error(404, "Not Found")
        if listed.split()[1] == b"tree":
            below = (
                (self._git("ls-tree", "--name-only", query["ref"], "--", f"{path}/") or b"")
                .decode()
                .splitlines()
            )
            rows = DESCRIPTION["components"]["schemas"]["content-directory"]["items"]["required"]
            entry = dict.fromkeys(rows, None) | {
                "type": "file",
                "size": 1,
                "sha": "x",
                "url": "https://example.org/x",
            }
            entry["_links"] = {"self": "https://example.org/x", "git": None, "html": None}
            return Reply(200, [entry | {"path": name, "name": name.rsplit("/", 1)[-1]} for name in below])
        data = self._git("cat-file", "blob", f"{query['ref']}:{path}") or b""
        if "raw" in query["accept"]:
            return Reply(200, data)
        content = base64.encodebytes(data).decode()
        return Reply(
            200,
            answer(
                "content-file", type="file", encoding="base64", path=path, size=len(data), content=content
            ),
        )

    def _list_artifacts(self, run: str, *_: Any) -> Reply:
        rows = [
            answer("artifact", id=int(run) * 1000 + number, name=name, size_in_bytes=len(data), expired=False)
            for number, (name, data) in enumerate(self.artifacts.get(int(run), []))
        ]
        return Reply(200, {"total_count": len(rows), "artifacts": rows})

    def _artifact(self, number: str, *_: Any) -> Reply:
        run, index = divmod(int(number), 1000)
        return Reply(200, self.artifacts[run][index][1])

    def _user(self, *_: Any) -> Reply:
        return _error(403, _DENIED)

    def _git(self, *arguments: str) -> bytes | None:
        command = ["git", "-C", str(self.repository), *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        return done.stdout if done.returncode == 0 else None


_REPO = "/repos/org/app"
_ROUTES = (
    ("GET", rf"{_REPO}/issues/(\d+)/comments", "_list_comments"),
    ("POST", rf"{_REPO}/issues/(\d+)/comments", "_create_comment"),
    ("PATCH", rf"{_REPO}/issues/comments/(\d+)", "_update_comment"),
    ("DELETE", rf"{_REPO}/issues/comments/(\d+)", "_delete_comment"),
    ("GET", rf"{_REPO}/pulls", "_list_pulls"),
    ("POST", rf"{_REPO}/pulls", "_create_pull"),
    ("GET", rf"{_REPO}/pulls/(\d+)", "_get_pull"),
    ("GET", rf"{_REPO}/git/commits/([0-9a-f]{{40}})", "_commit"),
    ("GET", rf"{_REPO}/contents/(.+)", "_contents"),
    ("GET", rf"{_REPO}/actions/runs/(\d+)/artifacts", "_list_artifacts"),
    ("GET", rf"{_REPO}/actions/artifacts/(\d+)/zip", "_artifact"),
    ("GET", "/user", "_user"),
)


def _pull(schema: str, known: dict[str, Any]) -> dict[str, Any]:
    """Return a pull request in the form of a list or of its own page."""
    repository = answer("repository", full_name=known["repository"])
    made = answer(schema, **{key: value for key, value in known.items() if key != "repository"})
    made["head"]["repo"] = repository
    return made


def _error(status: int, message: str) -> Reply:
    return Reply(
        status,
        {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)},
    )


def _too_long(document: dict[str, Any]) -> Reply | None:
    if len(document.get("body", "")) <= _LONGEST:
        return None
    return _error(422, "Body is too long (maximum is 65536 characters)")


@cache
def _description() -> OpenAPI:
    return OpenAPI.from_dict(DESCRIPTION)


def _breaches(handler: BaseHTTPRequestHandler, body: bytes, reply: Reply) -> list[str]:
    """Return what GitHub's description does not allow of a request and, where it was one, of our own answer."""
    parts = urlsplit(handler.path)
    # A path inside the repository is one parameter, which OpenAPI cannot say.
    before, contents, inside = parts.path.partition("/contents/")
    request = MockRequest(
        _HOST,
        handler.command.lower(),
        before + contents + inside.replace("/", "-"),
        args={key: values[-1] for key, values in parse_qs(parts.query).items()},
        headers=dict(handler.headers),
        data=body or None,
        content_type="application/json",
    )
    try:
        _description().validate_request(request)
    except Exception as error:  # noqa: BLE001 - the library raises many kinds; all are kept
        return [f"{handler.command} {handler.path}: {error!r} {error.__cause__!r}"]
    if isinstance(reply.content, bytes) or reply.status >= 500 or reply.content is None:
        return []
    response = MockResponse(json.dumps(reply.content).encode(), reply.status, content_type="application/json")
    try:
        _description().validate_response(request, response)
    except Exception as error:  # noqa: BLE001 - likewise
        undocumented = reply.status in {403, 404, 422, 429}
        return (
            []
            if undocumented
            else [f"own answer to {handler.command} {handler.path}: {error!r} {error.__cause__!r}"]
        )
    return []
