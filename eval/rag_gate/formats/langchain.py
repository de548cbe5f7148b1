"""Results of LangChain chains and retrievers: documents, plain or as ``dumpd`` writes them."""

from collections.abc import Iterator
from typing import Any

from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.per_question import Places, object_of, read_questions
from rag_gate.formats.results import plain_document, ranked

_PLACES = Places(
    ("context", "source_documents", "documents", "retrieved"), ("answer", "result", "output", "response")
)
#: A document and its score, as similarity_search_with_score returns them.
_PAIR = 2


def read(given: Given) -> Iterator[Entry]:
    """Yield the results. The document is in the metadata; a score only where pairs (document, score) were dumped."""
    for entry, found in read_questions(given, _PLACES):
        if found is not None:
            entry.run["retrieved"] = [
                document(given, item, place) for place, item in ranked(found, entry.where)
            ]
        yield entry


def document(given: Given, item: object, where: str) -> dict[str, Any]:
    """Return a LangChain document as a result.

    Raises:
        InputError: if it is no document.
    """
    score = None
    if isinstance(item, list) and len(item) == _PAIR:
        item, score = item
    content = object_of(given, item, where)
    if content.get("lc") is not None and isinstance(content.get("kwargs"), dict):
        content = content["kwargs"]
    if "page_content" not in content:
        raise given.wrong(where, "is no document, which has page_content")
    plain = content if score is None else {**content, "score": score}
    return plain_document(plain, where, given.choices.get("document-key"))
