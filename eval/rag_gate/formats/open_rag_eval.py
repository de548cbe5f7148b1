"""CSV of open-rag-eval: one row a passage, the answer in the first row of a query's run."""

from collections.abc import Iterator, Mapping

from rag_gate.errors import InputError
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.reading import Found, rows
from rag_gate.formats.results import result
from rag_gate.formats.values import without_nulls
from rag_gate.text import quoted

_KNOWN = ("query_id", "query", "query_run", "passage_id", "passage", "generated_answer")
_PARTS = frozenset({"passage_id", "passage", "generated_answer"})
#: What the tool writes in place of an answer, and of an answer and its passages.
_NO_ANSWER, _FAILED = "NO_ANSWER", "API_ERROR"
#: What stands for an id where a connector only counts the passages.
_RANK = "[{}]"


def read(given: Given) -> Iterator[Entry]:
    """Yield one entry a query; its rows are its results in rank order."""
    groups: dict[tuple[str, str], list[Found]] = {}
    for where, row in rows(given):
        given.leave_out(row, _KNOWN)
        problem = next((key for key in _KNOWN if not isinstance(row.get(key), str | None)), None)
        if problem is not None:
            raise given.wrong(where, f"{problem} must be text, found {quoted(row[problem])}")
        if not row.get("query"):
            raise given.wrong(where, "has no query")
        key = row.get("query_id") or row["query"]
        groups.setdefault((key, row.get("query_run") or "1"), []).append(Found(where, row))
    if all(_PARTS.isdisjoint(row.value) for found in groups.values() for row in found):
        raise given.wrong(str(given.path), "has neither passages nor answers")
    chosen = given.choices.get("query-run") or _only_run(given, groups)
    for (_, run), found in groups.items():
        if run == chosen:
            yield _entry(given, found)
        else:
            given.notes[f"another run than query_run {chosen} was left out"] += len(found)


def _only_run(given: Given, groups: Mapping[tuple[str, str], list[Found]]) -> str:
    runs = sorted({run for _, run in groups})
    if len(runs) > 1:
        raise InputError(
            f"{given.path}: holds {len(runs)} runs of each query ({', '.join(runs[:5])}); say --query-run"
        )
    return runs[0]


def _entry(given: Given, found: list[Found]) -> Entry:
    where, first = found[0]
    other = next((row for row in found if row.value["query"] != first["query"]), None)
    if other is not None:
        raise InputError(
            f"{other.where}: query_id {quoted(first.get('query_id'))} has another query at {where}; keep one"
        )
    answers = [row.value["generated_answer"] for row in found if row.value.get("generated_answer")]
    answer = answers[0] if answers else None
    name = first.get("query_id")
    if answer == _FAILED:
        return Entry(where, name, first["query"], run={"error": "API_ERROR"})
    passages = [row for row in found if row.value.get("passage_id") and row.value["passage_id"] != _NO_ANSWER]
    for row in found:
        if "passage" in row.value and not row.value.get("passage_id"):
            raise given.wrong(row.where, "has a passage without passage_id")
    only_ranks = all(row.value["passage_id"] == _RANK.format(n) for n, row in enumerate(passages, start=1))
    if passages and only_ranks:
        given.notes[
            "passage_id only counts the passages, so the results have no ids; compare them by evidence"
        ] += 1
    retrieved = [
        result(row.where, key=None if only_ranks else row.value["passage_id"], text=row.value.get("passage"))
        for row in passages
    ]
    run = without_nulls(retrieved=retrieved, answer="" if answer == _NO_ANSWER else answer)
    return Entry(where, name, first["query"], run=run)
