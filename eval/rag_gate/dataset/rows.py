"""Rows of a file, whatever its format: plain JSON and JSONL directly, all else through ``datasets``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rag_gate.errors import InputError
from rag_gate.files import canonical_json, iter_lines, parse_json, read_bytes

JSONL = frozenset({".jsonl", ".ndjson"})
#: File ending -> what the ``datasets`` library calls the format.
TABLES = {".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".arrow": "arrow"}
_WRAPPERS = ("cases", "data", "rows", "examples")
_TIERS = ("core", "extended")


class Row(NamedTuple):
    """One row: where it stands (for messages), its raw text, its content, and its split's name."""

    where: str
    raw: bytes
    content: dict[str, Any]
    split: str | None = None


def raw_text(content: dict[str, Any], where: str) -> bytes:
    """Return one text for a row that was not read from a line of its own.

    Raises:
        InputError: if it holds a number that is not finite.
    """
    try:
        return canonical_json(content).encode()
    except ValueError as error:
        raise InputError(f"{where}: holds NaN, infinity or broken text ({error}); fix the value") from None


def iter_rows(source: str) -> Iterator[Row]:
    """Yield the rows of a dataset or run, one at a time.

    A folder may hold one file per tier (``core.jsonl``, ``extended.csv``). ``.jsonl`` and ``.json``
    files take the standard library; every other file, folder or hub name is loaded by ``datasets``,
    its splits standing for tiers.

    Raises:
        InputError: naming file and line, if a row cannot be read or is not an object.
    """
    path = Path(source)
    if path.suffix.lower() in JSONL:
        yield from _jsonl(path)
    elif path.suffix.lower() == ".json":
        yield from _json(path)
    elif files := _tier_files(path):
        for file in files:
            yield from (row._replace(split=file.stem) for row in iter_rows(str(file)))
    else:
        from rag_gate.dataset.hub import library_rows

        yield from library_rows(source)


def needs_library(source: str) -> bool:
    """Tell whether :func:`iter_rows` takes a source through the ``datasets`` library."""
    path = Path(source)
    if path.suffix.lower() in {*JSONL, ".json"}:
        return False
    files = _tier_files(path)
    return not files or any(needs_library(str(file)) for file in files)


def _tier_files(folder: Path) -> list[Path]:
    endings = (*JSONL, ".json", *TABLES)
    found = [path for tier in _TIERS for ending in endings if (path := folder / f"{tier}{ending}").is_file()]
    stems = [path.stem for path in found]
    if len(set(stems)) < len(stems):
        raise InputError(f"{folder}: holds two files of one tier ({', '.join(map(str, found))}); keep one")
    return found


def _jsonl(path: Path) -> Iterator[Row]:
    name = str(path)
    for number, line in iter_lines(path):
        yield row_of_line(f"{name}:{number}", line)


def row_of_line(where: str, line: bytes) -> Row:
    """Parse one line of a JSONL file.

    Raises:
        InputError: if it is not a JSON object.
    """
    content = parse_json(line, where)
    if not isinstance(content, dict):
        raise InputError(f"{where}: each line must be a JSON object, found {type(content).__name__}")
    return Row(where, line, content)


def _json(path: Path) -> Iterator[Row]:
    document = parse_json(read_bytes(path), str(path), finite=False)
    if isinstance(document, dict):
        document = next((document[key] for key in _WRAPPERS if isinstance(document.get(key), list)), document)
    if not isinstance(document, list):
        raise InputError(f"{path}: must hold a list of cases (or an object with a list under 'cases')")
    for number, content in enumerate(document, start=1):
        where = f"{path}: entry {number}"
        if not isinstance(content, dict):
            raise InputError(f"{where}: must be an object, found {type(content).__name__}")
        yield Row(where, raw_text(content, where), content)
