"""Answers in the form of GitHub's own description: the least that it allows, with what a test cares about."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DESCRIPTION: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "github-api.json").read_text(encoding="utf-8")
)
_DEEPEST = 12
_TEXTS = {"date-time": "2026-01-02T03:04:05Z", "uri": "https://example.org/x", "email": "a@example.org"}


def answer(name: str, /, **known: Any) -> dict[str, Any]:
    """Return an object of a schema, with some values given."""
    least = _least({"$ref": f"#/components/schemas/{name}"}, 0)
    assert isinstance(least, dict)
    return merged(least, known)


def merged(least: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with values put into it, at any depth."""
    inner = {
        key: merged(least[key], value)
        if isinstance(value, dict) and isinstance(least.get(key), dict)
        else value
        for key, value in known.items()
    }
    return {**least, **inner}


def _least(schema: Mapping[str, Any], depth: int) -> Any:
    if "$ref" in schema:
        *_, kind, name = schema["$ref"].split("/")
        return _least(DESCRIPTION["components"][kind][name], depth)
    if schema.get("nullable") or "null" in schema.get("type", ()):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for union in ("allOf", "anyOf", "oneOf"):
        if union in schema:
            return _least(schema[union][0], depth)
    kind = schema.get("type", "object")
    if kind == "object":
        assert depth < _DEEPEST, "the schema contains itself"
        known = schema.get("properties", {})
        return {key: _least(known.get(key, {}), depth + 1) for key in schema.get("required", ())}
    simple: dict[str, Any] = {"integer": 1, "number": 1, "boolean": False, "array": []}
    return simple[kind] if kind in simple else _TEXTS.get(schema.get("format", ""), "x")
