"""Load rag-gate.yml and tables of tolerances: one line per problem, with file and key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rag_gate.config_models import Config, Tolerance, Tolerances, check_metric_names, is_hub_name
from rag_gate.config_rules import BusinessRule, RulesFile
from rag_gate.config_safety import SafetyConfig
from rag_gate.errors import ConfigError
from rag_gate.files import parse_json, read_bytes
from rag_gate.records.problems import validation_problems
from rag_gate.resources import shipped
from rag_gate.yaml_reader import read_yaml

DEFAULT_NAME = "rag-gate.yml"


def load_config(path: Path) -> Config:
    """Read rag-gate.yml; relative paths in it are made relative to the file's folder.

    Raises:
        ConfigError: one line per problem.
        InputError: if the file cannot be read.
    """
    raw = _with_rules(read_yaml(path), path.parent)
    try:
        config = Config.model_validate(raw)
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, str(path))) from None
    check_metric_names(config.tolerances or {}, str(path))
    base = path.parent
    moved: dict[str, Any] = {
        key: base / value
        for key in ("run", "output", "baseline")
        if (value := getattr(config, key)) is not None
    }
    if config.dataset is not None and not is_hub_name(config.dataset, base):
        moved["dataset"] = str(base / config.dataset)
    moved["safety"] = _with_prompt(config.safety, base)
    if config.report.templates is not None:
        moved["report"] = config.report.model_copy(update={"templates": base / config.report.templates})
    return config.model_copy(update={**moved, "judge": config.judge.below(base)})


def _with_rules(raw: dict[str, Any], base: Path) -> dict[str, Any]:
    """Put the business rules in the place of the name of their file."""
    safety = raw.get("safety")
    if not isinstance(safety, dict) or not isinstance(safety.get("rules"), str):
        return raw
    rules = [rule.model_dump(exclude_unset=True) for rule in load_rules(base / safety["rules"])]
    return {**raw, "safety": {**safety, "rules": rules}}


def _with_prompt(config: SafetyConfig, base: Path) -> SafetyConfig:
    """Name the file of instructions from where the settings stand."""
    if config.leak.system_prompt is None:
        return config
    leak = config.leak.model_copy(update={"system_prompt": base / config.leak.system_prompt})
    return config.model_copy(update={"leak": leak})


def load_rules(path: Path) -> tuple[BusinessRule, ...]:
    """Read a YAML file of business rules.

    Raises:
        ConfigError: one line per problem, with file and key.
        InputError: if the file cannot be read.
    """
    try:
        return RulesFile.model_validate(read_yaml(path)).rules
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, str(path))) from None


def load_tolerances(path: Path) -> Tolerances:
    """Read a table of tolerances (YAML or JSON): metric -> drop, or the long form.

    Raises:
        ConfigError: one line per problem.
    """
    if path.suffix.lower() != ".json":
        return parse_tolerances(read_yaml(path), str(path))
    raw = parse_json(read_bytes(path), str(path))
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: must hold keys and values, found {type(raw).__name__}")
    return parse_tolerances(raw, str(path))


def parse_tolerances(raw: Mapping[str, Any], where: str) -> Tolerances:
    """Check a table of tolerances; it may stand below a key ``tolerances``.

    Raises:
        ConfigError: one line per problem.
    """
    table = raw["tolerances"] if isinstance(raw.get("tolerances"), Mapping) else raw
    table = {key: value for key, value in table.items() if key != "schema_version"}
    try:
        parsed = TypeAdapter(dict[str, Tolerance]).validate_python(table)
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, where)) from None
    check_metric_names(parsed, where)
    return parsed


def shipped_tolerances() -> Tolerances:
    """Return the shipped table, used only where the user has none."""
    return load_tolerances(shipped("config") / "tolerances.yml")
