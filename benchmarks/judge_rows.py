"""Copy the labelled rows that may be shipped, a few per dataset, into the tests."""

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "tests" / "data" / "judge" / "rows.jsonl"
_FEWER = {"wice_oracle": 15, "jaquad_swap": 10, "rel_jhars": 10, "rel_jaquad": 15, "rel_expertqa": 15}
_KEPT = (
    *("id", "task", "dataset", "label", "question", "contexts", "answer", "reference", "license", "source"),
    *("nc", "shippable", "meta"),
)


def chosen(folder: Path, most: int) -> Iterator[dict[str, object]]:
    """Yield at most so many rows of each dataset and label (of edits, of each kind); a hash of the id chooses."""
    lines = [
        line
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    rows = [row for row in map(json.loads, lines) if row["shippable"] and not row["nc"]]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    taken: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        kind = str((row["meta"] or {}).get("kind", "")) if row["task"] == "synth" else ""
        key = (row["dataset"], str(row["label"]), kind)
        if taken[key] < min(most, _FEWER.get(row["dataset"], most)):
            taken[key] += 1
            yield {name: row[name] for name in _KEPT if row.get(name) not in (None, "", [], {})}


def main() -> None:
    """Write the chosen rows, sorted by dataset and id."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with JSONL files of labelled rows")
    parser.add_argument("--most", type=int, default=25, help="rows per dataset and label (25)")
    asked = parser.parse_args()
    rows = sorted(chosen(asked.folder, asked.most), key=lambda row: (row["dataset"], row["id"]))
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    print(f"{len(rows)} rows, {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
