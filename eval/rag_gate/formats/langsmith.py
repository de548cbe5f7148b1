"""Examples and runs of LangSmith, as its SDK and its export write them."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.langchain import document
from rag_gate.formats.per_question import Picker, golden_at, question_of
from rag_gate.formats.reading import Found, rows
from rag_gate.formats.results import ranked
from rag_gate.formats.values import first, id_of, ids_of, list_of, table_of, text_of, without_nulls

_QUESTION = ("question", "query", "input", "user_input", "messages")
_ANSWER = ("answer", "output", "response", "result", "expected_answer", "reference")
_DOCUMENTS = ("documents", "output", "context", "source_documents")
_GOLD = ("relevant_doc_ids", "gold_ids", "reference_context_ids")


def read(given: Given) -> Iterator[Entry]:
    """Yield golden cases of a file of examples, recorded ones of a file of runs."""
    found = list(rows(given, ("examples", "runs", "results")))
    picker = Picker(given)
    if any("run_type" in row.value for row in found):
        yield from _traces(given, picker, found)
        return
    for where, row in found:
        if "inputs" not in row or row.get("id") is None:
            raise given.wrong(where, "is neither an example nor a run, which have id and inputs")
        inputs = table_of(row, "inputs", where)
        question = question_of(picker, row if picker.is_asked("question") else inputs, where, _QUESTION)
        yield Entry(where, id_of(row, ("id",), where), question, _golden(picker, row, where))


def _golden(picker: Picker, row: Mapping[str, Any], where: str) -> dict[str, Any]:
    outputs = {**table_of(row, "metadata", where), **table_of(row, "outputs", where)}
    taken = without_nulls(
        expected_answer=text_of(outputs, _ANSWER, where), relevant_doc_ids=ids_of(outputs, _GOLD, where)
    )
    return {**taken, **golden_at(picker, row, where)}


def _traces(given: Given, picker: Picker, found: list[Found]) -> Iterator[Entry]:
    traces: dict[str, list[Found]] = {}
    for where, row in _with_children(given, found):
        key = id_of(row, ("trace_id", "id"), where)
        if key is None:
            raise given.wrong(where, "has neither trace_id nor id")
        traces.setdefault(key, []).append(Found(where, row))
    for runs in traces.values():
        top = next((run for run in runs if not run.value.get("parent_run_id")), None)
        if top is None:
            raise given.wrong(
                runs[0].where, "its trace has no root run (one without parent_run_id); export whole traces"
            )
        yield _recorded(given, picker, top, runs)


def _with_children(given: Given, found: list[Found]) -> Iterator[Found]:
    """Yield runs and the runs that are nested in them."""
    for where, row in found:
        children = list_of(row, ("child_runs",), where) or []
        yield Found(where, row)
        nested = [Found(f"{where}: child {n}", child) for n, child in enumerate(children, start=1)]
        for place, child in nested:
            if not isinstance(child, dict):
                raise given.wrong(place, "must be an object")
        yield from _with_children(given, nested)


def _recorded(given: Given, picker: Picker, top: Found, runs: list[Found]) -> Entry:
    where, row = top
    inputs, outputs = table_of(row, "inputs", where), table_of(row, "outputs", where)
    question = question_of(picker, row if picker.is_asked("question") else inputs, where, _QUESTION)
    asked = picker.take("answer", row if picker.is_asked("answer") else outputs, _ANSWER, where)
    error = row.get("error")
    run = without_nulls(
        retrieved=_retrieved(given, picker, top, runs),
        answer=text_of(asked, _ANSWER, where) if row.get("run_type") != "retriever" else None,
        error=str(error) if error else None,
        latency_ms=_latency(row),
        usage=without_nulls(total_tokens=row.get("total_tokens")) or None,
    )
    return Entry(where, id_of(row, ("reference_example_id",), where), question, run=run)


def _retrieved(given: Given, picker: Picker, top: Found, runs: list[Found]) -> list[Any] | None:
    """Return the documents of the retriever's runs, or of the root's outputs where there is none."""
    places = sorted(
        (run for run in runs if run.value.get("run_type") == "retriever"),
        key=lambda run: str(run.value.get("start_time")),
    )
    if picker.is_asked("retrieved"):
        lists = [
            (top.where, first(picker.take("retrieved", top.value, _DOCUMENTS, top.where), _DOCUMENTS)[1])
        ]
    elif places:
        lists = [
            (run.where, first(table_of(run.value, "outputs", run.where), _DOCUMENTS)[1]) for run in places
        ]
    else:
        outputs = table_of(top.value, "outputs", top.where)
        lists = [(top.where, first(outputs, ("documents", "context", "source_documents"))[1])]
    if len(lists) > 1:
        given.notes["the trace has several retrievers; their results stand one after the other"] += 1
    found = [(where, list_of({"documents": documents}, ("documents",), where)) for where, documents in lists]
    given_lists = [(where, documents) for where, documents in found if documents is not None]
    if not given_lists:
        return None
    return [
        document(given, item, at) for where, documents in given_lists for at, item in ranked(documents, where)
    ]


def _latency(row: Mapping[str, Any]) -> float | None:
    try:
        start, end = (datetime.fromisoformat(str(row.get(key))) for key in ("start_time", "end_time"))
        return (end - start).total_seconds() * 1000
    except (ValueError, TypeError):
        return None
