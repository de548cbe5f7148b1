"""One request and its answer: bounded in size, and an error with its status and what it means."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag_gate.errors import NotJudgedError

if TYPE_CHECKING:
    import httpx

_NEXT = re.compile(r'<([^>]+)>\s*;[^,]*\brel="?next"?')
_FIRST_ERROR = 400
_LONGEST_MESSAGE = 300


class ApiError(NotJudgedError):
    """A request that GitHub did not grant.

    Attributes:
        status: of HTTP; None = no whole answer came.
        headers: of the answer, names in lower case.
        message: GitHub's own words.
    """

    def __init__(self, request: str, status: int | None, message: str, headers: Mapping[str, str]) -> None:
        self.status, self.message, self.headers = status, message, headers
        said = f"answered {status}" if status else "was not answered"
        super().__init__(f"GitHub: {request} {said}: {message}")


@dataclass(frozen=True)
class Answer:
    """A granted request."""

    body: bytes
    headers: Mapping[str, str]

    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        """Return the body; what is no JSON is an answer of somebody else.

        Raises:
            ApiError: if it is not JSON.
        """
        try:
            return json.loads(self.body)
        except ValueError:
            raise ApiError(
                "a request", None, "the answer is not JSON; is GITHUB_API_URL right?", {}
            ) from None

    @property
    def next_page(self) -> str | None:
        """The address of the next page, None on the last one."""
        match = _NEXT.search(self.headers.get("link", ""))
        return match[1] if match else None


def read_answer(
    http: "httpx.Client",
    method: str,
    address: str,
    headers: Mapping[str, str],
    content: bytes | None,
    limit: int,
) -> Answer | ApiError:
    """Send one request and read its answer, at most ``limit`` bytes of it."""
    import httpx

    request = f"{method} {re.sub(r'[?].*', '', address.rsplit('/repos/', maxsplit=1)[-1])}"
    try:
        with http.stream(method, address, headers=dict(headers), content=content) as response:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    return ApiError(
                        request, None, f"the answer is larger than {limit} bytes", {"too-large": "1"}
                    )
            names = {name.lower(): value for name, value in response.headers.items()}
            if response.status_code >= _FIRST_ERROR:
                return ApiError(request, response.status_code, _message(bytes(body)), names)
            return Answer(bytes(body), names)
    except httpx.HTTPError as error:
        return ApiError(request, None, type(error).__name__, {})


def _message(body: bytes) -> str:
    """Return GitHub's words for an error, with the first of its details."""
    try:
        found = json.loads(body)
    except ValueError:
        return "no reason given"
    if not isinstance(found, dict):
        return "no reason given"
    parts = [str(found.get("message", "no reason given"))]
    errors = found.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        parts.append(str(errors[0].get("message", "")))
    return "; ".join(part for part in parts if part)[:_LONGEST_MESSAGE]
