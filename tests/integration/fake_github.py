"""A stand-in for GitHub's API on loopback, with a memory; see ``openapi_slice`` for what keeps it honest."""

import base64
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from openapi_slice import Asked, problem_with, smallest

BOT = "github-actions[bot]"
TOKEN = "a-token-of-the-workflow-0123456789"
READ_ONLY = "a-token-that-can-only-read-0123456789"
STRANGER = "a-token-without-access-0123456789"
_LONGEST = 65_536
Row = dict[str, Any]


@dataclass
class Fault:
    """An answer that takes the place of the true one, once."""

    method: str
    path: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "fault"


@dataclass
class FakeGitHub:
    """The state, and what tests may look at.

    ``people`` maps tokens to who they belong to; a workflow's own token, and those of ``apps``, may not ask for that.
    ``before`` is called before each request is answered: a place for what happens meanwhile.
    """

    comments: list[Row] = field(default_factory=list)
    pulls: dict[int, Row] = field(default_factory=dict)
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    artifacts: dict[int, tuple[Row, bytes]] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)
    runs: dict[int, Row] = field(default_factory=dict)
    branches: dict[str, set[str]] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    apps: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    log: list[tuple[str, str]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    before: Callable[[str, str], None] = lambda _method, _path: None
    page_limit: int = 100
    links_to: str | None = None
    blob_authorization: str | None = "never asked"

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"state": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        assert self.problems == [], "requests or answers that GitHub's description of its API forbids"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def comment(self, body: str, author: str = BOT) -> Row:
        """Put a comment there, as somebody else would."""
        number = 1000 + len(self.comments) + sum(method == "DELETE" for method, _ in self.log)
        user = smallest("simple-user", login=author)
        page = f"https://github.com/org/app/pull/7#issuecomment-{number}"
        row = smallest("issue-comment", id=number, body=body, user=user, html_url=page)
        self.comments.append(row)
        return row

    def pull(self, number: int = 7, *, head: str, base: str, fork: bool = False, author: str = "kim") -> None:
        """Open a pull request, or move its newest commit."""
        owner, name = ("stranger", "stranger/app") if fork else ("org", "org/app")
        repo = {**smallest("repository", full_name=name), "owner": smallest("simple-user", login=owner)}
        row = smallest(
            "pull-request-simple", number=number, state="open", user=smallest("simple-user", login=author)
        )
        row["head"] = {
            **row["head"],
            "sha": head,
            "ref": "feature",
            "repo": repo,
            "label": f"{owner}:feature",
        }
        row["base"] = {**row["base"], "sha": base, "ref": "main"}
        self.pulls[number] = row

    def artifact(self, data: bytes, name: str = "rag-gate", number: int = 1, **known: Any) -> None:
        """Keep an archive as the artifact of any run."""
        row = smallest("artifact", id=number, name=name, expired=False, size_in_bytes=len(data))
        self.artifacts[number] = (row | known, data)

    def workflow_run(self, number: int, *, head: str, **known: Any) -> None:
        """Keep a run of the default branch, whose commit is on it."""
        repo = {
            **smallest("minimal-repository", full_name="org/app"),
            "owner": smallest("simple-user", login="org"),
        }
        own = {
            "event": "push",
            "status": "completed",
            "head_branch": "main",
            "path": ".github/workflows/rag-gate.yml",
            "repository": repo,
            "head_repository": repo,
        }
        self.branches.setdefault("main", set()).add(head)
        self.runs[number] = smallest("workflow-run", id=number, head_sha=head) | own | known


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # head and body are two packets; the second would wait 40 ms for an answer to the first
    )
    state: FakeGitHub

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        del format, args

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        hub = self.state
        if parts.path.startswith("/blob/"):
            hub.blob_authorization = self.headers.get("authorization")
            self._send(200, hub.artifacts[int(parts.path.rsplit("/", 1)[1])][1], "application/zip")
            return
        hub.before(self.command, parts.path)
        hub.log.append((self.command, parts.path))
        hub.authorizations.append(self.headers.get("authorization", ""))
        query = dict(parse_qsl(parts.query))
        status, answer, headers = self._answer(parts.path, query, body)
        kind = headers.pop("content-type", "application/json; charset=utf-8")
        data = answer if isinstance(answer, bytes) else b"" if answer is None else json.dumps(answer).encode()
        if "raw" not in kind and not any(fault for fault in ("x-fault",) if fault in headers):
            asked = Asked(self.command, parts.path, query, dict(self.headers), body)
            problem = problem_with(asked, status, data, kind.split(";")[0])
            hub.problems += [problem] if problem else []
        headers.pop("x-fault", None)
        self._send(status, data, kind, headers)

    do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 - the library's names

    def _send(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if data:
            self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _answer(self, path: str, query: dict[str, str], body: bytes) -> tuple[int, Any, dict[str, str]]:
        hub = self.state
        for fault in hub.faults:
            if fault.method == self.command and re.search(fault.path, path):
                hub.faults.remove(fault)
                return fault.status, _error(fault.status, fault.message), {**fault.headers, "x-fault": "1"}
        token = (self.headers.get("authorization") or "").removeprefix("Bearer ")
        if token == STRANGER:
            return 404, _error(404, "Not Found"), {}
        if token == READ_ONLY and self.command != "GET":
            return 403, _error(403, "Resource not accessible by integration"), {}
        if path == "/user":
            if token not in hub.people:
                return 403, _error(403, "Resource not accessible by integration"), {}
            return 200, smallest("public-user", login=hub.people[token], user_view_type="public"), {}
        found = re.fullmatch(r"/repos/org/app/(.+)", path)
        return self._of_repository(found[1] if found else "", query, body, token)

    def _of_repository(  # noqa: PLR0911 - one for each route
        self, path: str, query: dict[str, str], body: bytes, token: str
    ) -> tuple[int, Any, dict[str, str]]:
        hub, key = self.state, (self.command, re.sub(r"(?<=/)[0-9]+(?=/|$)", "N", path))
        author = hub.people.get(token) or hub.apps.get(token, BOT)
        numbers = [int(number) for number in re.findall(r"(?<=/)[0-9]+(?=/|$)", path)]
        if key == ("GET", "issues/N/comments"):
            return self._page(hub.comments, query)
        if key == ("POST", "issues/N/comments"):
            return self._written(None, body, author)
        if key[1] == "issues/comments/N":
            row = next((row for row in hub.comments if row["id"] == numbers[0]), None)
            if row is None:
                return 404, _error(404, "Not Found"), {"x-fault": "1"}
            if self.command == "PATCH":
                return self._written(row, body, author)
            hub.comments.remove(row)
            return 204, None, {}
        if key == ("GET", "pulls/N") and numbers[0] in hub.pulls:
            return 200, _whole_pull(hub.pulls[numbers[0]]), {}
        if key == ("GET", "pulls"):
            rows = [row for row in hub.pulls.values() if row["head"]["label"] == query.get("head")]
            return 200, rows, {}
        if key == ("POST", "pulls"):
            return self._opened(json.loads(body))
        return self._of_commit(path, query)

    def _opened(self, asked: Row) -> tuple[int, Any, dict[str, str]]:
        hub = self.state
        if any(row["head"]["ref"] == asked["head"] for row in hub.pulls.values()):
            said = f"A pull request already exists for org:{asked['head']}."
            return 422, _error(422, said), {"x-fault": "1"}
        number = 100 + len(hub.pulls)
        hub.pull(number, head="0" * 40, base="0" * 40, author=BOT)
        hub.pulls[number]["head"]["ref"] = asked["head"]
        page = f"https://github.com/org/app/pull/{number}"
        known = {"title": asked["title"], "body": asked["body"], "html_url": page}
        hub.pulls[number] |= known
        return 201, _whole_pull(hub.pulls[number]) | known, {}

    def _of_commit(self, path: str, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        hub = self.state
        if path.startswith(("actions/", "compare/")):
            return self._of_run(path, query)
        if path.startswith("git/commits/") and path.rsplit("/", 1)[1] in hub.commits:
            return 200, smallest("git-commit", sha=path.rsplit("/", 1)[1]), {}
        if path.startswith("contents/"):
            return self._content(
                unquote(path.removeprefix("contents/")), hub.commits.get(query.get("ref", ""), {})
            )
        return 404, _error(404, "Not Found"), {}

    def _of_run(self, path: str, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        hub = self.state
        if re.fullmatch(r"actions/runs/[0-9]+/artifacts", path):
            rows = [row for row, _ in hub.artifacts.values() if row["name"] == query.get("name", row["name"])]
            return 200, {"total_count": len(rows), "artifacts": rows}, {}
        match = re.fullmatch(r"actions/runs/([0-9]+)", path)
        if match and int(match[1]) in hub.runs:
            return 200, hub.runs[int(match[1])], {}
        match = re.fullmatch(r"compare/([0-9a-f]{40})\.\.\.(.+)", path)
        if match:
            status = "ahead" if match[1] in hub.branches.get(unquote(match[2]), set()) else "diverged"
            commit = smallest("commit", author={}, committer={})
            ends = {"base_commit": commit, "merge_base_commit": commit}
            return 200, smallest("commit-comparison", status=status, **ends), {}
        match = re.fullmatch(r"actions/artifacts/([0-9]+)/zip", path)
        if match:
            return 302, None, {"location": f"http://localhost:{hub.port}/blob/{match[1]}"}
        return 404, _error(404, "Not Found"), {}

    def _content(self, path: str, files: dict[str, bytes]) -> tuple[int, Any, dict[str, str]]:
        if path in self.state.links:
            entry = {key: value for key, value in self._entry(path, files).items() if key != "content"}
            return 200, {**entry, "type": "symlink", "target": "elsewhere"}, {}
        below = sorted({name[len(path) + 1 :].split("/")[0] for name in files if name.startswith(f"{path}/")})
        if below:
            rows = [self._entry(f"{path}/{name}", files) for name in below]
            return 200, rows, {}
        if path not in files:
            return 404, _error(404, "Not Found"), {}
        data = files[path]
        if "raw" in (self.headers.get("accept") or ""):
            return 200, data, {"content-type": "application/vnd.github.raw+json; charset=utf-8"}
        is_small = len(data) <= 1_000_000
        text = base64.encodebytes(data).decode() if is_small else ""
        known = {"path": path, "name": path.rsplit("/", 1)[-1], "size": len(data), "type": "file"}
        known |= {"encoding": "base64" if is_small else "none", "content": text}
        return 200, smallest("content-file") | known, {}

    def _entry(self, path: str, files: dict[str, bytes]) -> Row:
        kind = "file" if path in files else "dir"
        known = {"path": path, "name": path.rsplit("/", 1)[-1], "type": kind, "size": 0}
        entry = dict.fromkeys(("git_url", "html_url", "url", "download_url"), "https://api.github.com/x")
        links = {
            "git": "https://api.github.com/x",
            "html": "https://api.github.com/x",
            "self": "https://api.github.com/x",
        }
        return {**entry, **known, "sha": "0" * 40, "_links": links}

    def _page(self, rows: list[Row], query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        size, page = min(int(query.get("per_page", 30)), self.state.page_limit), int(query.get("page", 1))
        following = f'<{self.state.links_to or self.state.url}{urlsplit(self.path).path}?per_page={size}&page={page + 1}>; rel="next"'
        return (
            200,
            rows[(page - 1) * size : page * size],
            {"link": following} if len(rows) > page * size else {},
        )

    def _written(self, row: Row | None, body: bytes, author: str) -> tuple[int, Any, dict[str, str]]:
        text = json.loads(body)["body"]
        if len(text) > _LONGEST:
            error = {"resource": "IssueComment", "code": "unprocessable", "field": "data"}
            said = {**error, "message": "Body is too long (maximum is 65536 characters)"}
            return (
                422,
                {
                    "message": "Validation Failed",
                    "documentation_url": "https://docs.github.com",
                    "errors": [said],
                },
                {},
            )
        if row is not None:
            row["body"] = text
            return 200, row, {}
        return 201, self.state.comment(text, author), {}


def _whole_pull(simple: Row) -> Row:
    """Return a pull request as GitHub tells it alone; a list tells less."""
    row = smallest("pull-request", number=simple["number"], user=simple["user"], state=simple["state"])
    for side in ("head", "base"):
        row[side] = simple[side] | {"user": simple["user"], "repo": simple[side]["repo"] or row[side]["repo"]}
    return row


def _error(status: int, message: str) -> Row:
    return {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
