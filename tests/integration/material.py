"""Small golden sets and runs for tests, written as users write them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import load_golden
from rag_gate.partials import read_partial
from rag_gate.records.partial import Partial, TierName
from rag_gate.retrieval import evaluate_retrieval

Row = dict[str, Any]

#: The short form, with the three cases that have equal aggregates and different failures.
SEED_ROWS: list[Row] = [
    {
        "question": "経費精算の締め切りはいつですか",
        "expected": "翌月5日",
        "gold_ids": ["expense-policy"],
        "retrieved": ["general-guide", "travel-guide"],
        "actual": "翌月5日",
    },
    {
        "question": "出張はどう申請しますか",
        "expected": "申請フォームを使う",
        "gold_ids": ["travel-policy"],
        "retrieved": ["travel-policy", "general-guide"],
        "actual": "メールで申請する",
    },
    {
        "question": "備品の購入は誰が承認しますか",
        "expected": "部門責任者",
        "gold_ids": ["purchase-policy"],
        "retrieved": ["general-guide", "purchase-policy"],
        "actual": "部門責任者",
    },
]


def lines(path: Path, rows: Iterable[object]) -> str:
    """Write JSON lines and return the path as text."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def scored(
    folder: Path, gold: list[Row], run: list[Row] | None = None, *, tier: TierName = "core", **config: Any
) -> Partial:
    """Evaluate retrieval and return the partial it wrote."""
    golden = load_golden(lines(folder / "gold.jsonl", gold), tier)
    source = None if run is None else lines(folder / "run.jsonl", run)
    settings = RetrievalConfig.model_validate({"k_values": (1, 3, 5), **config})
    evaluate_retrieval(golden, source, settings, folder / "retrieval.json")
    return read_partial(folder / "retrieval.json")
