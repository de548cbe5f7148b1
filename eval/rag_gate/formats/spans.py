"""Spans of OpenTelemetry, from OTLP JSON or as its SDK prints them, put together trace by trace."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Given
from rag_gate.formats.reading import Found, values
from rag_gate.formats.values import list_of, number_of, table_of, text_of

_SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
#: Status code of a failed span: as OTLP has it, by name, and as the SDK prints it.
_FAILED = (2, "STATUS_CODE_ERROR", "ERROR")
_NANOSECONDS_IN_MS = 1_000_000


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


def traces(given: Given) -> Iterator[list[Span]]:
    """Yield the spans of each trace in order of their start, the traces in order of the file.

    Raises:
        InputError: if something is no span.
    """
    found: dict[str, list[Span]] = {}
    for where, value in values(given.path):
        for span in _spans(given, where, value):
            found.setdefault(span.trace, []).append(span)
    for spans in found.values():
        yield sorted(spans, key=lambda span: (len(span.start), span.start))


def root(spans: list[Span]) -> Span:
    """Return the span that no other span of the trace is above: the request as a whole."""
    ids = {span.id for span in spans}
    return next((span for span in spans if span.parent is None or span.parent not in ids), spans[0])


def _spans(given: Given, where: str, value: object) -> Iterator[Span]:
    if isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from _spans(given, f"{where}: entry {number}", item)
    elif isinstance(value, dict) and isinstance(value.get("resourceSpans"), list):
        for place, raw in _otlp(value, where):
            yield _of_otlp(given, place, raw)
    elif isinstance(value, dict) and "attributes" in value and "context" in value:
        yield _of_sdk(given, where, value)
    else:
        raise given.wrong(where, "is no span")


def _otlp(request: Mapping[str, Any], where: str) -> Iterator[Found]:
    number = 0
    for resource in list_of(request, ("resourceSpans",), where) or []:
        for scope in list_of(resource, _SCOPES, where) or []:
            for span in list_of(scope, ("spans",), where) or []:
                number += 1
                yield Found(f"{where}: span {number}", span)


def _of_otlp(given: Given, where: str, raw: object) -> Span:
    if not isinstance(raw, dict) or not raw.get("traceId") or not raw.get("spanId"):
        raise given.wrong(where, "is no span, which has traceId and spanId")
    status = table_of(raw, "status", where)
    start, end = (str(raw.get(key) or "0") for key in ("startTimeUnixNano", "endTimeUnixNano"))
    attributes = {
        str(item.get("key")): any_value(item.get("value"), where)
        for item in list_of(raw, ("attributes",), where) or []
    }
    lasted = (number_of(end, where, "endTimeUnixNano") or 0) - (
        number_of(start, where, "startTimeUnixNano") or 0
    )
    failed = status.get("code") in _FAILED
    return Span(
        where,
        raw["traceId"],
        raw["spanId"],
        raw.get("parentSpanId") or None,
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
    if not isinstance(value, dict) or len(value) > 1:
        raise InputError(f'{where}: an attribute\'s value must be an object such as {{"stringValue": ...}}')
    for kind, item in value.items():
        if kind == "intValue":
            return int(item)
        if kind == "arrayValue":
            return [any_value(each, where) for each in item.get("values", [])]
        if kind == "kvlistValue":
            return {each["key"]: any_value(each.get("value", {}), where) for each in item.get("values", [])}
        return item
    return None


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
    except ValueError:
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
