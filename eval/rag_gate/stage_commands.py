"""The commands of single stages: options in, one file out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rag_gate.cli_support import emit, say, say_written
from rag_gate.config import load_config
from rag_gate.config_judge import JudgeConfig
from rag_gate.config_models import Config
from rag_gate.dataset import load_golden
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.files import canonical_json, refuse_overwriting
from rag_gate.measures import STAGES
from rag_gate.records.partial import StageName
from rag_gate.stage_options import Source, judge_config, retrieval_config, source_of, used_stages


def run_retrieval(options: Mapping[str, Any]) -> None:
    """Evaluate retrieval as the options say."""
    from rag_gate.retrieval import evaluate_retrieval

    source = source_of(options)
    config = retrieval_config(source.config.retrieval, options)
    golden = source.retrieval_set(load_golden(source.dataset, "extended"))
    warnings = evaluate_retrieval(golden, source.run, config, source.output, source.shard)
    say(warnings)
    say_written(source.output)


def run_judge(options: Mapping[str, Any]) -> None:
    """Judge the answers as the options say."""
    from rag_gate.judge.factory import engine_of
    from rag_gate.judge.stage import evaluate_judge

    source = source_of(options)
    config = judge_config(source.config.judge, options)
    if options.get("estimate"):
        _estimate(source, config)
        return
    judged = evaluate_judge(source.golden(), source.run, engine_of(config), source.output, source.shard)
    say(judged.warnings)
    say_written(source.output)
    if judged.problems:
        raise NotJudgedError.of(f"judge: {problem}" for problem in judged.problems)


def _estimate(source: Source, config: JudgeConfig) -> None:
    """Tell what judging would cost, by model and tier, and ask nothing."""
    import os

    if config.engine != "llm":
        raise ConfigError(
            f"--estimate: engine {config.engine} has no estimate; name a model with --judge-model"
        )
    from rag_gate.judge.llm.estimate import estimate

    found = estimate(source.golden(), source.run, config, os.environ)
    say(line for each in found for line in each.words())
    emit(canonical_json([asdict(each) for each in found]))


def run_safety(options: Mapping[str, Any]) -> None:
    """Check safety as the options say."""
    from rag_gate.ruling import resolver_of
    from rag_gate.safety.stage import evaluate_safety

    source = source_of(options)
    resolver = resolver_of(source.config)
    warnings = evaluate_safety(
        source.golden(), source.run, source.config.safety, source.output, source.shard, resolver
    )
    say(warnings)
    say_written(source.output)


def run_merge(partials: Sequence[Path], config: Path | None, stages: str | None, output: Path) -> None:
    """Merge partials into the results file."""
    from rag_gate.merge import merge_files

    refuse_overwriting(output, *partials, config)
    settings = load_config(config) if config else Config()
    results = merge_files(partials, output, _stages(stages, settings), settings.answer_ok)
    statuses = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in results.statuses.items())
    compared = [] if "judge" in results.stages else ["no judge ran: answers were only compared for equality"]
    say([f"{len(results.cases)} cases: {statuses}", *compared])
    say_written(output)


def _stages(text: str | None, config: Config) -> list[StageName]:
    if text is None:
        return used_stages(config)
    wanted = [part.strip() for part in text.split(",") if part.strip()]
    unknown = sorted(set(wanted) - set(STAGES))
    if unknown or not wanted:
        raise ConfigError(f"--stages: must name some of {', '.join(STAGES)}, found '{text}'")
    return [stage for stage in STAGES if stage in wanted]
