"""Fit the weights of the offline judge; print the table, or store it and its manifest with --write."""

import argparse
from pathlib import Path

from judging.rows import read_rows
from judging.table import fitted, manifest, measured, table

TABLE = Path(__file__).resolve().parents[1] / "eval" / "rag_gate" / "judge" / "weights.json"
MANIFEST = Path(__file__).with_name("judging") / "manifest.json"


def main() -> None:
    """Fit on all grounded rows of the folder that may be used for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with dev_en.jsonl and dev_ja.jsonl")
    parser.add_argument("--write", action="store_true", help="write weights.json and manifest.json")
    asked = parser.parse_args()
    files = sorted(asked.folder.glob("*.jsonl"))
    rows = [row for row in read_rows(files) if row.task == "grounded"]
    text = table(fitted(rows, [measured(row) for row in rows]))
    print(text, end="")
    if asked.write:
        TABLE.write_text(text, encoding="utf-8")
        MANIFEST.write_text(manifest(rows, files), encoding="utf-8")


if __name__ == "__main__":
    main()
