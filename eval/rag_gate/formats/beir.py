"""A data set in the layout of BEIR: a folder with queries, qrels and corpus."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.files import iter_lines, parse_json, read_text
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.reading import Found, values
from rag_gate.formats.values import id_of, text_of
from rag_gate.records.golden import MAX_GRADE
from rag_gate.text import quoted

_HEADER = ("query-id", "corpus-id", "score")
_SPLIT = "test"


def read(given: Given) -> Iterator[Entry]:
    """Yield the queries that the split's qrels judge; those of other splits are counted."""
    folder = given.path
    qrels = folder / "qrels" / f"{given.choices.get('split', _SPLIT)}.tsv"
    if not qrels.exists() and (splits := sorted(path.stem for path in qrels.parent.glob("*.tsv"))):
        raise InputError(f"{qrels}: no such file; say --split with one of: {', '.join(splits)}")
    judged = _judged(given, qrels)
    queries = {name: (where, text) for where, name, text in _queries(given, folder / "queries.jsonl")}
    unknown = next((name for name in judged if name not in queries), None)
    if unknown is not None:
        raise given.wrong(str(folder / "qrels"), f"query {quoted(unknown)} is not in queries.jsonl")
    corpus = folder / "corpus.jsonl"
    if corpus.is_file():
        _note_absent(given, judged, corpus)
    others = len(queries) - len(judged)
    if others:
        given.notes["the query is not judged in this split and was left out"] += others
    for name, grades in judged.items():
        gold = [{"id": document, "grade": grade} for document, grade in grades.items()]
        yield Entry(queries[name][0], name, queries[name][1], {"relevant_doc_ids": gold})


def _queries(given: Given, path: Path) -> Iterator[tuple[str, str, str]]:
    seen: dict[str, str] = {}
    for where, row in values(path):
        if not isinstance(row, dict):
            raise given.wrong(where, "must be an object")
        name, text = id_of(row, ("_id",), where), text_of(row, ("text",), where)
        if name is None or text is None:
            raise given.wrong(where, f"has no {'_id' if name is None else 'text'}")
        if name in seen:
            raise InputError(f"{where}: query {quoted(name)} was already given at {seen[name]}; keep one")
        seen[name] = where
        yield where, name, text


def _judged(given: Given, path: Path) -> dict[str, dict[str, int]]:
    """Return query -> document -> grade, in the order of the file."""
    judged: dict[str, dict[str, int]] = {}
    for row, (where, cells) in enumerate(_cells(path)):
        if row == 0 and tuple(cells) == _HEADER:
            continue
        if len(cells) != len(_HEADER):
            raise given.wrong(
                where, f"needs 3 cells ({' '.join(_HEADER)}, separated by tabs), found {len(cells)}"
            )
        query, document, text = cells
        grade = _grade(text)
        if grade is None:
            raise InputError(f"{where}: score must be a whole number up to {MAX_GRADE}, found {quoted(text)}")
        if judged.setdefault(query, {}).setdefault(document, grade) != grade:
            raise InputError(
                f"{where}: document {quoted(document)} of query {quoted(query)} has two grades; keep one"
            )
    return judged


def _cells(path: Path) -> Iterator[Found]:
    """Yield the cells of each line; a cell with quotes is quoted, as BEIR writes and reads it."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter="\t")
    try:
        for cells in reader:
            if cells:
                yield Found(f"{path}:{reader.line_num}", [cell.strip() for cell in cells])
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: is no valid TSV ({error}); fix the file") from None


def _grade(text: str) -> int | None:
    digits = text.removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() and len(digits) < len("1000") else None
    return number if number is not None and abs(number) <= MAX_GRADE else None


def _note_absent(given: Given, judged: dict[str, dict[str, int]], corpus: Path) -> None:
    """Count gold documents that the corpus does not have: no retriever can find them."""
    missing = {document for grades in judged.values() for document, grade in grades.items() if grade > 0}
    for number, line in iter_lines(corpus):
        row: Any = parse_json(line, f"{corpus}:{number}")
        missing.discard(id_of(row, ("_id",), f"{corpus}:{number}") or "" if isinstance(row, dict) else "")
    for document in missing:
        given.notes[f"gold document {quoted(document)} is not in corpus.jsonl"] += 1
