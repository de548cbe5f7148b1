"""Write the parts of the documentation that the code itself can tell.

A page holds `<!-- generated:NAME -->` ... `<!-- /generated -->`; what stands between is replaced, all
else is prose and stays. With `--check` nothing is written, and the exit code is 1 if a page is out of date.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / "eval"), str(DOCS.parent / "tests" / "integration"), str(DOCS)]

import click  # noqa: E402
import report_view  # noqa: E402
import yaml  # noqa: E402
from comparability_table import table as comparability  # noqa: E402
from model_faults import table as judge_faults  # noqa: E402
from pydantic import BaseModel  # noqa: E402

from rag_gate.cli import main as command_line  # noqa: E402
from rag_gate.config import shipped_tolerances  # noqa: E402
from rag_gate.config_judge import CacheConfig, CheapModel, JudgeConfig, RagasConfig  # noqa: E402
from rag_gate.config_models import (  # noqa: E402
    Config,
    DocumentIdRule,
    GateConfig,
    ReportConfig,
    RetrievalConfig,
    SuccessRule,
    Tolerance,
)
from rag_gate.config_monitoring import DriftConfig, MonitoringConfig  # noqa: E402
from rag_gate.config_output import OutputConfig  # noqa: E402
from rag_gate.config_privacy import (  # noqa: E402
    AllowList,
    PersonalDataConfig,
    PresidioConfig,
    SecretRule,
    SecretsConfig,
)
from rag_gate.config_rules import BusinessRule  # noqa: E402
from rag_gate.config_safety import (  # noqa: E402
    AccessConfig,
    BudgetConfig,
    LeakConfig,
    RefusalConfig,
    SafetyConfig,
)
from rag_gate.config_target import (  # noqa: E402
    CommandTarget,
    HttpTarget,
    PythonTarget,
    ReplyMapping,
    TargetConfig,
)
from rag_gate.formats.registry import FORMATS  # noqa: E402
from rag_gate.judge.llm.decided import METRICS as LLM_METRICS  # noqa: E402
from rag_gate.judge.offline import LexicalEngine  # noqa: E402
from rag_gate.judge.ragas.settings import RAGAS_METRICS  # noqa: E402
from rag_gate.judge.stage import MODEL_METRICS  # noqa: E402
from rag_gate.measures import DIMENSIONS, MEASURES, Measure  # noqa: E402
from rag_gate.retrieval.scoring import RANKED  # noqa: E402
from rag_gate.safety.stage import METRICS as SAFETY_METRICS  # noqa: E402

_BLOCK = re.compile(r"(<!-- generated:([a-z-]+) -->\n).*?(\n<!-- /generated -->)", re.DOTALL)
_ENTRY = re.compile(r"^    (\w+): ")
_WIDTH = 100
_WITH_K = frozenset({*RANKED, "coverage", "evidence"})
_WHOLE = frozenset({"mrr", "map"})
_MEASURED = frozenset({*_WITH_K, *_WHOLE, "answer_match", *LexicalEngine.metrics, *SAFETY_METRICS})
_BY_RAGAS = frozenset(RAGAS_METRICS) - frozenset(LLM_METRICS)
#: Where each model of the settings stands in the file.
_SETTINGS: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "": Config,
        "target": TargetConfig,
        "target.python": PythonTarget,
        "target.http": HttpTarget,
        "target.command": CommandTarget,
        "target.reply": ReplyMapping,
        "retrieval": RetrievalConfig,
        "retrieval.success": SuccessRule,
        "retrieval.document_id": DocumentIdRule,
        "judge": JudgeConfig,
        "judge.cascade": CheapModel,
        "judge.cache": CacheConfig,
        "judge.ragas": RagasConfig,
        "safety": SafetyConfig,
        "safety.personal_data": PersonalDataConfig,
        "safety.personal_data.allow": AllowList,
        "safety.personal_data.presidio": PresidioConfig,
        "safety.secrets": SecretsConfig,
        "safety.secrets.rules": SecretRule,
        "safety.output": OutputConfig,
        "safety.rules": BusinessRule,
        "safety.refusal": RefusalConfig,
        "safety.leak": LeakConfig,
        "safety.access": AccessConfig,
        "safety.budgets": BudgetConfig,
        "tolerances.<metric>": Tolerance,
        "gate": GateConfig,
        "report": ReportConfig,
        "monitoring": MonitoringConfig,
        "monitoring.drift": DriftConfig,
    }
)


def metrics() -> str:
    """Return the table of metrics, one part per quality."""
    parts = []
    for dimension in DIMENSIONS:
        rows = [_metric(measure) for measure in MEASURES.values() if measure.dimension == dimension]
        heads = ("Metric", "Stage", "Meaning", "Kind", "Better", "Style moves its mean")
        parts.append(f"### {dimension.capitalize()}\n\n{_table(heads, rows)}")
    return "\n\n".join(parts)


def _metric(measure: Measure) -> tuple[str, ...]:
    style = "no" if measure.comparable_mean else "yes"
    kind = measure.kind.replace("_", " ")
    return (_written(measure), _measured_by(measure), _cell(measure.meaning), kind, measure.direction, style)


def _written(measure: Measure) -> str:
    """Return the names under which a metric stands in the results."""
    names = [f"`{measure.name}@k`"] if measure.name in _WITH_K else []
    if measure.name in _WHOLE or not measure.cutoff:
        names.append(f"`{measure.name}`")
    return ", ".join(names)


def _measured_by(measure: Measure) -> str:
    if measure.name in MODEL_METRICS:
        return f"{measure.stage}, by a model only"
    if measure.name in _BY_RAGAS:
        return f"{measure.stage}, by ragas only"
    return measure.stage if measure.name in _MEASURED else "none yet"


def shipped() -> str:
    """Return the shipped tolerances."""
    rows = [(f"`{name}`", f"{entry.tolerance:g}") for name, entry in shipped_tolerances().items()]
    return _table(("Metric", "Largest drop that passes"), rows)


def settings() -> str:
    """Return every key of rag-gate.yml, one part per level."""
    parts = []
    for path, model in _SETTINGS.items():
        schema = model.model_json_schema()
        meanings = attributes(model)
        rows = [
            (
                f"`{key}`",
                _kind(field),
                _default(model, key),
                _cell(meanings[key]),
            )
            for key, field in schema["properties"].items()
        ]
        title = f"### `{path}`" if path else "### Top level"
        parts.append(f"{title}\n\n{_table(('Key', 'Value', 'Default', 'Meaning'), rows)}")
    return "\n\n".join(parts)


def attributes(model: type) -> dict[str, str]:
    """Return attribute -> meaning from the part `Attributes` of a docstring."""
    _, _, listed = (inspect.getdoc(model) or "").partition("Attributes:\n")
    found: dict[str, str] = {}
    name = ""
    for line in listed.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            name = entry[1]
            found[name] = line[entry.end() :]
        elif name and line.strip():
            found[name] += f" {line.strip()}"
    return found


def _kind(field: Mapping[str, Any]) -> str:
    """Say in words what a JSON schema allows."""
    options = [item for item in field.get("anyOf", [field]) if item.get("type") != "null"]
    return " or ".join(map(_one_kind, options))


def _one_kind(field: Mapping[str, Any]) -> str:
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind = "table" if "$ref" in field else field["type"]
    if kind == "array":
        return f"list of {_kind(field['items'])}"
    if kind == "string":
        return _text_kind(field)
    words = {"integer": "whole number", "object": "table", "boolean": "`true`, `false`"}
    return words.get(kind, kind) + _range(field)


def _text_kind(field: Mapping[str, Any]) -> str:
    if "pattern" in field:
        return f"text like `{field['pattern']}`"
    return "path" if field.get("format") == "path" else "text"


def _range(field: Mapping[str, Any]) -> str:
    low, high = field.get("minimum"), field.get("maximum")
    above, below = field.get("exclusiveMinimum"), field.get("exclusiveMaximum")
    start = "" if low is None else f" from {low:g}"
    start = start if above is None else f" above {above:g}"
    if below is not None:
        return f"{start} and below {below:g}"
    return start + (f" to {high:,.16g}" if high is not None else "")


def _default(model: type[BaseModel], key: str) -> str:
    if model.model_fields[key].is_required():
        return "must be given"
    value = model.model_fields[key].get_default(call_default_factory=True)
    if value is None or isinstance(value, BaseModel):
        return "-"
    if isinstance(value, tuple):
        return f"`[{', '.join(map(str, value))}]`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def commands() -> str:
    """Return the help of every command."""
    return "\n\n".join(
        f"## `{context.command_path}`\n\n```text\n{context.get_help()}\n```"
        for context in _contexts(command_line, None, "rag-gate")
    )


def _contexts(command: click.Command, parent: click.Context | None, name: str) -> Iterator[click.Context]:
    options = {**command.context_settings, "terminal_width": _WIDTH, "max_content_width": _WIDTH}
    context = click.Context(command, parent, name, **options)
    yield context
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None and not found.hidden:
                yield from _contexts(found, context, child)


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Turn a docstring's text into the content of a table cell."""
    return text.replace("``", "`").replace("|", "\\|")


