"""Retrieved results of other tools in the form of a run."""

from collections.abc import Iterable, Mapping
from typing import Any

from rag_gate.formats.values import id_of, id_text, number_of, table_of, text_of, without_nulls

_DOCUMENTS = ("doc_id", "document_id", "source_id", "source")


def result(
    where: str,
    *,
    key: object = None,
    document: object = None,
    text: str | None = None,
    score: object = None,
    metadata: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return one result; parts that are not there are left out.

    Raises:
        InputError: if an id is neither text nor a whole number, or the score is not finite.
    """
    return without_nulls(
        id=id_text(key, where),
        doc_id=id_text(document, where, "document id"),
        text=text,
        score=number_of(score, where, "score"),
        metadata=dict(metadata) if metadata else None,
    )


def document_in(metadata: Mapping[str, Any], asked: str | None, where: str) -> str | None:
    """Return the document id that a result's metadata names.

    Args:
        metadata: as the tool has it.
        asked: the key that the user named; None = the usual ones.
        where: for messages.
    """
    keys = (asked,) if asked else _DOCUMENTS
    plain = {key: value for key, value in metadata.items() if isinstance(value, str | int)}
    return id_of(plain, keys, where)


def ranked(places: Iterable[object], where: str) -> list[tuple[str, object]]:
    """Return each result with its place in messages; the order is the rank."""
    return [(f"{where}: result {rank}", item) for rank, item in enumerate(places, start=1)]


def plain_document(item: Mapping[str, Any], where: str, asked: str | None) -> dict[str, Any]:
    """Return a result that a tool wrote as a flat object or with a table of metadata."""
    metadata = table_of(item, "metadata", where)
    return result(
        where,
        key=item.get("id"),
        document=document_in(metadata, asked, where),
        text=text_of(item, ("page_content", "content", "text"), where),
        score=item.get("score"),
        metadata=metadata,
    )
