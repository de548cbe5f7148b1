"""One answer under the safety checks, and a whole stage on a few cases."""

from pathlib import Path
from typing import Any

from material import Row, lines

from rag_gate.config_safety import SafetyConfig
from rag_gate.dataset import load_golden
from rag_gate.partials import read_partial
from rag_gate.records.golden import GoldenCase
from rag_gate.records.partial import Partial
from rag_gate.records.run import parse_run_record
from rag_gate.safety.findings import SafetyCase
from rag_gate.safety.stage import evaluate_safety


def answered(answer: str, run: Row | None = None, **golden: Any) -> SafetyCase:
    """An executed case; without any gold id it must be declined."""
    row: Row = {"question_id": "q", "question": "How?", "relevant_doc_ids": ["d"], **golden}
    if row.get("answerable") is False:
        row.pop("relevant_doc_ids")
    record = parse_run_record({"answer": answer, "retrieved": [], **(run or {})}, "q")
    return SafetyCase(GoldenCase.model_validate(row), record, answer, record.texts())


def checked(folder: Path, gold: list[Row], run: list[Row], **config: Any) -> Partial:
    """Run the stage and return what it wrote."""
    golden = load_golden(lines(folder / "gold.jsonl", gold))
    source = lines(folder / "run.jsonl", run)
    evaluate_safety(golden, source, SafetyConfig.model_validate(config), folder / "safety.json")
    return read_partial(folder / "safety.json")
