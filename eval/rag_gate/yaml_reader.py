"""YAML 1.1 as people expect it: safe types only, and a key given twice is an error."""

from pathlib import Path
from typing import Any

from rag_gate.errors import ConfigError
from rag_gate.files import read_text

_MAX_BYTES = 1_000_000


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping.

    Raises:
        ConfigError: naming file and line, if it is not YAML, not a mapping, too large, uses anchors,
            or gives a key twice.
        InputError: if the file cannot be read.
    """
    import yaml

    text = read_text(path)
    if len(text) > _MAX_BYTES:
        raise ConfigError(f"{path}: is larger than 1 MB; a settings file is small")
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        node = yaml.compose(text, Loader=loader)
        _refuse_repeated_keys(node, path)
        value = yaml.load(text, Loader=loader)  # noqa: S506 - both are safe loaders
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: no such day, as in 2024-02-30
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error) or "cannot be parsed"
        if mark and _is_indented_by_tab(text, mark.line):
            problem = "indented by a tab; YAML takes spaces only"
        raise ConfigError(f"{path}{line}: is not valid YAML ({problem}); fix the file") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: must hold keys and values, found {type(value).__name__}")
    return value


def _is_indented_by_tab(text: str, line: int) -> bool:
    lines = text.split("\n")
    row = lines[line] if line < len(lines) else ""
    return "\t" in row[: len(row) - len(row.lstrip())]


def _refuse_repeated_keys(root: Any, path: Path) -> None:  # noqa: ANN401 - a yaml node of any kind
    """Walk the tree once; a node reached twice is an alias, which a settings file does not need."""
    import yaml

    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            raise ConfigError(f"{path}:{node.start_mark.line + 1}: anchors and aliases are not supported")
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, child in node.value:
                line = key.start_mark.line + 1
                if not isinstance(key, yaml.ScalarNode):
                    raise ConfigError(f"{path}:{line}: a key must be a single word; quote it if it is one")
                if key.value in keys:
                    raise ConfigError(f"{path}:{line}: key '{key.value}' is given twice; keep one")
                keys.add(str(key.value))
                waiting.append(child)
        elif isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
