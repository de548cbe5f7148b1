"""Values of other tools' rows: taken with their place in the message, never guessed."""

import ast
import io
import itertools
import math
import tokenize
from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.errors import InputError
from rag_gate.files import parse_json
from rag_gate.text import quoted


def first(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, Any]:
    """Return the first key that has a value, and the value; of none the first key and None."""
    return next(((key, row[key]) for key in keys if row.get(key) is not None), (keys[0], None))


def text_of(row: Mapping[str, Any], keys: Sequence[str], where: str) -> str | None:
    """Return a text, None where there is none.

    Raises:
        InputError: if something else stands there.
    """
    key, value = first(row, keys)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{where}: {key} must be text, found {quoted(value)}")
    return value


def id_text(value: object, where: str, key: str = "id") -> str | None:
    """Return an id as text; whole numbers are ids as well. None where there is none.

    Raises:
        InputError: if it is neither, or empty.
    """
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise InputError(f"{where}: {key} must be a text or a whole number, found {quoted(value)}")
    return value


def id_of(row: Mapping[str, Any], keys: Sequence[str], where: str) -> str | None:
    """Return the first id under some keys, None where there is none."""
    key, value = first(row, keys)
    return id_text(value, where, key)


def list_of(row: Mapping[str, Any], keys: Sequence[str], where: str, separator: str = "") -> list[Any] | None:
    """Return a list, also one in a cell of a table. None where there is none.

    Args:
        row: what was read.
        keys: names that the list may have.
        where: for messages.
        separator: what stands between the entries of a cell that is neither a JSON nor a Python list.

    Raises:
        InputError: if it is no list.
    """
    key, value = first(row, keys)
    if isinstance(value, str) and _may_be_list(cell := value.strip(), separator):
        value = _list_in(cell, f"{where}: {key}")
    elif isinstance(value, str) and separator:
        value = value.split(separator) if value else None
    if value is not None and not isinstance(value, list):
        raise InputError(f"{where}: {key} must be a list, found {quoted(value)}")
    return value


def _may_be_list(cell: str, separator: str) -> bool:
    """Tell whether a cell is a list; where separators are usual, a text may begin with a bracket (``[1] ...``)."""
    return cell.startswith("[") and (not separator or cell.endswith("]"))


def _list_in(cell: str, where: str) -> object:
    """Read a JSON list, or the list as Python prints it (which is what pandas and csv write)."""
    try:
        return parse_json(cell.encode("utf-8", "surrogatepass"), where)
    except InputError:
        pass
    try:
        if not _are_side_by_side(cell):
            return ast.literal_eval(cell)
    except (ValueError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError):
        pass
    raise InputError(
        f"{where}: is neither a JSON list nor one as Python prints it; save the rows as JSONL instead"
    )


def _are_side_by_side(cell: str) -> bool:
    """Tell whether texts stand without a comma between them: numpy prints arrays so, and Python would join them.

    Raises:
        SyntaxError, tokenize.TokenError: if it is no Python.
    """
    kinds = [
        token.type
        for token in tokenize.generate_tokens(io.StringIO(cell).readline)
        if token.type != tokenize.NL
    ]
    return (tokenize.STRING, tokenize.STRING) in itertools.pairwise(kinds)


def ids_of(row: Mapping[str, Any], keys: Sequence[str], where: str, separator: str = "") -> list[str] | None:
    """Return a list of ids as text, None where there is none."""
    found = list_of(row, keys, where, separator)
    if found is None:
        return None
    key = first(row, keys)[0]
    listed = [id_text(item, f"{where}: {key}", f"entry {n}") for n, item in enumerate(found, start=1)]
    if None in listed:
        raise InputError(f"{where}: {key}: entry {listed.index(None) + 1} is null; every entry must be an id")
    return [item for item in listed if item is not None]


def number_of(value: object, where: str, key: str) -> float | int | None:
    """Return a finite number, None where there is none; a number as text is read (OTLP writes those).

    Raises:
        InputError: if it is no finite number.
    """
    if value is None:
        return None
    number = None
    try:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            number = float(value)
    except (ValueError, OverflowError):  # a whole number can be too large for any score
        pass
    if number is None or not math.isfinite(number):
        raise InputError(f"{where}: {key} must be a finite number, found {quoted(value)}")
    return value if isinstance(value, int) else number


def table_of(row: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    """Return a table of keys, empty where there is none.

    Raises:
        InputError: if something else stands there.
    """
    value = row.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{where}: {key} must be an object, found {quoted(value)}")
    return value


def without_nulls(**parts: object) -> dict[str, Any]:
    """Return the parts that have a value."""
    return {key: value for key, value in parts.items() if value is not None}