def formats() -> str:
    """Return the formats that can be imported, and a row of each."""
    rows = [
        (
            f"`{each.name}`",
            _cell(each.reads),
            " and ".join("golden set" if part == "golden" else "run" for part in each.gives),
            ", ".join(f"`--{choice.name}`" for choice in each.choices) or "-",
        )
        for each in FORMATS
    ]
    shapes = "\n\n".join(f"`{each.name}`:\n\n```text\n{each.sample}\n```" for each in FORMATS)
    return f"{_table(('Format', 'Reads', 'Gives', 'Own options'), rows)}\n\n### What a row looks like\n\n{shapes}"


def action_inputs() -> str:
    """Return the inputs of the action."""
    rows = [
        (f"`{name}`", _given(entry["default"]), _row_text(entry["description"]))
        for name, entry in _action()["inputs"].items()
    ]
    return _table(("Input", "Default", "Meaning"), rows)


def action_outputs() -> str:
    """Return the outputs of the action."""
    rows = [(f"`{name}`", _row_text(entry["description"])) for name, entry in _action()["outputs"].items()]
    return _table(("Output", "Value"), rows)


def _action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DOCS.parent / "action.yml").read_text(encoding="utf-8"))
    return found


def _given(default: str) -> str:
    return f"`{default}`" if default else "-"


