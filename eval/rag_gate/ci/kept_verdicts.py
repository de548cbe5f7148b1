"""Whether a model judge can go without its key: where all that it would be asked is in the cache."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_gate.dataset import load_golden
from rag_gate.errors import RagGateError
from rag_gate.judge.factory import engine_of
from rag_gate.judge.stage import evaluate_judge
from rag_gate.stage_options import Source


def all_kept(source: Source) -> bool:
    """Tell whether every verdict about the run is kept, the one about the canary included; nothing is asked.

    Of a shard that cannot be told: the others have caches of their own, and either all are judged or none.
    """
    judge = source.config.judge
    if judge.engine != "llm" or source.shard.total > 1:
        return False
    config = source.config.model_copy(update={"judge": judge.model_copy(update={"max_calls": 0})})
    try:
        return _is_complete(replace(source, config=config))
    except RagGateError:
        return False  # what is wrong is told where the run is measured


def _is_complete(source: Source) -> bool:
    golden = load_golden(source.dataset, "extended")
    cases = golden.core() if source.tier == "core" else golden
    with TemporaryDirectory(prefix="rag-gate-kept-") as folder:
        engine = engine_of(source.config.judge)
        judged = evaluate_judge(cases, source.run, engine, Path(folder) / "judge.json", source.shard)
        report = engine.report()
        return report is not None and not judged.problems and report.canary != "unscored"
