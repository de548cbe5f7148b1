"""GitHub's own description of its API: checks requests and answers, and makes the smallest valid answers."""

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openapi_core import OpenAPI

_FILE = Path(__file__).resolve().parents[1] / "data" / "github" / "openapi-slice.json.gz"
_PLAIN: Mapping[str, Any] = {"integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}
_FORMATS = {"uri": "https://api.github.com/x", "date-time": "2026-01-01T00:00:00Z", "email": "a@example.org"}


@cache
def description() -> dict[str, Any]:
    with gzip.open(_FILE) as handle:
        found: dict[str, Any] = json.load(handle)
    return found


@cache
def _api() -> "OpenAPI":
    from openapi_core import OpenAPI  # takes a second, and most tests ask no API

    document: Any = {**description(), "servers": [{"url": "https://api.github.com"}]}
    return OpenAPI.from_dict(document)


def problem_with(request: "Asked", status: int, answer: bytes, content_type: str) -> str | None:
    """Return what the description says against a request or its answer, None if nothing."""
    from openapi_core.testing import MockRequest, MockResponse

    asked = MockRequest(
        "https://api.github.com",
        request.method,
        request.path,
        args=request.query,
        headers=request.headers,
        data=request.body or None,
        content_type="application/json",
    )
    try:
        _api().validate_request(asked)
        # What the description says nothing about (as 403 for a comment) cannot be checked against it.
        if _described(asked.method, request.path, status):
            given = MockResponse(answer, status_code=status, content_type=content_type)
            _api().validate_response(asked, given)
    except Exception as error:  # noqa: BLE001 - whatever the library says
        causes = [str(cause)[-300:] for cause in getattr(error.__cause__, "schema_errors", [])]
        return f"{request.method} {request.path} -> {status}: {type(error).__name__}: {causes}"
    return None


class Asked:
    """A request as the description sees it: a path parameter holds no slash."""

    def __init__(
        self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes
    ) -> None:
        repository, mark, below = path.partition("/contents/")
        self.path = repository + mark + below.replace("/", "%2F")
        self.method, self.query, self.headers, self.body = method.lower(), query, headers, body


def _described(method: str, path: str, status: int) -> bool:
    for template, operations in description()["paths"].items():
        parts, given = template.split("/"), path.split("/")
        if len(parts) == len(given) and all(
            p.startswith("{") or p == g for p, g in zip(parts, given, strict=True)
        ):
            return str(status) in operations.get(method, {}).get("responses", {})
    return False


def smallest(schema: str, /, **known: Any) -> dict[str, Any]:
    """Return the smallest valid value of a schema, with some of its fields given."""
    value: dict[str, Any] = _sample(description()["components"]["schemas"][schema])
    return value | known


def _sample(schema: Any) -> Any:  # noqa: PLR0911 - one for each kind
    if "$ref" in schema:
        return _sample(description()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return _sample(schema[word][0])
    if "allOf" in schema:
        return {key: value for part in schema["allOf"] for key, value in _sample(part).items()}
    if schema.get("type") == "object" or "properties" in schema:
        required = schema.get("required", [])
        return {key: _sample(schema["properties"][key]) for key in required}
    if schema.get("type") == "string":
        return _FORMATS.get(schema.get("format", ""), "x")
    return _PLAIN[schema["type"]]
