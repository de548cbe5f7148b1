"""From command line options to what a stage needs; options win over the settings file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rag_gate.config import load_config
from rag_gate.config_models import Config, RetrievalConfig
from rag_gate.dataset import GoldenSet, load_golden, open_run
from rag_gate.dataset.shards import parse_shard
from rag_gate.errors import ConfigError
from rag_gate.files import refuse_overwriting
from rag_gate.masking import current_masker, start_masking
from rag_gate.measures import STAGES
from rag_gate.records.partial import Shard, StageName, TierName
from rag_gate.records.problems import validation_problems

if TYPE_CHECKING:
    from rag_gate.judge.engine import Engine

_OFFLINE = "lexical-v1"


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

    def retrieval_set(self, everything: GoldenSet) -> tuple[GoldenSet, list[str]]:
        """Return the cases that retrieval is measured on: all that the run holds, since it costs no model call.

        A run that holds only some of the extended cases is measured on the core tier, so that what was
        never asked does not count as not found.

        Args:
            everything: the golden set with all tiers.

        Returns:
            the set, and a line about a run that holds only some.
        """
        if self.tier == "extended" or not everything.has_extended:
            return everything, []
        core = everything.core()
        wanted = everything.cases.keys() - core.cases.keys()
        held = sum(
            joined.case.question_id in wanted and joined.record is not None and joined.record.has_results
            for joined in open_run(everything, self.run, ranks_only=True)
        )
        if held >= (1 - self.config.gate.max_missing) * len(wanted):
            return everything, []
        some = f"the run holds results of {held} of {len(wanted)} extended cases, so retrieval is measured on the core tier"
        return core, [some] if held else []


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
    start_masking(config.safety.personal_data, config.safety.secrets)
    for canary in config.safety.leak.canaries:
        current_masker().hide("CANARY", canary)
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


def judge_config(model: str) -> "Engine":
    """Return the engine of a judge model.

    Raises:
        ConfigError: if no engine is known for the model.
    """
    if model != _OFFLINE:
        raise ConfigError(
            f"--judge-model: no judge is configured for '{model}'; use {_OFFLINE} (offline, needs no key)"
        )
    from rag_gate.judge.offline import LexicalEngine

    return LexicalEngine()
