"""Measure the offline judge on rows that people labelled; print the tables, and store them with --write."""

import argparse
from pathlib import Path

from judging.grounding import EARLIER, grounding, macro
from judging.rows import read_rows


def main() -> None:
    """Measure every task of the rows in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with JSONL files of labelled rows")
    asked = parser.parse_args()
    rows = list(read_rows(sorted(asked.folder.glob("*.jsonl"))))
    found = grounding([row for row in rows if row.task == "grounded"])
    for name, one in found.items():
        print(
            f"{name:12} n={one.right}+{one.wrong} fitted {one.fitted.value:.3f}±{one.fitted.error:.3f} "
            f"left out {one.left_out.value:.3f}±{one.left_out.error:.3f} earlier {EARLIER[name]:.3f} "
            f"({one.below_earlier(name):+.1f} se below) BA {one.balanced.value:.3f}±{one.balanced.error:.3f} "
            f"undecided {one.undecided:.2f}"
        )
    inside, outside = macro(found)
    print(
        f"macro fitted {inside.value:.4f}±{inside.error:.4f} left out {outside.value:.4f}±{outside.error:.4f}"
    )


if __name__ == "__main__":
    main()
