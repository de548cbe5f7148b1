"""Read of a run row only what ranking needs: several times less work than the whole row.

Anything that is not of the plain shape is left to the general reader, which has the last word on what is
an error.
"""

from typing import Any

import msgspec

from rag_gate.records.run import RunRecord


class RankedResult(msgspec.Struct, gc=False):
    """One result: its id, and whether it names its document, and its score (the other keys are passed over)."""

    id: str
    doc_id: Any = None
    document_id: Any = None
    doc: Any = None
    score: float | None = None

    @property
    def names_document(self) -> bool:
        """Whether it has any key that holds a document id."""
        return not (self.doc_id is None and self.document_id is None and self.doc is None)


class _Row(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    retrieved: list[RankedResult]
    question_id: str | None = None
    id: str | None = None
    answer: str | None = None
    citations: list[str] | None = None
    error: str | None = None
    latency_ms: float | None = None
    usage: dict[str, Any] | None = None


_decode = msgspec.json.Decoder(_Row).decode


def ranked_record(line: bytes) -> RunRecord | None:
    """Return the record of a row of the plain shape, None for any other row.

    The plain shape has ``question_id`` (or ``id``), ``retrieved`` with an id in each result, and none of
    the other names that keys may have. The record's results are ``RankedResult``, without texts.
    """
    try:
        if not line.isascii():
            line.decode("utf-8")  # the decoder does not look into texts that it passes over
        row = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    question_id = row.id if row.question_id is None else row.question_id
    ids = [result.id for result in row.retrieved]
    if not question_id or not all(ids):
        return None
    return RunRecord(question_id, ids, row.retrieved, row.answer, error=row.error or None)
