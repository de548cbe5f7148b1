"""Results of Haystack pipelines: documents, replies, and answers with their documents."""

from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.per_question import QUESTION, Picker, golden_at, name_of, object_of, question_of
from rag_gate.formats.reading import rows
from rag_gate.formats.results import document_in, ranked, result
from rag_gate.formats.values import list_of, table_of, text_of, without_nulls

#: Keys of a document itself; in the flat form all others are metadata.
_OWN = frozenset({"id", "content", "blob", "dataframe", "score", "embedding", "sparse_embedding", "meta"})


def read(given: Given) -> Iterator[Entry]:
    """Yield one entry a pipeline result: the last ``documents`` and the first reply or answer in it."""
    picker = Picker(given)
    for where, row in rows(given, ("results", "rows", "data")):
        answers = _answers(row, where)
        question = question_of(picker, row, where) or text_of(answers, ("query",), where)
        name = name_of(picker, row, where)
        if question is None and name is None:
            raise given.wrong(where, f"has neither a question ({', '.join(QUESTION)}) nor a question_id")
        found = list_of(
            picker.take("retrieved", {**answers, **_documents(row)}, ("documents",), where),
            ("documents",),
            where,
        )
        answer = text_of(
            picker.take("answer", {**_reply(row, where), **answers}, ("data",), where), ("data",), where
        )
        if found is None and answer is None and not row.get("error"):
            raise given.wrong(where, "has no documents and no reply")
        retrieved = (
            None if found is None else [_document(given, item, place) for place, item in ranked(found, where)]
        )
        error = str(row["error"]) if row.get("error") else None
        run = without_nulls(retrieved=retrieved, answer=answer, error=error)
        yield Entry(where, name, question, golden_at(picker, row, where), run)


def _documents(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the documents of the row or of the last component that has some (a ranker comes after a retriever)."""
    parts = [row, *(part for part in row.values() if isinstance(part, dict))]
    found = [part["documents"] for part in parts if isinstance(part.get("documents"), list)]
    return {"documents": found[-1]} if found else {}


def _reply(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the first reply of a generator: a text, or a chat message."""
    parts = [row, *(part for part in row.values() if isinstance(part, dict))]
    replies: list[Any] = next(
        (part["replies"] for part in parts if isinstance(part.get("replies"), list)), []
    )
    if not replies:
        return without_nulls(data=text_of(row, ("answer", "reply"), where))
    reply = replies[0]
    if isinstance(reply, dict):
        content = list_of(reply, ("content", "_content"), where) or []
        texts = [
            part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
        ]
        reply = "".join(texts) if texts else None
    if not isinstance(reply, str):
        raise InputError(f"{where}: replies: entry 1 must be a text or a message with text")
    return {"data": reply}


def _answers(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the first answer of an answer builder, with its query and documents."""
    parts = [row, *(part for part in row.values() if isinstance(part, dict))]
    answers: list[Any] = next(
        (part["answers"] for part in parts if isinstance(part.get("answers"), list)), []
    )
    if not answers or not isinstance(answers[0], dict):
        return {}
    answer = answers[0]
    return without_nulls(**(table_of(answer, "init_parameters", where) or answer))


def _document(given: Given, item: object, where: str) -> dict[str, Any]:
    document = object_of(given, item, where)
    if "content" not in document and "id" not in document:
        raise given.wrong(where, "is no document, which has id and content")
    flat = {key: value for key, value in document.items() if key not in _OWN and value is not None}
    metadata = {**flat, **table_of(document, "meta", where)}
    return result(
        where,
        key=document.get("id"),
        document=document_in(metadata, given.choices.get("document-key"), where),
        text=text_of(document, ("content",), where),
        score=document.get("score"),
        metadata=metadata,
    )
