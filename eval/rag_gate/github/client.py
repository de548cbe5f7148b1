"""The few calls of GitHub's API that the gate needs, over httpx."""

import base64
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from rag_gate import __version__
from rag_gate.errors import NotJudgedError
from rag_gate.github.answers import Answer, ApiError, read_answer
from rag_gate.github.retries import Patience

if TYPE_CHECKING:
    import httpx

#: Who comments with the token of a workflow.
ACTIONS = "github-actions[bot]"
_API_VERSION = "2022-11-28"
_JSON = "application/vnd.github+json"
_RAW = "application/vnd.github.raw+json"
_TIMEOUT_S = 30.0
_PAGES = 100
_LARGEST_FILE = 100_000_000
_NOT_FOUND, _FORBIDDEN = 404, 403


class GitHub:
    """One repository, with one token."""

    def __init__(self, api_url: str, repository: str, token: str, patience: Patience | None = None) -> None:
        """Open no connection yet.

        Args:
            api_url: such as https://api.github.com, without a slash at the end.
            repository: owner/name.
            token: from the environment; it is sent to ``api_url`` only and never printed.
            patience: when to ask again; a fresh one by default.
        """
        self._api_url, self._repository, self._token = api_url, repository, token
        self._patience = patience or Patience()

    @cached_property
    def _http(self) -> "httpx.Client":
        """The connections; a run that asks nothing is spared the library."""
        import httpx

        headers = {"x-github-api-version": _API_VERSION, "user-agent": f"rag-gate/{__version__}"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        return httpx.Client(timeout=_TIMEOUT_S, headers=headers, follow_redirects=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if "_http" in self.__dict__:
            self._http.close()

    def login(self) -> str:
        """Return whom the token belongs to; a workflow's own token may not ask and is github-actions[bot]."""
        try:
            found = self._ask("GET", "/user").json()
        except ApiError as error:
            if error.status in {_FORBIDDEN, _NOT_FOUND}:
                return ACTIONS
            raise
        login = found.get("login") if isinstance(found, dict) else None
        return login if isinstance(login, str) else ACTIONS

    def pull(self, number: int) -> dict[str, Any]:
        """Return a pull request."""
        return self._object("GET", f"{self._repo}/pulls/{number}")

    def open_pulls(self, owner: str, branch: str) -> list[dict[str, Any]]:
        """Return the open pull requests of a branch."""
        head = quote(f"{owner}:{branch}", safe="")
        return list(self._pages(f"{self._repo}/pulls?state=open&head={head}&per_page=100"))

    def comments(self, number: int) -> Iterator[dict[str, Any]]:
        """Yield all comments of a pull request, oldest first."""
        return self._pages(f"{self._repo}/issues/{number}/comments?per_page=100")

    def create_comment(self, number: int, body: str) -> dict[str, Any]:
        """Write a new comment."""
        return self._object("POST", f"{self._repo}/issues/{number}/comments", {"body": body})

    def update_comment(self, comment: int, body: str) -> dict[str, Any]:
        """Write over a comment."""
        return self._object("PATCH", f"{self._repo}/issues/comments/{comment}", {"body": body})

    def delete_comment(self, comment: int) -> None:
        """Remove a comment; one that is gone already is fine."""
        try:
            self._ask("DELETE", f"{self._repo}/issues/comments/{comment}")
        except ApiError as error:
            if error.status != _NOT_FOUND:
                raise

    def has_commit(self, commit: str) -> bool:
        """Tell whether the token can see a commit of the repository."""
        try:
            self._ask("GET", f"{self._repo}/git/commits/{commit}")
        except ApiError as error:
            if error.status == _NOT_FOUND:
                return False
            raise
        return True

    def content(self, path: str, ref: str) -> bytes | list[str] | None:
        """Return a file of a commit (up to 100 MB), the paths inside a folder, or None where nothing is.

        Raises:
            ApiError: if GitHub does not answer, also for files above its own limit.
            NotJudgedError: for links: what they point to is not what was reviewed.
        """
        address = f"{self._repo}/contents/{quote(path)}?ref={ref}"
        try:
            found = self._ask("GET", address).json()
        except ApiError as error:
            if error.status == _NOT_FOUND:
                return None
            raise
        rows = found if isinstance(found, list) else [found]
        if any(not isinstance(row, dict) or row.get("type") not in {"file", "dir"} for row in rows):
            raise NotJudgedError(
                f"{path}: is, or holds, a link in commit {ref[:12]}; the gate needs the file itself there"
            )
        if isinstance(found, list):
            return [str(row["path"]) for row in rows]
        if found.get("encoding") == "base64" and found.get("content"):
            return base64.b64decode(found["content"])
        # Above 1 MB the description comes without the content.
        return self._ask("GET", address, accept=_RAW, limit=_LARGEST_FILE).body

    def workflow_run(self, run: int) -> dict[str, Any]:
        """Return a workflow run."""
        return self._object("GET", f"{self._repo}/actions/runs/{run}")

    def is_on_branch(self, commit: str, branch: str) -> bool:
        """Tell whether a commit belongs to a branch: the branch is at it, or ahead of it."""
        spread = f"{commit}...{quote(branch, safe='')}"
        try:
            found = self._object("GET", f"{self._repo}/compare/{spread}?per_page=1")
        except ApiError as error:
            if error.status == _NOT_FOUND:
                return False
            raise
        return found.get("status") in {"identical", "ahead"}

    def artifacts(self, run: int, name: str) -> list[dict[str, Any]]:
        """Return the artifacts of that name of a workflow run."""
        asked = f"{self._repo}/actions/runs/{run}/artifacts?per_page=100&name={quote(name, safe='')}"
        found = self._object("GET", asked)
        listed = found.get("artifacts")
        return [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []

    def artifact(self, artifact: int, limit: int) -> bytes:
        """Return the archive of an artifact, at most ``limit`` bytes."""
        return self._ask("GET", f"{self._repo}/actions/artifacts/{artifact}/zip", limit=limit).body

    @property
    def _repo(self) -> str:
        return f"/repos/{self._repository}"

    def _object(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        found = self._ask(method, path, body).json()
        if not isinstance(found, dict):
            raise NotJudgedError(f"GitHub: {method} {path} was answered with no object")
        return found

    def _pages(self, path: str) -> Iterator[dict[str, Any]]:
        address: str | None = path
        for _ in range(_PAGES):
            answer = self._ask("GET", address or path)
            rows = answer.json()
            yield from (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
            following = answer.next_page
            # The token must not follow a link to somewhere else.
            if following is None or not following.startswith(f"{self._api_url}/"):
                return
            address = following.removeprefix(self._api_url)

    def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        accept: str = _JSON,
        limit: int = 20_000_000,
    ) -> Answer:
        """Ask once, and again where GitHub says later.

        Raises:
            ApiError: with the status, None where no answer came.
        """
        content = None if body is None else json.dumps(body).encode()
        headers = {"accept": accept} | ({} if body is None else {"content-type": "application/json"})
        for attempt in self._patience.attempts():
            found = read_answer(self._http, method, f"{self._api_url}{path}", headers, content, limit)
            if isinstance(found, Answer):
                return found
            if not attempt.wait_for(found):
                raise found
        raise AssertionError("attempts() ends with one that does not wait")
