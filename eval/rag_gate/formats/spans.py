"""Spans of OpenTelemetry, from OTLP JSON or as its SDK prints them, put together trace by trace."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Given
from rag_gate.formats.per_question import object_of
from rag_gate.formats.reading import Found, values
from rag_gate.formats.values import list_of, number_of, table_of, text_of
from rag_gate.text import quoted

_SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
#: Status code of a failed span: as OTLP has it, by name, and as the SDK prints it.
_FAILED = (2, "STATUS_CODE_ERROR", "ERROR")
_NANOSECONDS_IN_MS = 1_000_000
_WHOLE = re.compile(r"-?[0-9]{1,20}")


@dataclass(frozen=True)
class Span:
    """One span, with its attributes as plain values."""

    where: str
    trace: str
    id: str
    parent: str | None
    start: str
    attributes: dict[str, Any] = field(repr=False)
    milliseconds: float | None = None
    error: str | None = None

    def text(self, name: str) -> str | None:
        """Return an attribute that is text."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else None


def traces(given: Given) -> Iterator[list[Span]]:
    """Yield the spans of each trace in order of their start, the traces in order of the file.

    Raises:
        InputError: if something is no span.
    """
    found: dict[str, dict[str, Span]] = {}
    for where, value in values(given.path):
        for span in _spans(given, where, value):
            trace = found.setdefault(span.trace, {})
            if span.id in trace:
                given.notes["the span was sent again; its last copy was taken"] += 1
            trace[span.id] = span
    for spans in found.values():
        yield sorted(spans.values(), key=lambda span: (len(span.start), span.start))


def outermost(places: list[Span], spans: list[Span], name: str) -> list[Span]:
    """Return the spans that are inside no other of them with results: a retriever's parts are not its results again.

    Args:
        places: spans that may have results.
        spans: all spans of their trace.
        name: how the names of attributes with results begin.
    """
    parents = {span.id: span.parent for span in spans}
    full = {span.id for span in places if any(key.startswith(name) for key in span.attributes)}
    return [span for span in places if full.isdisjoint(_above(span.id, parents))]


def _above(key: str, parents: Mapping[str, str | None]) -> set[str]:
    found: set[str] = set()
    above = parents[key]
    while above is not None and above not in found:
        found.add(above)
        above = parents.get(above)
    return found - {key}


def root(spans: list[Span]) -> Span:
    """Return the span that no other span of the trace is above: the request as a whole."""
    ids = {span.id for span in spans}
    return next((span for span in spans if span.parent is None or span.parent not in ids), spans[0])


def _spans(given: Given, where: str, value: object) -> Iterator[Span]:
    if isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from _spans(given, f"{where}: entry {number}", item)
    elif isinstance(value, dict) and isinstance(value.get("resourceSpans"), list):
        for place, raw in _otlp(given, value, where):
            yield _of_otlp(given, place, raw)
    elif isinstance(value, dict) and "attributes" in value and "context" in value:
        yield _of_sdk(given, where, value)
    else:
        raise given.wrong(where, "is no span")


def _otlp(given: Given, request: Mapping[str, Any], where: str) -> Iterator[Found]:
    number = 0
    for resource in _objects(given, request, ("resourceSpans",), where):
        for scope in _objects(given, resource, _SCOPES, where):
            for span in _objects(given, scope, ("spans",), where):
                number += 1
                yield Found(f"{where}: span {number}", span)


def _objects(
    given: Given, outer: Mapping[str, Any], keys: tuple[str, ...], where: str
) -> Iterator[dict[str, Any]]:
    for item in list_of(outer, keys, where) or []:
        yield object_of(given, item, f"{where}: {keys[0]}")


def _of_otlp(given: Given, where: str, raw: Mapping[str, Any]) -> Span:
    trace, key = text_of(raw, ("traceId",), where), text_of(raw, ("spanId",), where)
    if not trace or not key:
        raise given.wrong(where, "is no span, which has traceId and spanId")
    status = table_of(raw, "status", where)
    start, end = (str(raw.get(name) or "0") for name in ("startTimeUnixNano", "endTimeUnixNano"))
    attributes = {
        str(item.get("key")): any_value(item.get("value"), where)
        for item in _objects(given, raw, ("attributes",), where)
    }
    lasted = (number_of(end, where, "endTimeUnixNano") or 0) - (
        number_of(start, where, "startTimeUnixNano") or 0
    )
    failed = status.get("code") in _FAILED
    return Span(
        where,
        trace,
        key,
        text_of(raw, ("parentSpanId",), where) or None,
        start,
        attributes,
        lasted / _NANOSECONDS_IN_MS if end != "0" and lasted >= 0 else None,
        text_of(status, ("message",), where) or "failed" if failed else None,
    )


def any_value(value: object, where: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return an ``AnyValue`` of OTLP as a plain value; whole numbers stand there as text.

    Raises:
        InputError: if it is none.
    """
    problem = InputError(f'{where}: an attribute\'s value must be an object such as {{"stringValue": ...}}')
    if value is None:
        return None
    if not isinstance(value, dict) or len(value) > 1:
        raise problem
    for kind, item in value.items():
        if kind == "intValue":
            return _whole(item, where)
        if kind in {"arrayValue", "kvlistValue"}:
            if not isinstance(item, dict):
                raise problem
            listed = list_of(item, ("values",), where) or []
            if kind == "arrayValue":
                return [any_value(each, where) for each in listed]
            if not all(isinstance(each, dict) for each in listed):
                raise problem
            return {str(each.get("key")): any_value(each.get("value"), where) for each in listed}
        return item
    return None


def _whole(value: object, where: str) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    raise InputError(f"{where}: intValue must be a whole number, found {quoted(value)}")


def _of_sdk(given: Given, where: str, raw: Mapping[str, Any]) -> Span:
    """Read a span as ``ReadableSpan.to_json`` and the console exporter print it."""
    context, status = table_of(raw, "context", where), table_of(raw, "status", where)
    trace, key = text_of(context, ("trace_id",), where), text_of(context, ("span_id",), where)
    if not trace or not key:
        raise given.wrong(where, "is no span, which has context.trace_id and context.span_id")
    failed = status.get("status_code") in _FAILED
    return Span(
        where,
        trace,
        key,
        text_of(raw, ("parent_id",), where),
        text_of(raw, ("start_time",), where) or "",
        table_of(raw, "attributes", where),
        _between(raw.get("start_time"), raw.get("end_time")),
        text_of(status, ("description",), where) or "failed" if failed else None,
    )


def _between(start: object, end: object) -> float | None:
    from datetime import datetime

    try:
        lasted = datetime.fromisoformat(str(end)) - datetime.fromisoformat(str(start))
    except (ValueError, TypeError):  # one with a time zone, the other without
        return None
    return lasted.total_seconds() * 1000


def json_in(value: object, where: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a JSON text says, any other value as it is.

    Raises:
        InputError: if a text is not JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise InputError(f"{where}: must hold JSON, found text of {len(value)} characters") from None
