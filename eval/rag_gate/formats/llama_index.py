"""Results of LlamaIndex: nodes with their scores."""

from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.per_question import Places, object_of, read_questions
from rag_gate.formats.results import document_in, ranked, result
from rag_gate.formats.values import id_of, table_of, text_of

_PLACES = Places(("source_nodes", "nodes", "retrieved"), ("response", "answer"))
#: Which relationship names the document that a node was cut from.
_SOURCE = "1"


def read(given: Given) -> Iterator[Entry]:
    """Yield the results. A node is a chunk; the document is its relationship 1 (``ref_doc_id``)."""
    for entry, found in read_questions(given, _PLACES):
        if found is not None:
            entry.run["retrieved"] = [_node(given, item, place) for place, item in ranked(found, entry.where)]
        yield entry


def _node(given: Given, item: object, where: str) -> dict[str, Any]:
    scored = object_of(given, item, where)
    node = table_of(scored, "node", where) or scored
    key = id_of(node, ("id_", "node_id"), where)
    if key is None:
        raise given.wrong(where, "is no node, which has id_")
    metadata = table_of(node, "metadata", where)
    asked = given.choices.get("document-key")
    return result(
        where,
        key=key,
        document=document_in(metadata, asked, where) if asked else _source(node, where),
        text=text_of(node, ("text",), where)
        or text_of(table_of(node, "text_resource", where), ("text",), where),
        score=scored.get("score"),
        metadata=metadata,
    )


def _source(node: Mapping[str, Any], where: str) -> str | None:
    related = table_of(node, "relationships", where)
    return id_of(table_of(related, _SOURCE, where), ("node_id",), where)
