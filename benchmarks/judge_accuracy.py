"""Measure the offline judge on rows that people labelled; print the tables, and store them with --write.

Areas and balanced accuracies with their standard errors, per dataset: with the weights as they are
fitted, and with weights from all other families of datasets.
"""

import argparse
import json
from pathlib import Path

from judging.answers import milliseconds
from judging.figures import figures_of
from judging.rows import read_rows
from judging.tables import TABLES, filled

STORED = Path(__file__).with_name("judging") / "figures.json"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "what-the-offline-judge-can-tell.md"


def main() -> None:
    """Measure every task of the rows in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with JSONL files of labelled rows")
    parser.add_argument("--write", action="store_true", help="write figures.json and the page's tables")
    asked = parser.parse_args()
    rows = list(read_rows(sorted(asked.folder.glob("*.jsonl"))))
    figures = figures_of(rows)
    for name, (key, table) in TABLES.items():
        print(f"{name}\n\n{table(figures[key])}")
    below = {row["dataset"]: row["below_earlier"] for row in figures["grounding"] if "below_earlier" in row}
    print(f"standard errors below the earlier figure (negative: above): {json.dumps(below)}")
    print(f"right and swapped answers called supported: {json.dumps(figures['swapped'])}")
    print(f"evasive and real answers taken for refusals: {json.dumps(figures['refusals'])}")
    spent = milliseconds([row for row in rows if row.task in {"grounded", "qa", "synth"}])
    print(f"milliseconds per claim: {json.dumps({name: round(ms, 2) for name, ms in spent.items()})}")
    if asked.write:
        STORED.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
