"""What the commands do: read settings, call one stage or all, write files, say what happened."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from rag_gate.cli_support import say
from rag_gate.config import load_config, load_tolerances, shipped_tolerances
from rag_gate.config_models import Config
from rag_gate.errors import ConfigError
from rag_gate.files import canonical_json, fingerprint, write_text
from rag_gate.measures import STAGES
from rag_gate.records.partial import StageName
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict

if TYPE_CHECKING:
    from rag_gate.stage_options import Source


@dataclass(frozen=True)
class Overrides:
    """What the command line says instead of the settings file."""

    run: str | None = None
    tier: str | None = None
    output: Path | None = None


@dataclass(frozen=True)
class CheckFiles:
    """What check and promote read."""

    results: Path
    config: Path | None = None
    baseline: Path | None = None
    tolerances: Path | None = None


class Decided(NamedTuple):
    """A verdict and the results it is about, as read from their file."""

    verdict: Verdict
    results: Results | dict[str, float | None]


def run_retrieval(options: Mapping[str, Any]) -> None:
    """Evaluate retrieval as the options say."""
    from rag_gate.retrieval import evaluate_retrieval
    from rag_gate.stage_options import retrieval_config, source_of

    source = source_of(options)
    config = retrieval_config(source.config.retrieval, options)
    warnings = evaluate_retrieval(source.golden(), source.run, config, source.output, source.shard)
    say([*warnings, f"wrote {source.output}"])


def run_judge(options: Mapping[str, Any]) -> None:
    """Judge the answers as the options say."""
    from rag_gate.judge.stage import evaluate_judge
    from rag_gate.stage_options import judge_config, source_of

    source = source_of(options)
    warnings = evaluate_judge(
        source.golden(), source.run, judge_config(options["judge_model"]), source.output, source.shard
    )
    say([*warnings, f"wrote {source.output}"])


def run_safety(options: Mapping[str, Any]) -> None:
    """Check safety as the options say."""
    from rag_gate.safety.stage import evaluate_safety
    from rag_gate.stage_options import source_of

    source = source_of(options)
    warnings = evaluate_safety(source.golden(), source.run, source.config.safety, source.output, source.shard)
    say([*warnings, f"wrote {source.output}"])


def run_merge(partials: Sequence[Path], config: Path | None, stages: str | None, output: Path) -> None:
    """Merge partials into the results file."""
    from rag_gate.merge import merge_files

    settings = load_config(config) if config else Config()
    results = merge_files(partials, output, _stages(stages, settings), settings.answer_ok)
    statuses = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in results.statuses.items())
    say([f"{len(results.cases)} cases: {statuses}", f"wrote {output}"])


def _stages(text: str | None, config: Config) -> list[StageName]:
    if text is None:
        return used_stages(config)
    wanted = [part.strip() for part in text.split(",") if part.strip()]
    unknown = sorted(set(wanted) - set(STAGES))
    if unknown or not wanted:
        raise ConfigError(f"--stages: must name some of {', '.join(STAGES)}, found '{text}'")
    return [stage for stage in STAGES if stage in wanted]


def used_stages(config: Config) -> list[StageName]:
    """Return the stages that the settings do not switch off."""
    off = {"judge": config.judge.engine == "none", "safety": config.safety.engine == "none"}
    return [stage for stage in STAGES if not off.get(stage, False)]


def run_check(files: CheckFiles, output: Path | None, *, strict: bool) -> Decided:
    """Decide, write the verdict, print the summary as JSON."""
    decided = decide(files, strict=strict)
    verdict = decided.verdict
    target = output or files.results.with_name("verdict.json")
    write_text(target, verdict.model_dump_json(indent=1) + "\n")
    summary = {
        "passed": verdict.passed,
        "regressions": [row.model_dump() for row in verdict.regressions],
        "improvements": [row.model_dump() for row in verdict.improvements],
        "summary": verdict.summary,
    }
    click.echo(canonical_json(summary))
    say([verdict.summary, *verdict.problems[1:], *verdict.notices, f"wrote {target}"])
    return decided


def decide(files: CheckFiles, *, strict: bool) -> Decided:
    """Check results against their baseline; nothing is written."""
    from rag_gate.baseline import load_baseline, load_results
    from rag_gate.regression.check import Rules, check

    config = load_config(files.config) if files.config else Config()
    table = load_tolerances(files.tolerances) if files.tolerances else config.tolerances
    path = files.baseline or config.baseline
    results = load_results(files.results)
    baseline = load_baseline(path) if path is not None and (files.baseline or path.exists()) else None
    rules = Rules(user=table, shipped=shipped_tolerances(), gate=config.gate, strict=strict)
    return Decided(check(results, baseline, rules), results)


def run_report(results_path: Path, verdict_path: Path, config: Path | None, output: Path) -> None:
    """Write the comment from results and verdict."""
    from rag_gate.baseline import load_results
    from rag_gate.records.own import read_own
    from rag_gate.report import write_comment

    settings = load_config(config) if config else Config()
    verdict = read_own(verdict_path, Verdict, "verdict", "rag-gate check")
    write_comment(load_results(results_path), verdict, settings.report, output)
    say([f"wrote {output}"])


def run_promote(files: CheckFiles, reason: str | None) -> None:
    """Check once more, refuse what must not become the baseline, move it."""
    from rag_gate.baseline import load_baseline, promoted, provenance_of, refuse_promotion, write_baseline

    config = load_config(files.config) if files.config else Config()
    path = files.baseline or config.baseline
    if path is None:
        raise ConfigError(
            "promote: no baseline file is named; use --baseline, or 'baseline:' in rag-gate.yml"
        )
    existing = CheckFiles(files.results, files.config, path if path.exists() else None, files.tolerances)
    verdict, results = decide(existing, strict=False)
    if not isinstance(results, Results):
        raise ConfigError(f"promote: {files.results} is a flat table; promote the results of rag-gate merge")
    previous = load_baseline(path) if path.exists() else None
    refuse_promotion(results, verdict, previous, reason)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    settings = fingerprint(config.model_dump(mode="json", exclude={"dataset", "run", "output", "baseline"}))
    baseline = promoted(results, previous, provenance_of(results, verdict, reason, now, settings))
    write_baseline(path, baseline)
    changes = baseline.provenance.changes if baseline.provenance else {}
    say([f"{name}: {_shown(old)} -> {_shown(new)}" for name, (old, new) in sorted(changes.items())])
    say([f"wrote {path} ({len(baseline.cases)} cases)"])


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"


def run_all(config_path: Path, overrides: Overrides, *, strict: bool) -> Verdict:
    """Evaluate, merge, check and report, all from the settings file."""
    from rag_gate.merge import merge_files
    from rag_gate.report import write_comment
    from rag_gate.stage_options import Source

    source = Source.from_config(config_path, overrides.run, overrides.tier)
    folder = overrides.output or source.config.output
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


def evaluate_stages(source: "Source", folder: Path) -> list[str]:
    """Run the evaluators that are switched on; each writes ``<stage>.json`` into the folder."""
    from rag_gate.judge.stage import evaluate_judge
    from rag_gate.retrieval import evaluate_retrieval
    from rag_gate.safety.stage import evaluate_safety
    from rag_gate.stage_options import judge_config

    golden, config = source.golden(), source.config
    stages = used_stages(config)
    warnings = evaluate_retrieval(golden, source.run, config.retrieval, folder / "retrieval.json")
    if "judge" in stages:
        warnings += evaluate_judge(golden, source.run, judge_config("lexical-v1"), folder / "judge.json")
    if "safety" in stages:
        warnings += evaluate_safety(golden, source.run, config.safety, folder / "safety.json")
    return warnings


def run_import_qrels(source: Path, output: Path) -> None:
    """Import TREC qrels."""
    from rag_gate.formats.trec import import_qrels

    say([f"wrote {output} ({import_qrels(source, output).cases} cases)"])


def run_import_run(source: Path, output: Path) -> None:
    """Import a TREC run."""
    from rag_gate.formats.trec import import_run

    found = import_run(source, output)
    if found.tied:
        say([f"{found.tied} cases have tied scores; they were put in order of falling document id"])
    say([f"wrote {output} ({found.cases} cases)"])


def exit_with(verdict: Verdict) -> NoReturn:
    """Leave with the verdict's exit code."""
    sys.exit(verdict.exit_code)
