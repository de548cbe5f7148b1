"""One JSON object a question: what frameworks return, dumped, with the question beside it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.reading import rows
from rag_gate.formats.values import first, id_of, id_text, ids_of, list_of, text_of, without_nulls
from rag_gate.text import quoted

ID = ("question_id", "id")
QUESTION = ("question", "query", "input", "user_input")


class Places(NamedTuple):
    """Under which keys a framework has its parts."""

    results: Sequence[str]
    answer: Sequence[str]


class Picker:
    """Takes the parts of a row from where ``--at`` says, otherwise from under the usual keys."""

    def __init__(self, given: Given) -> None:
        import jmespath
        from jmespath.exceptions import JMESPathError

        from rag_gate.errors import ConfigError

        self._compiled = {}
        for part, expression in given.at.items():
            try:
                self._compiled[part] = jmespath.compile(expression)
            except JMESPathError as error:
                problem = " ".join(str(error).split())
                raise ConfigError(
                    f"--at {part}={expression}: is no JMESPath expression ({problem})"
                ) from None
        self._given = given

    def take(self, part: str, row: Mapping[str, Any], keys: Sequence[str], where: str) -> dict[str, Any]:
        """Return a table with the part under its first key, empty where the row has none.

        Raises:
            InputError: if ``--at`` names a place where the row has nothing.
        """
        if part not in self._compiled:
            key, value = first(row, keys) if keys else ("", None)
            return {} if value is None else {key: value}
        value = self._compiled[part].search(row)
        if value is None:
            raise self._given.wrong(where, f"has nothing at {self._given.at[part]} (--at {part})")
        return {keys[0] if keys else part: value}

    def is_asked(self, part: str) -> bool:
        """Tell whether ``--at`` names a part."""
        return part in self._compiled


def question_of(
    picker: Picker, row: Mapping[str, Any], where: str, keys: Sequence[str] = QUESTION
) -> str | None:
    """Return the question of a row."""
    return text_of(picker.take("question", row, keys, where), keys, where)


def name_of(picker: Picker, row: Mapping[str, Any], where: str, keys: Sequence[str] = ID) -> str | None:
    """Return the id of a row's case."""
    return id_of(picker.take("question_id", row, keys, where), keys, where)


def read_questions(given: Given, places: Places) -> Iterator[tuple[Entry, list[Any] | None]]:
    """Yield each row as an entry with its answer, and its list of results as the framework wrote it."""
    picker = Picker(given)
    for where, row in rows(given, ("results", "rows", "data")):
        question, name = question_of(picker, row, where), name_of(picker, row, where)
        if question is None and name is None:
            raise given.wrong(where, f"has neither a question ({', '.join(QUESTION)}) nor a question_id")
        found = list_of(picker.take("retrieved", row, places.results, where), places.results, where)
        answer = text_of(picker.take("answer", row, places.answer, where), places.answer, where)
        error = row.get("error")
        if found is None and answer is None and not error:
            raise given.wrong(where, f"has no results ({', '.join(places.results)}) and no answer")
        recorded = without_nulls(answer=answer, error=str(error) if error else None)
        yield Entry(where, name, question, golden_at(picker, row, where), recorded), found


def golden_at(picker: Picker, row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the golden parts that ``--at`` names."""
    expected = picker.take("expected_answer", row, (), where)
    gold = picker.take("relevant_doc_ids", row, (), where)
    single = gold.get("relevant_doc_ids")
    if isinstance(single, str | int) and not isinstance(single, bool):
        gold = {"relevant_doc_ids": [id_text(single, where, "relevant_doc_ids")]}
    return without_nulls(
        expected_answer=text_of(expected, ("expected_answer",), where),
        relevant_doc_ids=ids_of(gold, ("relevant_doc_ids",), where),
    )


def object_of(given: Given, item: object, where: str) -> dict[str, Any]:
    """Return a result that must be an object.

    Raises:
        InputError: if it is none.
    """
    if not isinstance(item, dict):
        raise given.wrong(where, f"must be an object, found {quoted(item)}")
    return item
