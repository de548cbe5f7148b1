"""Put a case's values into a request: as data, in one pass, so that a question cannot change the request."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.record.question import FIELDS

_PLACE = re.compile(rf"\{{({'|'.join(FIELDS)})\}}")


def fill(template: Any, fields: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with ``{question}`` and the like filled in.

    A text that is nothing but one place becomes the value itself (null where the case has none); inside a longer text
    the value's text is put in, of contexts their texts with an empty line between.
    """
    if isinstance(template, str):
        whole = _PLACE.fullmatch(template)
        if whole:
            return fields.get(whole[1])
        return _PLACE.sub(lambda match: as_text(fields.get(match[1])), template)
    if isinstance(template, Mapping):
        return {key: fill(item, fields) for key, item in template.items()}
    return [fill(item, fields) for item in template] if isinstance(template, list) else template


def as_text(value: Any) -> str:  # noqa: ANN401 - a field's value
    """Return a field's value inside a text."""
    if isinstance(value, list | tuple):
        return "\n\n".join(str(item.get("text") or item.get("id") or "") for item in value)
    return "" if value is None else str(value)


def places(template: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Yield the names of the places of a template."""
    if isinstance(template, str):
        yield from _PLACE.findall(template)
    elif isinstance(template, Mapping):
        for item in template.values():
            yield from places(item)
    elif isinstance(template, list):
        for item in template:
            yield from places(item)
