"""Load rag-gate.yml and tables of tolerances: one line per problem, with file and key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rag_gate.config_models import Config, Tolerance, Tolerances, check_metric_names, is_hub_name
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
    raw = read_yaml(path)
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
    return config.model_copy(update={**moved, "judge": config.judge.below(base)})


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
