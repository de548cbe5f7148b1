"""Everything from one settings file: evaluate, merge, check, report."""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_gate.errors import InputError
from rag_gate.files import is_absent, refuse_overwriting, write_text
from rag_gate.gate_commands import CheckFiles, Decided, decide, run_check
from rag_gate.measures import STAGES
from rag_gate.measuring import measure
from rag_gate.records.results import Results
from rag_gate.records.verdict import GateOutcome
from rag_gate.regression.escalation import needs_escalation
from rag_gate.report.html.sources import PageSources
from rag_gate.report.origin import now
from rag_gate.report.reporter import Reporter
from rag_gate.reporting import page_beside
from rag_gate.stage_options import Source

_WRITTEN = (
    *(f"{stage}.json" for stage in STAGES),
    "results.json",
    "verdict.json",
    "comment.md",
    "report.html",
)


@dataclass(frozen=True)
class Overrides:
    """What the command line says instead of, or beyond, the settings file."""

    run: str | None = None
    tier: str | None = None
    output: Path | None = None
    rejudge: bool = False


def run_all(config_path: Path, overrides: Overrides, *, strict: bool) -> tuple[Decided, list[Path]]:
    """Record where there is no run, evaluate, merge, check and report, all from the settings file.

    Returns:
        the decision, and the files to name at the end.
    """
    source = Source.from_config(config_path, overrides.run, overrides.tier)
    folder = overrides.output or source.config.output
    asks = source.run is None and source.config.target is not None
    if asks:
        source = recorded(source, config_path, folder)
    elif source.run is not None and source.config.target is not None and is_absent(Path(source.run)):
        raise InputError(f"{source.run}: no such file; rag-gate record writes it, or name another with --run")
    inputs = (source.dataset, source.run, source.config.baseline, config_path)
    for name in _WRITTEN:
        refuse_overwriting(folder / name, *inputs)
    reporter = Reporter.of(source.config.report, now(config_path, folder / "results.json", run=overrides.run))
    measure(source, folder)
    files = CheckFiles(folder / "results.json", config_path, rejudge=overrides.rejudge)
    bot = config_path if asks and source.run is not None else None
    escalates = source.config.gate.on_inconclusive == "escalate"
    notice = escalated(source, folder, files, bot) if escalates else None
    written = [folder / "verdict.json", folder / "comment.md"]
    decided = run_check(files, written[0], strict=strict, notices=[notice] if notice else [])
    write_text(written[1], reporter.text(decided.results, decided.verdict))
    path = source.config.baseline
    shown = PageSources(decided.results, decided.verdict, decided.baseline, path, source.dataset, source.run)
    page = page_beside(folder, shown, source.config.report)
    return decided, [*written, *([page] if page else [])]


def recorded(source: Source, config_path: Path, folder: Path) -> Source:
    """Ask the bot of the settings, where neither they nor the golden rows hold a run; return what to evaluate.

    Cases without an answer stay in the run with their errors: the check counts them.
    """
    if source.golden().run_rows:
        return source
    from rag_gate.record.job import Wishes
    from rag_gate.record_command import record_into

    run = folder / "run.jsonl"
    record_into(source, config_path, run, Wishes())
    return replace(source, run=str(run))


def escalated(source: Source, folder: Path, files: CheckFiles, bot: Path | None = None) -> str | None:
    """Measure the extended tier as well where the core tier could not tell, and put it in its place.

    Args:
        source: what was evaluated.
        folder: where the results are.
        files: what is checked.
        bot: the settings, where the run is a recording of this call: the other cases are asked now.

    Returns:
        What happened, in a sentence; None where the core tier could tell.
    """
    core, results, _ = decide(files, strict=False)
    unsure = [
        name
        for name in needs_escalation(GateOutcome(overall=core.overall, metrics=core.metrics))
        if isinstance(results, Results) and not results.measured_on_all_tiers(name)
    ]
    if source.tier != "core" or not unsure:
        return None
    asked = f"the core tier could not tell ({', '.join(unsure)})"
    if core.dataset is None or not core.dataset.has_extended:
        return f"{asked}, and the golden set has no extended tier to ask"
    with TemporaryDirectory(dir=folder, prefix=".extended-") as name:
        wide = Path(name)
        run = source.run if bot is None else _asked_further(source, bot, folder)
        found = measure(replace(source, tier="extended", run=run), wide)
        extended = decide(replace(files, results=wide / "results.json"), strict=False).verdict
        if extended.overall == "error":
            return f"{asked}, and the extended tier cannot be judged, so it was not asked: {extended.problems[0]}"
        for path in sorted(wide.iterdir()):
            path.replace(folder / path.name)
        if bot is not None and source.run is not None:
            _put_in_place(Path(str(run)), Path(source.run))
    return f"{asked}, so the extended tier was measured as well: {len(found.cases)} cases decide"


def _asked_further(source: Source, config_path: Path, folder: Path) -> str:
    """Ask the bot the cases beyond the core tier; what it has answered already is kept."""
    from rag_gate.record.job import Wishes
    from rag_gate.record_command import record_into

    run = folder / "run.extended.jsonl"
    known = Path(source.run) if source.run else None
    record_into(replace(source, tier="extended", run=None), config_path, run, Wishes(known=known))
    return str(run)


def _put_in_place(wide: Path, run: Path) -> None:
    """Let the run of all cases, and its manifest, take the place of the core tier's."""
    for suffix in (".jsonl", ".meta.json"):
        wide.with_suffix(suffix).replace(run.with_suffix(suffix))
