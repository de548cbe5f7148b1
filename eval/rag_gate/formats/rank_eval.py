"""Ranking evaluation of Elasticsearch and OpenSearch: the rated requests, the response, imported judgments."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.elasticsearch import hit, reason_of
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.per_question import object_of
from rag_gate.formats.reading import Found, values
from rag_gate.formats.results import ranked
from rag_gate.formats.values import id_of, list_of, number_of, table_of, text_of, without_nulls
from rag_gate.text import quoted


def read(given: Given) -> Iterator[Entry]:
    """Yield the cases: of a request or of judgments golden ones, of a response recorded ones."""
    for where, value in values(given.path):
        document = object_of(given, value, where)
        if isinstance(document.get("requests"), list):
            yield from _requests(given, document, where)
        elif isinstance(document.get("details"), dict):
            yield from _response(given, document, where)
        elif isinstance(document.get("judgmentRatings"), list):
            yield from _judgments(given, document, where)
        elif document.get("error"):
            raise InputError(
                f"{where}: the service refused the request: {reason_of(document['error'])}; "
                "correct it and send it again"
            )
        else:
            raise given.wrong(where, "holds none of requests, details, judgmentRatings")


def _objects(given: Given, items: Sequence[object], where: str) -> Iterator[Found]:
    for number, item in enumerate(items, start=1):
        place = f"{where}: entry {number}"
        yield Found(place, object_of(given, item, place))


def _requests(given: Given, document: Mapping[str, Any], where: str) -> Iterator[Entry]:
    for place, request in _objects(given, document["requests"], f"{where}: requests"):
        name = id_of(request, ("id",), place)
        if name is None:
            raise given.wrong(place, "has no id")
        ratings = list_of(request, ("ratings",), place) or []
        gold = [
            _rating(given, item, ("_id",), at) for at, item in _objects(given, ratings, f"{place}: ratings")
        ]
        question = _query_text(table_of(table_of(request, "request", place), "query", place))
        question = question or _param(table_of(request, "params", place))
        yield Entry(place, name, question, {"relevant_doc_ids": gold})


def _judgments(given: Given, document: Mapping[str, Any], where: str) -> Iterator[Entry]:
    for place, judged in _objects(given, document["judgmentRatings"], f"{where}: judgmentRatings"):
        ratings = list_of(judged, ("ratings",), place) or []
        gold = [
            _rating(given, item, ("docId",), at) for at, item in _objects(given, ratings, f"{place}: ratings")
        ]
        question = text_of(judged, ("query",), place)
        if question is None:
            raise given.wrong(place, "has no query")
        yield Entry(place, None, question, {"relevant_doc_ids": gold})


def _rating(given: Given, item: Mapping[str, Any], keys: Sequence[str], where: str) -> dict[str, Any]:
    """Return a graded gold id; OpenSearch has ratings as text, such as "3.000"."""
    document, rating = id_of(item, keys, where), number_of(item.get("rating"), where, "rating")
    if document is None or rating is None:
        raise given.wrong(where, f"has no {keys[0] if document is None else 'rating'}")
    if rating != int(rating):
        raise InputError(f"{where}: rating must be a whole number, found {quoted(rating)}; scale the ratings")
    return {"id": document, "grade": int(rating)}


def _query_text(query: Mapping[str, Any]) -> str | None:
    """Return the text of a simple query, None of any other: a guess would be worse."""
    match query:
        case {"match": dict(fields)} | {"match_phrase": dict(fields)} if len(fields) == 1:
            (field,) = fields.values()
            found = field.get("query") if isinstance(field, dict) else field
        case {"multi_match": {"query": found}} | {"simple_query_string": {"query": found}}:
            pass
        case _:
            found = None
    return found if isinstance(found, str) else None


def _param(params: Mapping[str, Any]) -> str | None:
    """Return the only text of a template's parameters."""
    texts = [value for value in params.values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else None


def _response(given: Given, document: Mapping[str, Any], where: str) -> Iterator[Entry]:
    for name, failure in table_of(document, "failures", where).items():
        place = f"{where}: failures: {name}"
        reason = reason_of(object_of(given, failure, place).get("error"))
        yield Entry(place, name, run={"error": reason or "the search failed"})
    for name, detail in document["details"].items():
        place = f"{where}: details: {name}"
        hits = list_of(object_of(given, detail, place), ("hits",), place)
        if hits is None:
            raise given.wrong(place, "has no hits")
        wrapped = [(at, table_of(object_of(given, item, at), "hit", at)) for at, item in ranked(hits, place)]
        yield Entry(place, name, run=without_nulls(retrieved=[hit(given, item, at) for at, item in wrapped]))
