"""What stands in a folder: files of questions, and recorded runs."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rag_gate.dataset.rows import iter_rows
from rag_gate.errors import RagGateError
from rag_gate.formats.reading import cells, is_table
from rag_gate.starting.columns import holds_results, matched
from rag_gate.text import quoted

_ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")
_PASSED_OVER = frozenset({"node_modules", "eval_results", "venv", "build", "dist", "__pycache__"})
_LARGEST = 50_000_000
_MOST_FILES = 500
_MOST_NAMES = 5
_LABELS = frozenset({"relevant_doc_ids", "expected_answer", "evidence", "evidence_groups", "answerable"})
Kind = Literal["golden", "run", "both"]


class Seen(NamedTuple):
    """A file that looks like one of ours."""

    path: Path
    kind: Kind
    columns: tuple[str, ...]


class Line(NamedTuple):
    """A row and its place."""

    where: str
    content: dict[str, Any]


def look(folder: Path) -> list[Seen]:
    """Return the files of a folder and of the folders in it that hold questions with labels, or results."""
    return [seen for path in islice(_files(folder), _MOST_FILES) if (seen := recognised(path)) is not None]


def recognised(path: Path) -> Seen | None:
    """Return what a file is, None for one that is neither a golden set nor a run."""
    try:
        first = next(read_lines(path), None)
    except RagGateError:
        return None
    if first is None:
        return None
    columns = tuple(first.content)
    names = set(matched(columns).values())
    recorded = holds_results(columns)
    if "question" in names and names & _LABELS:
        return Seen(path, "both" if recorded else "golden", columns)
    return Seen(path, "run", columns) if recorded and names & {"question_id", "question"} else None


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the rows of a file; a table may be separated by commas, semicolons or tabs.

    Raises:
        InputError: naming file and line, if it cannot be read.
    """
    if is_table(path):
        for where, cells_of_row in cells(path):
            if any(cell.strip() for cell in cells_of_row.values()):
                yield Line(where, cells_of_row)
    else:
        for row in iter_rows(str(path)):
            yield Line(row.where, row.content)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _PASSED_OVER or path.is_symlink():
            continue
        if path.is_dir():
            yield from (inner for inner in sorted(path.iterdir()) if _is_candidate(inner))
        elif _is_candidate(path):
            yield path


def _is_candidate(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in _ENDINGS and 0 < path.stat().st_size <= _LARGEST


def unread(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the tables of a folder that are not recognised, to say it where nothing else is found."""
    for path in islice(_files(folder), _MOST_FILES):
        try:
            columns = next((line.content for line in read_lines(path)), None) if is_table(path) else None
        except RagGateError as error:
            yield from error.problems[:1]
            continue
        if columns is not None and recognised(path) is None:
            names = ", ".join(map(quoted, list(columns)[:_MOST_NAMES]))
            yield (
                f"{path}: its columns are not known ({names}); it needs one for the question and one for the "
                "gold ids or the expected answer, named as below"
            )


def shown(found: Sequence[Seen]) -> str:
    """Return the paths for a message."""
    return ", ".join(str(seen.path) for seen in found)
