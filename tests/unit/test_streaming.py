"""Memory does not grow with the run: results are read, scored and written one case at a time."""

import json
import tracemalloc
from pathlib import Path

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import load_golden
from rag_gate.retrieval import evaluate_retrieval

RESULTS = [{"id": f"chunk-{n}", "text": "本文" * 40} for n in range(100)]


def peak(folder: Path, n_cases: int) -> int:
    """Return the most memory in use while a run of so many cases is evaluated, without the golden set's."""
    gold, run = folder / "gold.jsonl", folder / "run.jsonl"
    with gold.open("w", encoding="utf-8") as golden_file, run.open("w", encoding="utf-8") as run_file:
        for number in range(n_cases):
            golden_file.write(json.dumps({"id": f"q{number}", "relevant": ["chunk-3"]}) + "\n")
            run_file.write(json.dumps({"id": f"q{number}", "retrieved": RESULTS}) + "\n")
    golden = load_golden(str(gold))
    _ = golden.fingerprints
    tracemalloc.start()
    evaluate_retrieval(golden, str(run), RetrievalConfig(), folder / "out.json")
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def test_ten_times_the_cases_take_hardly_more_memory(tmp_path: Path) -> None:
    peak(tmp_path, 10)  # what is loaded and cached once
    few, many = peak(tmp_path, 30), peak(tmp_path, 300)
    assert (tmp_path / "run.jsonl").stat().st_size > 15_000_000
    assert many - few < 400_000
