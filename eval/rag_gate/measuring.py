"""The evaluators that the settings use, and merge: a recorded run becomes results."""

from pathlib import Path

from rag_gate.cli_support import say
from rag_gate.dataset import load_golden
from rag_gate.judge.factory import engine_of
from rag_gate.judge.spent import Spent
from rag_gate.judge.stage import evaluate_judge
from rag_gate.merge import merge_files
from rag_gate.records.results import Results
from rag_gate.retrieval import evaluate_retrieval
from rag_gate.ruling import resolver_of
from rag_gate.safety.stage import evaluate_safety
from rag_gate.stage_options import Source, used_stages


def measure(source: Source, folder: Path, spent: Spent | None = None) -> Results:
    """Evaluate and merge into a folder: one file per evaluator, and ``results.json``.

    Args:
        source: what to evaluate.
        folder: where the files go.
        spent: what a model judge has cost already; counts against its limits.
    """
    say(evaluate_stages(source, folder, spent))
    stages = used_stages(source.config)
    files = [folder / f"{stage}.json" for stage in stages]
    return merge_files(files, folder / "results.json", stages, source.config.answer_ok)


def evaluate_stages(source: Source, folder: Path, spent: Spent | None = None) -> list[str]:
    """Run the evaluators that are switched on; each writes ``<stage>.json`` into the folder."""
    everything, config = load_golden(source.dataset, "extended"), source.config
    golden = everything.core() if source.tier == "core" else everything
    stages = used_stages(config)
    ranked, run, shard = source.retrieval_set(everything), source.run, source.shard
    warnings = evaluate_retrieval(ranked, run, config.retrieval, folder / "retrieval.json", shard)
    spent = spent if spent is not None else Spent()
    if "judge" in stages:
        judged = evaluate_judge(
            golden, run, engine_of(config.judge, spent=spent), folder / "judge.json", shard
        )
        warnings += [*judged.warnings, *(f"judge: {problem}" for problem in judged.problems)]
    if "safety" in stages:
        # What rules leave open goes to the judge, whose limits hold for both stages together.
        resolver = resolver_of(config, spent)
        warnings += evaluate_safety(golden, run, config.safety, folder / "safety.json", shard, resolver)
    return warnings
