"""Ids of a corpus, and ids that runs retrieved."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from rag_gate.dataset.rows import iter_rows
from rag_gate.dataset.run import run_records
from rag_gate.errors import InputError
from rag_gate.files import read_text
from rag_gate.records.run import DOC_KEYS, ID_KEYS

_CORPUS_KEYS = (*ID_KEYS, "_id", "source", "path")


def corpus_ids(source: str) -> set[str]:
    """Return the ids of a corpus: a file of rows with an id, a text file with one id a line, or a folder of documents.

    Of a folder the ids are the paths of its files below it, with and without ending, and their names without ending.

    Raises:
        InputError: if a row has no id, or there is none.
    """
    path = Path(source)
    if path.is_dir():
        found = set(_names(path))
    elif path.suffix.lower() == ".txt":
        found = {line.strip() for line in read_text(path).splitlines() if line.strip()}
    else:
        found = set(_rows(source))
    if not found:
        raise InputError(
            f"{source}: holds no id; a corpus is rows with an id, one id a line (.txt), or a folder"
        )
    return found


def _names(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.is_file():
            name = path.relative_to(folder)
            yield from (name.as_posix(), name.with_suffix("").as_posix(), name.stem)


def _rows(source: str) -> Iterator[str]:
    for row in iter_rows(source):
        values = [row.content[key] for key in _CORPUS_KEYS if isinstance(row.content.get(key), str | int)]
        if not values:
            raise InputError(f"{row.where}: has no id ({', '.join(_CORPUS_KEYS)}); add one")
        yield from map(str, values)


def retrieved_ids(sources: Iterable[str]) -> set[str]:
    """Return every id of a chunk and a document that stands in some runs.

    Raises:
        InputError: if a row cannot be read.
    """
    found: set[str] = set()
    for source in sources:
        for _, record in run_records(source):
            found.update(key for key in record.ids if key is not None)
            for item in record.results:
                if isinstance(item, dict):
                    found.update(str(item[key]) for key in DOC_KEYS if item.get(key) is not None)
    return found
