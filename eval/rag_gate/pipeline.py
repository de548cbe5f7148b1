"""Everything from one settings file: evaluate, merge, check, report."""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_gate.cli_support import say
from rag_gate.files import refuse_overwriting
from rag_gate.gate_commands import CheckFiles, decide, run_check
from rag_gate.judge.factory import engine_of
from rag_gate.judge.stage import evaluate_judge
from rag_gate.measures import STAGES
from rag_gate.merge import merge_files
from rag_gate.records.results import Results
from rag_gate.records.verdict import GateOutcome
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.escalation import needs_escalation
from rag_gate.report import write_comment
from rag_gate.retrieval import evaluate_retrieval
from rag_gate.safety.stage import evaluate_safety
from rag_gate.stage_commands import used_stages
from rag_gate.stage_options import Source

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
    _measure(source, folder)
    files = CheckFiles(folder / "results.json", config_path)
    notice = _escalated(source, folder, files) if source.config.gate.on_inconclusive == "escalate" else None
    verdict, results = run_check(
        files, folder / "verdict.json", strict=strict, notices=[notice] if notice else []
    )
    write_comment(results, verdict, source.config.report, folder / "comment.md")
    say([f"wrote {folder / 'comment.md'}"])
    return verdict


def _measure(source: Source, folder: Path) -> Results:
    """Evaluate and merge into a folder."""
    say(evaluate_stages(source, folder))
    stages = used_stages(source.config)
    files = [folder / f"{stage}.json" for stage in stages]
    return merge_files(files, folder / "results.json", stages, source.config.answer_ok)


def _escalated(source: Source, folder: Path, files: CheckFiles) -> str | None:
    """Measure the extended tier as well where the core tier could not tell, and put it in its place.

    Returns:
        What happened, in a sentence; None where the core tier could tell.
    """
    core = decide(files, strict=False).verdict
    unsure = needs_escalation(GateOutcome(overall=core.overall, metrics=core.metrics))
    if source.tier != "core" or not unsure:
        return None
    asked = f"the core tier could not tell ({', '.join(unsure)})"
    if core.dataset is None or not core.dataset.has_extended:
        return f"{asked}, and the golden set has no extended tier to ask"
    with TemporaryDirectory(dir=folder, prefix=".extended-") as name:
        wide = Path(name)
        found = _measure(replace(source, tier="extended"), wide)
        if found.counts.get("missing", 0) > source.config.gate.max_missing * len(found.cases):
            return f"{asked}, and the run does not hold the extended tier; record it to escalate"
        for path in sorted(wide.iterdir()):
            path.replace(folder / path.name)
    return f"{asked}, so the extended tier was measured as well: {len(found.cases)} cases decide"


def evaluate_stages(source: Source, folder: Path) -> list[str]:
    """Run the evaluators that are switched on; each writes ``<stage>.json`` into the folder."""
    golden, config = source.golden(), source.config
    stages = used_stages(config)
    warnings = evaluate_retrieval(golden, source.run, config.retrieval, folder / "retrieval.json")
    if "judge" in stages:
        judged = evaluate_judge(golden, source.run, engine_of(config.judge), folder / "judge.json")
        warnings += [*judged.warnings, *(f"judge: {problem}" for problem in judged.problems)]
    if "safety" in stages:
        warnings += evaluate_safety(golden, source.run, config.safety, folder / "safety.json")
    return warnings
