"""Files of other tools as JSON values or rows of a table, each with its place."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rag_gate.errors import InputError
from rag_gate.files import iter_lines, parse_json, read_bytes, read_text
from rag_gate.formats.entry import Given
from rag_gate.text import quoted

_TABLES = {".csv": ",", ".tsv": "\t"}
_LINES = frozenset({".jsonl", ".ndjson"})
_LONGEST_CELL = 100_000_000
_QUOTED = re.compile(r'"[^"]*"')


class Found(NamedTuple):
    """A value and where it stands."""

    where: str
    value: Any


def is_table(path: Path) -> bool:
    """Tell whether a file is a CSV or TSV."""
    return path.suffix.lower() in _TABLES


def values(path: Path) -> Iterator[Found]:
    """Yield the JSON values of a file: one a line, or the one that the file is.

    A file that is called .json may hold one value a line, as collectors of traces write it. NaN is read, since
    other tools write it for scores; a value that is taken must be finite (see :mod:`rag_gate.formats.values`).

    Raises:
        InputError: naming file and line, if something is not JSON.
    """
    if path.suffix.lower() not in _LINES:
        data = read_bytes(path)
        try:
            whole = parse_json(data, str(path), finite=False)
        except InputError:
            if data.lstrip()[:1] == b"[" or data.count(b"\n{") == 0:
                raise
        else:
            yield Found(str(path), whole)
            return
    for number, line in iter_lines(path):
        yield Found(f"{path}:{number}", parse_json(line, f"{path}:{number}", finite=False))


def rows(given: Given, wrappers: tuple[str, ...] = ()) -> Iterator[Found]:
    """Yield the rows of a CSV, TSV, JSONL or JSON file; each is an object.

    Args:
        given: the file and its format.
        wrappers: keys under which a file's one object may hold the list of rows.

    Raises:
        InputError: naming file and line, if a row cannot be read, or if there is none.
    """
    found = False
    for row in table(given.path) if is_table(given.path) else _entries(given, wrappers):
        if not isinstance(row.value, dict):
            raise given.wrong(row.where, f"must be an object, found {quoted(row.value)}")
        found = True
        yield row
    if not found:
        raise given.wrong(str(given.path), "holds no row")


def _entries(given: Given, wrappers: tuple[str, ...]) -> Iterator[Found]:
    for where, value in values(given.path):
        listed = value
        if isinstance(value, dict):
            listed = next((value[key] for key in wrappers if isinstance(value.get(key), list)), value)
        if not isinstance(listed, list):
            yield Found(where, listed)
            continue
        for number, item in enumerate(listed, start=1):
            yield Found(f"{where}: entry {number}", item)


def table(path: Path) -> Iterator[Found]:
    """Yield the rows of a CSV or TSV, each with the line on which it ends; empty cells are left out.

    Raises:
        InputError: as :func:`cells` does.
    """
    for where, row in cells(path):
        filled = {name: cell for name, cell in row.items() if cell}
        if filled:
            yield Found(where, filled)


def cells(path: Path) -> Iterator[Found]:
    """Yield the rows of a table as they are; it may be separated by commas, semicolons or tabs.

    Raises:
        InputError: if a row has another number of cells than the header, or a name stands twice in the header.
    """
    csv.field_size_limit(_LONGEST_CELL)
    text = read_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(path, text), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        twice = next((name for name in header if name and header.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"{path}:1: the column {quoted(twice)} stands twice; keep one")
        for row in reader:
            where = f"{path}:{reader.line_num}"
            if row and len(row) != len(header):
                raise InputError(
                    f"{where}: has {len(row)} cells, but the header has {len(header)}; fix the row"
                )
            if row:
                # Spreadsheets leave empty columns without a name behind.
                pairs = zip(header, row, strict=True)
                yield Found(where, {name: cell for name, cell in pairs if name or cell})
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: is no valid CSV ({error}); fix the file") from None


def _separator(path: Path, text: str) -> str:
    """Return what separates the names in the header; programs of some countries write semicolons."""
    header = _QUOTED.sub("", text.split("\n", 1)[0])
    usual = _TABLES[path.suffix.lower()]
    return max((usual, ",", ";", "\t"), key=header.count)
