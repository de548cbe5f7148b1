"""Goldens, test cases and test runs of deepeval."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.ragas import passages
from rag_gate.formats.reading import rows
from rag_gate.formats.results import result
from rag_gate.formats.values import first, id_of, list_of, number_of, text_of, without_nulls

_ID = ("question_id", "id")
_EXPECTED = ("expected_output", "expectedOutput")
_ANSWER = ("actual_output", "actualOutput")
_RESULTS = ("retrieval_context", "retrievalContext")
_SECONDS = ("completion_time", "completionTime")
_TOKENS = (("input_token_count", "inputTokenCount"), ("output_token_count", "outputTokenCount"))
#: How deepeval writes a context that names its source.
_MARKED = re.compile(r"deepeval_source=(.*?),deepeval_context=(.*)\Z", re.DOTALL)
#: What stands between the contexts in a cell of a CSV, and in its JSONL.
_SEPARATOR = "|"
_KNOWN = (
    *(*_ID, "input", *_EXPECTED, *_ANSWER, "context", *_RESULTS, *_SECONDS, *_TOKENS[0], *_TOKENS[1]),
    *("name", "comments", "source_file", "sourceFile", "tools_called", "toolsCalled", "expected_tools"),
    *(
        "expectedTools",
        "token_cost",
        "tokenCost",
        "additional_metadata",
        "additionalMetadata",
        "metadata",
        "tags",
    ),
    *("custom_column_key_values", "customColumnKeyValues", "expectations", "metricsData", "success", "order"),
    *("runDuration", "evaluationCost", "flaky", "multimodal"),
)


def read(given: Given) -> Iterator[Entry]:
    """Yield the cases; of a test run (``.deepeval/.latest_test_run.json``) its test cases."""
    for where, row in rows(given, ("testCases", "test_cases", "goldens")):
        given.leave_out(row, _KNOWN)
        if "turns" in row or "scenario" in row:
            raise given.wrong(
                where, "is a conversation of several turns; only single-turn cases can be imported"
            )
        question = text_of(row, ("input",), where)
        if question is None:
            raise given.wrong(where, "has no input")
        golden = without_nulls(
            expected_answer=text_of(row, _EXPECTED, where),
            evidence=passages(row, ("context",), where, _SEPARATOR),
        )
        yield Entry(where, id_of(row, _ID, where), question, golden, _run(row, where))


def _run(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    listed = list_of(row, _RESULTS, where, _SEPARATOR)
    retrieved = (
        None if listed is None else [_result(item, where, n) for n, item in enumerate(listed, start=1)]
    )
    key, seconds = first(row, _SECONDS)
    taken = number_of(seconds, where, key)
    answer = text_of(row, _ANSWER, where)
    if retrieved is None and answer is None:
        return {}
    return without_nulls(
        retrieved=retrieved,
        answer=answer,
        latency_ms=None if taken is None else taken * 1000,
        usage=_tokens(row, where),
    )


def _result(item: object, where: str, rank: int) -> dict[str, Any]:
    place = f"{where}: retrieval_context: entry {rank}"
    if isinstance(item, dict):
        source = text_of(item, ("source",), place)
        return result(place, document=source or None, text=text_of(item, ("context",), place))
    if isinstance(item, str) and (marked := _MARKED.match(item)):
        return result(place, document=marked[1] or None, text=marked[2])
    return result(place, text=text_of({"entry": item}, ("entry",), place))


def _tokens(row: Mapping[str, Any], where: str) -> dict[str, Any] | None:
    names = ("input_tokens", "output_tokens")
    counts = {
        name: number_of(first(row, keys)[1], where, keys[0])
        for name, keys in zip(names, _TOKENS, strict=True)
    }
    return {name: int(count) for name, count in counts.items() if count is not None} or None
