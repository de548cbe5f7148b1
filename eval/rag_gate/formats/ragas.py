"""Samples of ragas (``SingleTurnSample``), and the results of its evaluation."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.reading import rows
from rag_gate.formats.results import result
from rag_gate.formats.values import id_of, ids_of, list_of, text_of, without_nulls
from rag_gate.text import quoted

_ID = ("question_id", "id")
_QUESTION = ("user_input", "question")
_ANSWER = ("response", "answer")
_REFERENCE = ("reference", "ground_truth")
#: Of versions before 0.1: a list of right answers.
_REFERENCES = "ground_truths"
_TEXTS = ("retrieved_contexts", "contexts")
_KNOWN = (
    *(*_ID, *_QUESTION, *_ANSWER, *_REFERENCE, _REFERENCES, *_TEXTS),
    *("retrieved_context_ids", "reference_contexts", "reference_context_ids"),
    *("multi_responses", "rubrics", "persona_name", "query_style", "query_length", "synthesizer_name"),
)
#: How a conversation begins in a cell of a table: as Python or JSON writes its first message.
_TURNS = re.compile(r"""\[\{\s*["'](?:content|type|metadata|role)["']\s*:""")


def read(given: Given) -> Iterator[Entry]:
    """Yield the samples; the names of ragas before 0.2 (question, contexts, ground_truth) are read as well."""
    for where, row in rows(given, ("samples",)):
        given.leave_out(row, _KNOWN)
        if isinstance(row.get("user_input"), list) or _TURNS.match(str(row.get("user_input"))):
            raise given.wrong(
                where, "holds a conversation of several turns; only single-turn samples can be imported"
            )
        question = text_of(row, _QUESTION, where)
        if question is None:
            raise given.wrong(where, "has no user_input")
        yield Entry(where, id_of(row, _ID, where), question, golden_of(row, where), _run(row, where))


def golden_of(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the golden part of a sample."""
    return without_nulls(
        expected_answer=text_of(row, _REFERENCE, where) or passages(row, (_REFERENCES,), where),
        relevant_doc_ids=ids_of(row, ("reference_context_ids",), where) or None,
        evidence=passages(row, ("reference_contexts",), where),
    )


def passages(
    row: Mapping[str, Any], keys: Sequence[str], where: str, separator: str = ""
) -> list[str] | None:
    """Return a list of texts, None where there is none.

    Raises:
        InputError: if an entry is no text.
    """
    found = list_of(row, keys, where, separator)
    for number, item in enumerate(found or [], start=1):
        if not isinstance(item, str):
            raise InputError(f"{where}: {keys[0]}: entry {number} must be text, found {quoted(item)}")
    return found or None


def _run(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the recorded part: an empty list of contexts is a result, an absent one is none."""
    texts, ids = list_of(row, _TEXTS, where), ids_of(row, ("retrieved_context_ids",), where)
    passages(row, _TEXTS, where)
    if texts is not None and ids is not None and len(texts) != len(ids):
        raise InputError(
            f"{where}: retrieved_context_ids has {len(ids)} entries and retrieved_contexts {len(texts)}; "
            "they must pair up"
        )
    count = len(texts if texts is not None else ids or [])
    retrieved = [
        result(where, key=ids[n] if ids else None, text=texts[n] if texts else None) for n in range(count)
    ]
    listed = retrieved if texts is not None or ids is not None else None
    return without_nulls(retrieved=listed, answer=text_of(row, _ANSWER, where))
