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
        _note_what_is_missing(given, response, hits or [], where)
        retrieved = None if hits is None else [hit(given, item, place) for place, item in ranked(hits, where)]
        taken = response.get("took")
        run = without_nulls(
            retrieved=retrieved,
            answer=text_of(row, ("answer",), where),
            error=reason_of(error),
            latency_ms=taken if isinstance(taken, int | float) else None,
        )
        yield Entry(where, name, question, run=run)


def _note_what_is_missing(given: Given, response: Mapping[str, Any], hits: list[Any], where: str) -> None:
    """Note where the hits are not all that the index holds, or not all that a hit holds is taken."""
    if response.get("timed_out"):
        given.notes["the search timed out; its hits are what was found until then"] += 1
    if table_of(response, "_shards", where).get("failed"):
        given.notes["a shard failed; its hits are missing"] += 1
    if any(isinstance(item, dict) and item.get("inner_hits") for item in hits):
        given.notes["inner_hits were left out; a result is the hit around them"] += 1


def reason_of(error: object) -> str | None:
    """Return why the service failed, with the cause where the reason alone does not tell; None = it did not."""
    if not isinstance(error, Mapping):
        return str(error) if error else None
    reason = str(error.get("reason") or error.get("type") or "failed")
    causes = error.get("root_cause")
    cause = causes[0] if isinstance(causes, list) and causes else None
    told = cause.get("reason") if isinstance(cause, Mapping) else None
    return f"{reason}: {told}" if told and told != reason else reason


def hit(given: Given, item: object, where: str) -> dict[str, Any]:
    """Return one hit as a result. ``_score`` is null where results are sorted by something else.

    Raises:
        InputError: if it is no hit.
    """
    content = object_of(given, item, where)
    if "_id" not in content:
        raise given.wrong(where, "is no hit, which has _id")
    stored = _single(table_of(content, "fields", where))
    texts = {key: value for key, value in stored.items() if isinstance(value, str)}
    source = {**texts, **table_of(content, "_source", where)}
    asked, text = given.choices.get("document-key"), given.choices.get("text-key")
    if text is not None and text not in source:
        raise given.wrong(where, f"has no _source.{text} and no single text in fields.{text} (--text-key)")
    inner = source.get("metadata")  # a field of the user's, which may be anything
    flat = {key.removeprefix("metadata."): value for key, value in stored.items()}
    return result(
        where,
        key=content["_id"],
        document=document_in({**flat, **source, **(inner if isinstance(inner, dict) else {})}, asked, where),
        text=text_of(source, (text,) if text else _TEXTS, where),
        score=content.get("_score"),
    )


def _single(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``fields`` of a hit, which are lists under whole paths, as far as they have one value."""
    return {key: found[0] for key, found in fields.items() if isinstance(found, list) and len(found) == 1}
