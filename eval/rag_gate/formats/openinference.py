"""Traces with OpenInference's attributes: retriever, reranker, and the request around them."""

import json
import re
from collections.abc import Iterator
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.results import document_in, result
from rag_gate.formats.spans import Span, outermost, root, traces
from rag_gate.formats.values import first, id_of, text_of, without_nulls

_KIND = "openinference.span.kind"
_LISTS = {"RETRIEVER": "retrieval.documents", "RERANKER": "reranker.output_documents"}
_PLACE = re.compile(r"(\d+)\.document\.(\w+)\Z")
_TOKENS = {"prompt_tokens": "llm.token_count.prompt", "completion_tokens": "llm.token_count.completion"}
#: Keys of a request or reply in JSON that hold the question or the answer.
_QUESTION = ("question", "query", "input", "user_input", "query_str")
_ANSWER = ("answer", "output", "response", "result", "text", "content")
_ID = ("question_id", "rag_gate.question_id")


def read(given: Given) -> Iterator[Entry]:
    """Yield one entry a trace that retrieved something; its question and answer are those of the whole request.

    A reranker's output stands for what was retrieved; otherwise several retrievers of one trace are put one after
    the other. Traces without a retriever are counted.
    """
    for spans in traces(given):
        places = [span for span in spans if span.text(_KIND) in _LISTS]
        if not places:
            given.notes["the trace has no span of kind RETRIEVER and was left out"] += 1
            continue
        top, where = root(spans), spans[0].where
        question = _said(top, "input.value", _QUESTION) or _said(places[0], "input.value", _QUESTION)
        error = top.error or next((span.error for span in places if span.error), None)
        answer = _said(top, "output.value", _ANSWER) if top not in places else None
        run = without_nulls(
            retrieved=_retrieved(given, places, spans),
            answer=answer or _generated(spans),
            error=error,
            latency_ms=top.milliseconds,
            usage=_usage(spans),
        )
        yield Entry(where, _name(top, where), question, run=run)


def _retrieved(given: Given, places: list[Span], spans: list[Span]) -> list[dict[str, Any]]:
    reranked = [span for span in places if span.text(_KIND) == "RERANKER"]
    chosen = reranked[-1:] or outermost(places, spans, _LISTS["RETRIEVER"])
    if len(chosen) > 1:
        given.notes["the trace has several retrievers; their results stand one after the other"] += 1
    return [item for span in chosen for item in _documents(given, span)]


def _documents(given: Given, span: Span) -> list[dict[str, Any]]:
    """Return the documents of a span, in order of their number in the attributes' names."""
    prefix = f"{_LISTS[span.attributes[_KIND]]}."
    found: dict[int, dict[str, Any]] = {}
    for name, value in span.attributes.items():
        place = _PLACE.match(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if place:
            found.setdefault(int(place[1]), {})[place[2]] = value
    return [
        _document(given, item, f"{span.where}: {prefix}{number}") for number, item in sorted(found.items())
    ]


def _document(given: Given, item: dict[str, Any], where: str) -> dict[str, Any]:
    metadata = _table(item.get("metadata"), f"{where}: metadata")
    return result(
        where,
        key=item.get("id"),
        document=document_in(metadata, given.choices.get("document-key"), where),
        text=text_of(item, ("content",), where),
        score=item.get("score"),
        metadata=metadata,
    )


def _table(value: object, where: str) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise InputError(f"{where}: must be JSON, found text of {len(str(value))} characters") from None
    return value if isinstance(value, dict) else {}


def _said(span: Span, name: str, keys: tuple[str, ...]) -> str | None:
    """Return the text of an input or output; of a JSON object the text under a usual key."""
    value = span.attributes.get(name)
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value if isinstance(value, str) else None
    try:
        content = json.loads(value)
    except ValueError:
        return value
    inner = first(content, keys)[1]
    return inner if isinstance(inner, str) else value


def _generated(spans: list[Span]) -> str | None:
    """Return the last text that a model generated."""
    models = [span for span in spans if span.text(_KIND) == "LLM"]
    name = "llm.output_messages.0.message.content"
    texts = [span.attributes.get(name) or _said(span, "output.value", _ANSWER) for span in models]
    return next((text for text in reversed(texts) if isinstance(text, str)), None)


def _usage(spans: list[Span]) -> dict[str, int] | None:
    counts = {
        name: [span.attributes[key] for span in spans if isinstance(span.attributes.get(key), int)]
        for name, key in _TOKENS.items()
    }
    return {name: sum(found) for name, found in counts.items() if found} or None


def _name(span: Span, where: str) -> str | None:
    metadata = _table(span.attributes.get("metadata"), f"{where}: metadata")
    return id_of(span.attributes, _ID, where) or id_of(metadata, _ID, where)
