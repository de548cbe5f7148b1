"""From command line options to what a stage needs; options win over the settings file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rag_gate.config import load_config
from rag_gate.config_judge import JudgeConfig
from rag_gate.config_models import Config, RetrievalConfig
from rag_gate.dataset import GoldenSet, Joined, load_golden, open_run
from rag_gate.dataset.shards import parse_shard
from rag_gate.errors import ConfigError
from rag_gate.files import refuse_overwriting
from rag_gate.measures import STAGES
from rag_gate.records.partial import Shard, StageName, TierName
from rag_gate.records.problems import validation_problems

_OFFLINE = "lexical-v1"
#: Key of the settings -> option.
_JUDGE_OPTIONS = {
    "engine": "engine",
    "model": "judge_model",
    "max_cost_usd": "max_cost_usd",
    "max_calls": "max_calls",
}


@dataclass(frozen=True)
class Source:
    """What to evaluate and where to write it."""

    config: Config
    dataset: str
    run: str | None
    tier: TierName
    output: Path
    shard: Shard

    @classmethod
    def from_config(cls, path: Path, run: str | None, tier: str | None) -> "Source":
        """Take everything from the settings file, but for the run and the tier if they are given."""
        return source_of({"config": path, "run_file": run, "tier": tier, "output": Path()})

    def golden(self) -> GoldenSet:
        """Load the golden set."""
        return load_golden(self.dataset, self.tier)

    def retrieval_set(self, everything: GoldenSet) -> GoldenSet:
        """Return the cases that retrieval is measured on: all that the run holds, since it costs no model call.

        A run that holds only some of the extended cases is measured on the core tier alone, so that what was
        never asked does not count as not found; the counts say so. A case that was asked and failed is held.

        Args:
            everything: the golden set with all tiers.
        """
        if self.tier == "extended":
            return everything
        core = everything.core()
        wanted = len(everything.cases) - len(core.cases)
        if not wanted:
            return core
        held = sum(
            core.is_aside(joined.case) and _was_asked(joined)
            for joined in open_run(everything, self.run, ranks_only=True)
        )
        if held >= (1 - self.config.gate.max_missing) * wanted:
            return everything.core(with_extended=True)
        return replace(core, recorded_aside=held)


def _was_asked(joined: Joined) -> bool:
    return joined.record is not None and (joined.record.has_results or joined.state == "error")


def used_stages(config: Config) -> list[StageName]:
    """Return the stages that the settings do not switch off."""
    off = {"judge": config.judge.engine == "none", "safety": config.safety.engine == "none"}
    return [stage for stage in STAGES if not off.get(stage, False)]


def source_of(options: Mapping[str, Any]) -> Source:
    """Join options and settings.

    Raises:
        ConfigError: if no dataset is named.
    """
    config = load_config(options["config"]) if options["config"] else Config()
    dataset = options.get("dataset") or config.dataset
    if dataset is None:
        where = options["config"] or "--dataset"
        raise ConfigError(
            f"{where}: no golden set is named; use --dataset FILE, or 'dataset:' in rag-gate.yml"
        )
    # A run in the settings belongs to the dataset in the settings, not to another one.
    configured = None if options.get("dataset") or config.run is None else str(config.run)
    refuse_overwriting(options["output"], dataset, options.get("run_file") or configured, options["config"])
    return Source(
        config=config,
        dataset=dataset,
        run=options.get("run_file") or configured,
        tier=options.get("tier") or config.tier,
        output=options["output"],
        shard=parse_shard(options["shard"]) if options.get("shard") else Shard(),
    )


def retrieval_config(config: RetrievalConfig, options: Mapping[str, Any]) -> RetrievalConfig:
    """Put the retrieval options over the settings.

    Raises:
        ConfigError: one line per option that is wrong.
    """
    changed: dict[str, Any] = {
        key: options[key] for key in ("unit", "k_counts", "min_grade") if options.get(key) is not None
    }
    if options.get("k_values") is not None:
        changed["k_values"] = _k_values(options["k_values"])
    if options.get("document_id_regex"):
        changed["document_id"] = {"regex": options["document_id_regex"]}
    success = {
        key: options[option]
        for key, option in (("rule", "success"), ("k", "success_k"))
        if options.get(option) is not None
    }
    if success:
        changed["success"] = {**config.success.model_dump(exclude_none=True), **success}
    try:
        return RetrievalConfig.model_validate({**config.model_dump(exclude_none=True), **changed})
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, "options")) from None


def _k_values(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not re.fullmatch(r"0*[1-9][0-9]{0,4}", part)]
    if wrong:
        raise ConfigError(f"--k-values: each k must be a whole number from 1 to 99999, found '{wrong[0]}'")
    return [int(part) for part in parts]


def judge_config(config: JudgeConfig, options: Mapping[str, Any]) -> JudgeConfig:
    """Put the judge's options over the settings.

    A model on the command line means the engine ``llm``, unless an engine is named or set as well; ``lexical-v1``
    means the offline judge.

    Raises:
        ConfigError: one line per option that is wrong.
    """
    changed: dict[str, Any] = {
        key: options[option] for key, option in _JUDGE_OPTIONS.items() if options.get(option) is not None
    }
    if changed.get("model") == _OFFLINE:
        changed |= {"model": None, "engine": changed.get("engine", "lexical"), "cascade": None}
    elif "model" in changed and config.engine in {"lexical", "none"}:
        changed = {"engine": "llm", **changed}
    elif changed.get("engine") in {"lexical", "none"}:
        changed = {**changed, "model": changed.get("model"), "cascade": None}
    if options.get("no_cache"):
        changed["cache"] = {**config.cache.model_dump(), "enabled": False}
    given = {key: getattr(config, key) for key in config.model_fields_set}
    try:
        return JudgeConfig.model_validate({**given, **changed})
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, "options")) from None
