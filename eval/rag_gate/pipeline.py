"""Everything from one settings file: evaluate, merge, check, report."""

from dataclasses import dataclass
from pathlib import Path

from rag_gate.cli_support import say
from rag_gate.files import refuse_overwriting
from rag_gate.gate_commands import CheckFiles, run_check
from rag_gate.judge.stage import evaluate_judge
from rag_gate.measures import STAGES
from rag_gate.merge import merge_files
from rag_gate.records.verdict_file import Verdict
from rag_gate.report import write_comment
from rag_gate.retrieval import evaluate_retrieval
from rag_gate.safety.stage import evaluate_safety
from rag_gate.stage_commands import used_stages
from rag_gate.stage_options import Source, judge_config

_WRITTEN = (*(f"{stage}.json" for stage in STAGES), "results.json", "verdict.json", "comment.md")


@dataclass(frozen=True)
class Overrides:
    """What the command line says instead of the settings file."""

    run: str | None = None
    tier: str | None = None
    output: Path | None = None


def run_all(config_path: Path, overrides: Overrides, *, strict: bool) -> Verdict:
    """Evaluate, merge, check and report, all from the settings file."""
    source = Source.from_config(config_path, overrides.run, overrides.tier)
    folder = overrides.output or source.config.output
    inputs = (source.dataset, source.run, source.config.baseline, config_path)
    for name in _WRITTEN:
        refuse_overwriting(folder / name, *inputs)
    say(evaluate_stages(source, folder))
    stages = used_stages(source.config)
    merge_files(
        [folder / f"{stage}.json" for stage in stages],
        folder / "results.json",
        stages,
        source.config.answer_ok,
    )
    files = CheckFiles(folder / "results.json", config_path)
    verdict, results = run_check(files, folder / "verdict.json", strict=strict)
    write_comment(results, verdict, source.config.report, folder / "comment.md")
    say([f"wrote {folder / 'comment.md'}"])
    return verdict


def evaluate_stages(source: Source, folder: Path) -> list[str]:
    """Run the evaluators that are switched on; each writes ``<stage>.json`` into the folder."""
    golden, config = source.golden(), source.config
    stages = used_stages(config)
    warnings = evaluate_retrieval(golden, source.run, config.retrieval, folder / "retrieval.json")
    if "judge" in stages:
        warnings += evaluate_judge(golden, source.run, judge_config("lexical-v1"), folder / "judge.json")
    if "safety" in stages:
        warnings += evaluate_safety(golden, source.run, config.safety, folder / "safety.json")
    return warnings
