"""Rows through the ``datasets`` library: CSV, Parquet, Arrow, saved datasets, hub names."""

import csv
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rag_gate.config_models import is_hub_name
from rag_gate.dataset.rows import JSONL, TABLES, Row, raw_text
from rag_gate.errors import InputError, MissingExtraError
from rag_gate.files import parse_json
from rag_gate.masking import current_masker

_LISTS = re.compile(
    r"(relevant|relevant_doc_ids|gold_ids|reference_context_ids|evidence|evidence_groups|expected_citations"
    r"|negative_assertions|tags|retrieved|retrieved_ids|retrieved_doc_ids|retrieved_context_ids|retrieved_contexts|contexts"
    r"|retrieval_context|citations|reference_contexts|ground_truth_contexts|ground_truths)\Z"
)
#: The one split of a file; the library keeps the name ``all`` for itself.
_FILE = "file"


def library_rows(source: str) -> Iterator[Row]:
    """Yield the rows of every split; a split named ``core`` or ``extended`` is the tier of its rows.

    Only a hub name reaches the network. Cells of a CSV that stand for lists hold a JSON list, or
    entries separated by ``;``.

    Raises:
        InputError: if the source cannot be loaded, or a CSV has another separator.
    """
    path = Path(source)
    if not path.exists() and not is_hub_name(source):
        raise InputError(f"{source}: no such file; check the path")
    if path.is_file() and path.suffix.lower() not in TABLES:
        known = ", ".join(sorted({*JSONL, ".json", *TABLES}))
        raise InputError(f"{path}: unknown format '{path.suffix}'; known are {known}, folders and hub names")
    with tempfile.TemporaryDirectory(prefix="rag-gate-") as cache:
        for split, table in _load(source, path, cache).items():
            for number, raw in enumerate(table, start=1):
                where = f"{source}: row {number}" if split == _FILE else f"{source}: {split} row {number}"
                content = {key: _cell(key, value, where) for key, value in raw.items() if value is not None}
                yield Row(where, raw_text(content, where), content, split)


def _load(source: str, path: Path, cache: str) -> dict[str, Any]:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")
    if path.exists():
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        import datasets
    except ModuleNotFoundError:
        raise MissingExtraError(f"{source}: this format", "datasets>=4,<6") from None

    datasets.disable_progress_bars()
    # Its log quotes rows; what it has to say also stands in the errors it raises.
    datasets.logging.set_verbosity(logging.CRITICAL)
    try:
        loaded = (
            _open(datasets, path, cache) if path.exists() else datasets.load_dataset(source, cache_dir=cache)
        )
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises many kinds; all mean the same here
        cause = error.__cause__ or error
        reason = str(cause).strip().splitlines() or [type(cause).__name__]
        todo = (
            "check the file" if path.exists() else "check the path, or the name and the connection to the hub"
        )
        if isinstance(cause, UnicodeDecodeError):
            todo = "check that the file is saved as UTF-8 (a spreadsheet calls it CSV UTF-8)"
        raise InputError(
            f"{source}: cannot be loaded by the datasets library ({current_masker().mask(reason[0])[:200]}); {todo}"
        ) from None
    return dict(loaded) if isinstance(loaded, datasets.DatasetDict) else {_FILE: loaded}


def _open(datasets: Any, path: Path, cache: str) -> Any:  # noqa: ANN401 - the library has no types
    if path.is_dir():
        saved = any((path / name).is_file() for name in ("dataset_dict.json", "state.json"))
        return (
            datasets.load_from_disk(str(path)) if saved else datasets.load_dataset(str(path), cache_dir=cache)
        )
    builder = TABLES[path.suffix.lower()]
    options: dict[str, Any] = {}
    if builder == "csv":
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        columns = _columns(path, separator)
        _refuse_other_separator(columns, path, separator)
        texts = {name: datasets.Value("string") for name in columns}
        options = {"sep": separator, "features": datasets.Features(texts), "keep_default_na": False}
    return datasets.load_dataset(builder, data_files={_FILE: str(path)}, cache_dir=cache, **options)


def _columns(path: Path, separator: str) -> list[str]:
    """Read the header, so that every cell is taken as the text it is: ``007`` is no number."""
    with path.open(encoding="utf-8-sig", newline="") as handle:
        return next(csv.reader(handle, delimiter=separator), [])


def _refuse_other_separator(columns: list[str], path: Path, expected: str) -> None:
    """Refuse a table whose header is one column only because something else separates the names."""
    names = {",": "commas", ";": "semicolons", "\t": "tabs"}
    header = columns[0] if len(columns) == 1 else ""
    found = next((mark for mark in names if mark != expected and mark in header), None)
    if found is not None:
        raise InputError(
            f"{path}:1: the columns are separated by {names[found]}; a {path.suffix.lower()} file needs "
            f"{names[expected]}, save it so"
        )


def _cell(key: str, value: Any, where: str) -> Any:  # noqa: ANN401 - any cell value
    if not isinstance(value, str):
        return _without_nulls(value)
    if key in {"answerable", "must_pass"}:
        known = {"true": True, "1": True, "false": False, "0": False}
        return known.get(value.strip().lower(), value) if value.strip() else None
    if not _LISTS.match(key):
        return value if value.strip() else None
    text = value.strip()
    if text.startswith(("[", "{")):
        return parse_json(text.encode(), f"{where}: {key}")
    return [part.strip() for part in text.split(";") if part.strip()]


def _without_nulls(value: Any) -> Any:  # noqa: ANN401 - any cell value
    """Drop the null fields with which Arrow fills structs; take dates and the like as text."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)