def _row_text(text: str) -> str:
    return _cell(" ".join(text.split()))


def alerts() -> str:
    """Return the shipped alerts."""
    text = (DOCS.parent / "config" / "prometheus-rules.yml").read_text(encoding="utf-8")
    (group,) = yaml.safe_load(text)["groups"]
    rows = [
        (
            f"`{rule['alert']}`",
            _row_text(rule["annotations"]["description"]),
            rule["for"],
            rule["labels"]["severity"],
            f"[runbook](../how-to/{rule['annotations']['runbook_url'].rpartition('/')[2]})",
        )
        for rule in group["rules"]
    ]
    return _table(("Alert", "Fires when", "For", "Severity", "What to do"), rows)


BLOCKS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "action-inputs": action_inputs,
        "action-outputs": action_outputs,
        "metrics": metrics,
        "tolerances": shipped,
        "settings": settings,
        "commands": commands,
        "comparability": comparability,
        "judge-faults": judge_faults,
        "alerts": alerts,
        "formats": formats,
        "report-view": lambda: report_view.models(attributes),
        "report-blocks": report_view.blocks,
    }
)


def regenerated(text: str) -> str:
    """Return a page with its generated parts as the code has them now.

    Raises:
        KeyError: for a part that nothing generates.
    """
    return _BLOCK.sub(lambda match: f"{match[1]}\n{BLOCKS[match[2]]()}\n{match[3]}", text)


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` name those that are out of date."""
    stale = []
    for page in sorted(DOCS.rglob("*.md")):
        before = page.read_text(encoding="utf-8")
        after = regenerated(before)
        if after != before:
            stale.append(str(page.relative_to(DOCS.parent)))
            if arguments != ["--check"]:
                page.write_text(after, encoding="utf-8")
    for name in stale:
        print(f"{'out of date, run make docs' if arguments == ['--check'] else 'wrote'}: {name}")
    return 1 if stale and arguments == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
