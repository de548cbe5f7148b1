"""Simulate how often each rule is right; print the tables, and store them with --write."""

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from simulation.cells import cells, figures_of
from simulation.tables import TABLES, filled

STORED = Path(__file__).with_name("simulation") / "figures.json"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "how-sure-the-gate-is.md"


def main() -> None:
    """Simulate every cell, the slow ones first, on all processors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=2000, help="per cell of 50 cases (2000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same tables (1)")
    parser.add_argument("--write", action="store_true", help="write figures.json and the page's tables")
    asked = parser.parse_args()

    began = time.perf_counter()
    planned = list(cells(asked.replications))
    slow_first = sorted(planned, key=lambda cell: cell.n * cell.replications, reverse=True)
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        rows = dict(
            zip(slow_first, workers.map(partial(figures_of, seed=asked.seed), slow_first), strict=True)
        )
    figures: dict[str, object] = {"seed": asked.seed, "replications": asked.replications}
    for name, table in TABLES.items():
        figures[name] = found = [rows[cell] for cell in planned if cell.kind == name]
        print(f"{name}\n\n{table(found)}")
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if asked.write:
        STORED.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
