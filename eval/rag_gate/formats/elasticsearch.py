"""Search responses of Elasticsearch and OpenSearch, each with the question that was asked."""

from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.per_question import ID, QUESTION, object_of
from rag_gate.formats.reading import rows
from rag_gate.formats.results import document_in, ranked, result
from rag_gate.formats.values import id_of, list_of, table_of, text_of, without_nulls

_TEXTS = ("text", "content", "body", "page_content", "passage", "chunk")
_RESPONSES = ("response", "body", "results")


def read(given: Given) -> Iterator[Entry]:
    """Yield the responses; an error of the service is a case that was not run."""
    for where, row in rows(given, ("responses", "rows")):
        response = next((row[key] for key in _RESPONSES if isinstance(row.get(key), dict)), row)
        name, question = id_of(row, ID, where), text_of(row, QUESTION, where)
        if name is None and question is None:
            raise given.wrong(
                where, "has neither question_id nor question; a search response does not hold what was asked"
            )
        error = response.get("error")
        hits = None if error else list_of(table_of(response, "hits", where), ("hits",), where)
        if hits is None and not error:
            raise given.wrong(where, "has no hits.hits")
        if response.get("timed_out"):
            given.notes["the search timed out; its hits are what was found until then"] += 1
        retrieved = None if hits is None else [hit(given, item, place) for place, item in ranked(hits, where)]
        taken = response.get("took")
        run = without_nulls(
            retrieved=retrieved,
            answer=text_of(row, ("answer",), where),
            error=_reason(error),
            latency_ms=taken if isinstance(taken, int | float) else None,
        )
        yield Entry(where, name, question, run=run)


def _reason(error: object) -> str | None:
    if isinstance(error, Mapping):
        return str(error.get("reason") or error.get("type") or "failed")
    return str(error) if error else None


def hit(given: Given, item: object, where: str) -> dict[str, Any]:
    """Return one hit as a result. ``_score`` is null where results are sorted by something else.

    Raises:
        InputError: if it is no hit.
    """
    content = object_of(given, item, where)
    if "_id" not in content:
        raise given.wrong(where, "is no hit, which has _id")
    source = table_of(content, "_source", where)
    asked, text = given.choices.get("document-key"), given.choices.get("text-key")
    if text is not None and text not in source:
        raise given.wrong(where, f"has no _source.{text} (--text-key)")
    inner = source.get("metadata")  # a field of the user's, which may be anything
    return result(
        where,
        key=content["_id"],
        document=document_in({**source, **(inner if isinstance(inner, dict) else {})}, asked, where),
        text=text_of(source, (text,) if text else _TEXTS, where),
        score=content.get("_score"),
    )
