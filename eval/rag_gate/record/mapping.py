"""Where things stand in a bot's reply: JMESPath, compiled once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rag_gate.config_target import ReplyMapping
from rag_gate.errors import ConfigError
from rag_gate.record.targets import TargetError
from rag_gate.records.run import ANSWER_KEYS, ID_LISTS, TEXT_LISTS

if TYPE_CHECKING:
    from jmespath.parser import ParsedResult

_OF_A_RESULT = ("id", "doc_id", "text", "score", "metadata")
_OF_THE_REPLY = ("answer", "citations", "usage", "latency_ms", "error")
_KEYS_SHOWN = 8


class Mapper:
    """Turns a bot's reply into a row of a run, not yet checked.

    Args:
        mapping: the expressions.

    Raises:
        ConfigError: if one is none.
    """

    def __init__(self, mapping: ReplyMapping) -> None:
        given = {name: text for name in ReplyMapping.model_fields if (text := getattr(mapping, name))}
        self._given: dict[str, str] = given
        self._compiled = {name: _compiled(name, text) for name, text in given.items()}

    def row(self, content: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
        """Return the reply under the names of a run.

        Raises:
            TargetError: if it does not hold what an expression looks for, or nothing that is known.
        """
        if not isinstance(content, dict):
            raise TargetError(f"the reply must be a JSON object, found {_kind(content)}")
        row = dict(content)
        for name in _OF_THE_REPLY:
            if name in self._compiled:
                found = self._search(name, content)
                row = _without(row, ANSWER_KEYS) if name == "answer" else row
                row[name] = found
        if "retrieved" in self._compiled:
            row = {**_without(row, (*ID_LISTS, *TEXT_LISTS)), "retrieved": self._search("retrieved", content)}
        if row.get("error"):
            return row
        self._refuse_nothing(row, content)
        return self._with_results(row)

    def _with_results(self, row: dict[str, Any]) -> dict[str, Any]:
        """Map the entries of the list of results, where the settings say how."""
        wanted = [name for name in _OF_A_RESULT if name in self._compiled]
        listed = row.get("retrieved")
        if not wanted or not isinstance(listed, list):
            return row
        entries = []
        for rank, entry in enumerate(listed, start=1):
            mapped = {name: self._search(name, entry) for name in wanted}
            if "id" in mapped and mapped["id"] is None:
                raise TargetError(f"reply.id ('{self._given['id']}') finds nothing in result {rank}")
            kept = {key: entry[key] for key in _OF_A_RESULT if isinstance(entry, dict) and key in entry}
            entries.append({**kept, **mapped})
        return {**row, "retrieved": entries}

    def _refuse_nothing(self, row: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        for name in ("answer", "retrieved"):
            if name in self._compiled and row[name] is None:
                raise TargetError(
                    f"reply.{name} ('{self._given[name]}') finds nothing in the reply ({_keys(content)})"
                )
        if row.keys().isdisjoint((*ANSWER_KEYS, *ID_LISTS, *TEXT_LISTS)):
            raise TargetError(
                f"the reply has neither an answer nor results ({_keys(content)}); say under target.reply where they stand"
            )

    def _search(self, name: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        import jmespath

        try:
            return self._compiled[name].search(value)
        except jmespath.exceptions.JMESPathError as error:
            kind = type(error).__name__
            raise TargetError(
                f"reply.{name} ('{self._given[name]}') does not fit the reply ({kind})"
            ) from None


def _compiled(name: str, text: str) -> "ParsedResult":
    import jmespath

    try:
        return jmespath.compile(text)
    except jmespath.exceptions.JMESPathError as error:
        words = str(error).splitlines()[0]
        raise ConfigError(f"target.reply.{name}: is no JMESPath expression ({words}); correct it") from None


def _without(row: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in keys}


def _keys(content: Mapping[str, Any]) -> str:
    if not content:
        return "it is empty"
    names = sorted(map(str, content))
    more = ", ..." if len(names) > _KEYS_SHOWN else ""
    return f"its keys: {', '.join(names[:_KEYS_SHOWN])}{more}"


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__
