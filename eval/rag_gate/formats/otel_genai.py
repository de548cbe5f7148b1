"""Traces with OpenTelemetry's GenAI attributes (status: development; the names may still change)."""

from collections.abc import Iterator
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.results import ranked, result
from rag_gate.formats.spans import Span, json_in, outermost, root, traces
from rag_gate.formats.values import id_of, list_of, number_of, text_of, without_nulls
from rag_gate.text import quoted

_DOCUMENTS = "gen_ai.retrieval.documents"
_QUERY = "gen_ai.retrieval.query.text"
_OPERATION = "gen_ai.operation.name"
_INPUT, _OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
#: Names before version 1.27 of the conventions stand second.
_TOKENS = {
    "input_tokens": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "output_tokens": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
}
_MODELS = frozenset({"chat", "text_completion", "generate_content"})
_ID = ("question_id", "rag_gate.question_id")


def read(given: Given) -> Iterator[Entry]:
    """Yield one entry a trace that retrieved something. Documents are recorded only where that was switched on."""
    for spans in traces(given):
        places = [
            span for span in spans if span.text(_OPERATION) == "retrieval" or _DOCUMENTS in span.attributes
        ]
        places = outermost(places, spans, _DOCUMENTS)
        if not places:
            given.notes["the trace has no retrieval span and was left out"] += 1
            continue
        if len(places) > 1:
            given.notes["the trace has several retrievals; their results stand one after the other"] += 1
        top, where = root(spans), spans[0].where
        error = top.error or next((span.error for span in places if span.error), None)
        run = without_nulls(
            retrieved=[item for span in places for item in _documents(given, span, error)],
            answer=_generated(spans),
            error=error,
            latency_ms=top.milliseconds,
            usage=_usage(spans),
        )
        yield Entry(where, id_of(top.attributes, _ID, where), _asked(top, places), run=run)


def _documents(given: Given, span: Span, error: str | None) -> list[dict[str, Any]]:
    """Return the documents, which stand as JSON text or structured; real emitters leave out the id at times."""
    if _DOCUMENTS not in span.attributes:
        if error is not None:
            return []
        raise given.wrong(
            span.where,
            f"a retrieval without {_DOCUMENTS}, which is recorded only where it was switched on (opt-in)",
        )
    found = json_in(span.attributes[_DOCUMENTS], f"{span.where}: {_DOCUMENTS}")
    if not isinstance(found, list):
        raise given.wrong(span.where, f"{_DOCUMENTS} must be a list, found {quoted(found)}")
    return [_document(given, item, place) for place, item in ranked(found, f"{span.where}: {_DOCUMENTS}")]


def _document(given: Given, item: object, where: str) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise given.wrong(where, f"must be an object, found {quoted(item)}")
    document = id_of(item, ("source_id", "document_id", "doc_id"), where)
    text = text_of(item, ("content", "text"), where)
    return result(where, key=item.get("id"), document=document, text=text, score=item.get("score"))


def _asked(top: Span, places: list[Span]) -> str | None:
    """Return what the user asked, or else the query of the retrieval (which may be rewritten)."""
    asked = _texts(top, _INPUT, "user")
    return asked[-1] if asked else text_of(places[0].attributes, (_QUERY,), places[0].where)


def _generated(spans: list[Span]) -> str | None:
    models = [span for span in spans if span.text(_OPERATION) in _MODELS]
    texts = [text for span in models for text in _texts(span, _OUTPUT, "assistant")]
    return texts[-1] if texts else next(iter(_texts(root(spans), _OUTPUT, "assistant")), None)


def _texts(span: Span, name: str, role: str) -> list[str]:
    """Return the texts of the messages of one role."""
    if name not in span.attributes:
        return []
    where = f"{span.where}: {name}"
    messages = json_in(span.attributes[name], where)
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise InputError(f"{where}: must be a list of messages")
    parts = [
        [
            part.get("content")
            for part in list_of(message, ("parts",), where) or []
            if isinstance(part, dict) and part.get("type") == "text"
        ]
        for message in messages
        if message.get("role") == role
    ]
    return ["".join(str(text) for text in texts) for texts in parts if texts]


def _usage(spans: list[Span]) -> dict[str, int] | None:
    """Return the tokens of the model's spans; an agent's span repeats their sum."""
    models = [span for span in spans if span.text(_OPERATION) in _MODELS]
    found: dict[str, int] = {}
    for span in models:
        for name, keys in _TOKENS.items():
            count = next((span.attributes[key] for key in keys if key in span.attributes), None)
            if count is not None:
                found[name] = found.get(name, 0) + int(number_of(count, span.where, keys[0]) or 0)
    return found or None
