"""Results of ``promptfoo eval --output results.json``."""

from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.per_question import Picker, golden_at, name_of, object_of, question_of
from rag_gate.formats.promptfoo_tests import asserted
from rag_gate.formats.reading import Found, values
from rag_gate.formats.results import plain_document, ranked, result
from rag_gate.formats.values import first, list_of, number_of, table_of, without_nulls
from rag_gate.text import quoted

_QUESTION = ("question", "query", "input", "user_input", "prompt")
_CONTEXT = ("context", "contexts", "retrieved", "documents")
_ID = ("question_id", "id")
_SHOWN = 5


def read(given: Given) -> Iterator[Entry]:
    """Yield the results of one provider and one prompt.

    The parts stand in the test's ``vars``, or as keys of an output that is an object; ``--at`` is applied to a
    whole result, so that ``response.metadata.documents`` can be named.
    """
    picker = Picker(given)
    for where, row in _chosen(given):
        parts = {**table_of(row, "vars", where), **_output(row)}
        question = question_of(picker, row if picker.is_asked("question") else parts, where, _QUESTION)
        name = name_of(picker, row if picker.is_asked("question_id") else parts, where, _ID)
        if question is None and name is None:
            raise given.wrong(
                where, f"has no question in vars ({', '.join(_QUESTION)}); say --at question=vars.NAME"
            )
        golden = {**asserted(given, table_of(row, "testCase", where), where), **golden_at(picker, row, where)}
        yield Entry(where, name, question, golden, _run(given, picker, Found(where, row), parts))


def _chosen(given: Given) -> Iterator[Found]:
    """Yield the results of the one provider and prompt that are asked for, or that there are."""
    found = list(_results(given))
    if not found:
        raise given.wrong(str(given.path), "holds no result")
    for choice, names in (("provider", _providers), ("prompt", _prompts)):
        kinds = {names(row.value): None for row in found}
        asked = given.choices.get(choice)
        if asked is None and len(kinds) > 1:
            shown = ", ".join(quoted(kind[0]) for kind in list(kinds)[:_SHOWN])
            raise InputError(
                f"{given.path}: holds results of {len(kinds)} {choice}s ({shown}); say --{choice}"
            )
        left = [row for row in found if asked is None or asked in names(row.value)]
        if not left:
            raise InputError(f"{given.path}: holds no result of {choice} {quoted(asked)}")
        if len(left) < len(found):
            given.notes[f"another {choice} than {asked} was left out"] += len(found) - len(left)
        found = left
    yield from found


def _results(given: Given) -> Iterator[Found]:
    for where, value in values(given.path):
        outer = object_of(given, value, where)
        inner = table_of(outer, "results", where) if isinstance(outer.get("results"), dict) else outer
        listed = list_of(inner, ("results",), where)
        if listed is None and "vars" not in outer:
            raise given.wrong(where, "has no results.results")
        for number, item in enumerate([outer] if listed is None else listed, start=1):
            place = f"{where}: result {number}"
            yield Found(place, object_of(given, item, place))


def _providers(row: Mapping[str, Any]) -> tuple[str, ...]:
    provider = row.get("provider")
    if not isinstance(provider, Mapping):
        return (str(provider),)
    return tuple(str(provider[key]) for key in ("id", "label") if provider.get(key)) or ("?",)


def _prompts(row: Mapping[str, Any]) -> tuple[str, ...]:
    prompt = row.get("prompt")
    label = prompt.get("label") if isinstance(prompt, Mapping) else None
    return (str(row.get("promptIdx", 0)), *([str(label)] if label else []))


def _output(row: Mapping[str, Any]) -> dict[str, Any]:
    response = row.get("response")
    output = response.get("output") if isinstance(response, Mapping) else None
    return output if isinstance(output, dict) else {}


def _run(given: Given, picker: Picker, row: Found, parts: Mapping[str, Any]) -> dict[str, Any]:
    where, content = row
    response = table_of(content, "response", where)
    taken = picker.take("retrieved", content if picker.is_asked("retrieved") else parts, _CONTEXT, where)
    context = first(taken, _CONTEXT)[1]
    listed = [context] if isinstance(context, str) else list_of(taken, _CONTEXT, where)
    if listed is not None and len(listed) == 1 and isinstance(listed[0], list):
        listed = listed[
            0
        ]  # in vars a list is one test per entry, so a list of contexts stands inside another
    retrieved = None if listed is None else [_result(given, item, at) for at, item in ranked(listed, where)]
    error = _failure(content, response)
    return without_nulls(
        retrieved=retrieved,
        answer=_answer(picker, content, response, where) if error is None else None,
        error=error,
        latency_ms=number_of(content.get("latencyMs"), where, "latencyMs"),
        usage=_usage(table_of(response, "tokenUsage", where)),
    )


def _failure(row: Mapping[str, Any], response: Mapping[str, Any]) -> str | None:
    """Return why there is no answer; a failed assertion is no error, though promptfoo writes it in the same place."""
    if response.get("error"):
        return str(response["error"])
    return str(row.get("error") or "no output") if response.get("output") is None else None


def _answer(picker: Picker, row: Mapping[str, Any], response: Mapping[str, Any], where: str) -> str:
    keys = ("answer", "output", "response", "text")
    output = response["output"]
    source = row if picker.is_asked("answer") else output if isinstance(output, dict) else {"answer": output}
    answer = first(picker.take("answer", source, keys, where), keys)[1]
    if not isinstance(answer, str):
        raise InputError(
            f"{where}: the output is an object without a text as answer; say --at answer=response.output.NAME"
        )
    return answer


def _result(given: Given, item: object, where: str) -> dict[str, Any]:
    if isinstance(item, str):
        return result(where, text=item)
    return plain_document(object_of(given, item, where), where, None)


def _usage(tokens: Mapping[str, Any]) -> dict[str, Any] | None:
    names = {"total_tokens": "total", "prompt_tokens": "prompt", "completion_tokens": "completion"}
    return {
        ours: tokens[theirs] for ours, theirs in names.items() if isinstance(tokens.get(theirs), int)
    } or None
