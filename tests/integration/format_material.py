"""Import a file of another tool and return what was written."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from rag_gate.cli import main

FORMATS_DATA = Path(__file__).resolve().parents[1] / "data" / "formats"
Rows = list[dict[str, Any]]


class Brought(NamedTuple):
    """What an import wrote and said."""

    code: int
    said: str
    golden: Rows
    run: Rows


def bring(folder: Path, kind: str, source: Path | str, *options: str, parts: str = "golden run") -> Brought:
    """Import a file (of the fixtures where the path is relative) with the outputs that are asked for."""
    path = FORMATS_DATA / source if isinstance(source, str) else source
    files = {part: folder / f"{part}.jsonl" for part in parts.split()}
    outputs = [item for part, file in files.items() for item in (f"--{part}", str(file))]
    ended = CliRunner().invoke(main, ["import", kind, str(path), *outputs, *options])
    read = {part: _rows(file) for part, file in files.items() if file.exists()}
    return Brought(ended.exit_code, ended.stderr, read.get("golden", []), read.get("run", []))


def _rows(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def ranked(row: dict[str, Any], key: str = "id") -> list[Any]:
    """Return one key of each result, in rank order."""
    return [item.get(key) for item in row["retrieved"]]
