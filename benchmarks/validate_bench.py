"""How long ``rag-gate validate`` takes for 20,000 cases, and how many planted near copies it finds.

The questions are made from few words, which is the hard case: they share nearly all of their n-grams.
"""

import json
import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rag_gate.curation.grams import grams, likeness, plain
from rag_gate.curation.validate import validate

CASES, PLANTED, LEAST = 20_000, 400, 0.8
JAPANESE = [
    "経費",
    "出張",
    "休暇",
    "返金",
    "配送",
    "会員",
    "請求",
    "契約",
    "保証",
    "予約",
    "登録",
    "解約",
    "部署",
    "期限",
    "申請",
    "承認",
    "上限",
    "方法",
]
ENGLISH = [
    "refund",
    "delivery",
    "account",
    "password",
    "invoice",
    "contract",
    "hotline",
    "express",
    "return",
    "parcel",
    "customer",
    "manager",
]


def questions(draws: random.Random) -> list[dict[str, Any]]:
    """Return the cases, half of them Japanese."""
    rows = []
    for n in range(CASES):
        words = draws.choices(JAPANESE if n % 2 else ENGLISH, k=4)
        text = (
            f"{''.join(words)}はいつですか{n % 97}"
            if n % 2
            else f"How do I {' the '.join(words)} number {n}?"
        )
        rows.append(
            {"question_id": str(n), "question": text, "gold_ids": [f"d{n % 500}"], "expected": f"a{n % 900}"}
        )
    return rows


def copies(rows: list[dict[str, Any]], draws: random.Random) -> list[dict[str, Any]]:
    """Return near copies of some cases: one character left out, or a word before it."""
    found = []
    for n in range(PLANTED):
        row = draws.choice(rows)
        text, at = row["question"], draws.randrange(2, len(row["question"]) - 2)
        changed = draws.choice([f"Hi, {text}", text[:at] + text[at + 1 :]])
        found.append({**row, "question_id": f"copy-{n}", "question": changed})
    return found


def main() -> None:
    draws = random.Random(0)  # noqa: S311 - the same questions each time
    rows = questions(draws)
    planted = copies(rows, draws)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "golden.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, *planted]), encoding="utf-8")
        started = time.process_time()
        findings = validate(str(path))
        taken = time.process_time() - started
    named = {finding.question_id for finding in findings}
    sets = [(row, grams(plain(row["question"]))) for row in rows]
    alike = [
        row["question_id"]
        for row in planted
        if any(
            other["gold_ids"] == row["gold_ids"] and likeness(own, grams(plain(row["question"]))) >= LEAST
            for other, own in sets
        )
    ]
    print(f"{len(rows) + len(planted)} cases: {taken:.1f} s of CPU time")
    print(f"near copies: {sum(key in named for key in alike)} of {len(alike)} found")


if __name__ == "__main__":
    main()
