"""Golden cases that a pull request adds: measured and shown; they gate once they are merged."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from rag_gate.config_models import Config
from rag_gate.errors import RagGateError
from rag_gate.github.golden_changes import write_golden
from rag_gate.github.trusted import Inputs
from rag_gate.measuring import evaluate_stages
from rag_gate.merge import merge_files
from rag_gate.records.results import Results
from rag_gate.regression.sentences import named
from rag_gate.stage_options import Source, used_stages

_NAMED = 5


def about_new_cases(inputs: Inputs, source: Source, folder: Path) -> list[str]:
    """Measure the added cases and return a sentence about them; nothing of it decides.

    A judge that costs money is not asked.

    Args:
        inputs: what decides, with the added cases.
        source: the run, and the settings that decide.
        folder: for the files in between.
    """
    if not inputs.added:
        return []
    ids = tuple(inputs.added)
    head = f"{len(ids)} new {'case does' if len(ids) == 1 else 'cases do'} not gate before the merge"
    dataset = write_golden(folder / "added.jsonl", inputs.added)
    try:
        found = _measured(
            replace(source, dataset=dataset, tier="extended", config=_free(source.config)), folder
        )
    except RagGateError:
        return [f"{head}; the run does not hold them ({named(ids, _NAMED)})"]
    counted = Counter(case.status for case in found.cases)
    words = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(counted.items()))
    failed = [case.question_id for case in found.cases if case.status != "passed"]
    return [f"{head}: {words}{f' ({named(failed, _NAMED)})' if failed else ''}"]


def _measured(source: Source, folder: Path) -> Results:
    """Measure without a word: every other case of the run is unknown here."""
    evaluate_stages(source, folder)
    stages = used_stages(source.config)
    files = [folder / f"{stage}.json" for stage in stages]
    return merge_files(files, folder / "results.json", stages, source.config.answer_ok)


def _free(config: Config) -> Config:
    if config.judge.engine in {"lexical", "none"}:
        return config
    return config.model_copy(update={"judge": config.judge.model_copy(update={"engine": "none"})})
