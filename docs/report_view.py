"""The part of the documentation about the report's view: models, and blocks of the template."""

import re
from collections.abc import Callable
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rag_gate.report import commands, model, rows
from rag_gate.report.environment import source_of
from rag_gate.report.markdown import Markdown
from rag_gate.report.render import TEMPLATE

#: In the order in which a reader meets them.
_MODELS: tuple[type, ...] = (
    model.CommentView, rows.Listing, rows.Counter, rows.Condition, rows.MetricRow, rows.PowerRow, rows.Compared,
    model.CaseTable, rows.CaseRow, rows.Expected, rows.Retrieved, model.WorsenedMetric, rows.WorsenedCase, model.Detail,
    rows.ScoreRow, rows.SliceRow, rows.StatusRow, rows.TrendRow, rows.Fact, commands.Commands,
)  # fmt: skip
_KINDS = {Markdown: "words", str: "text", int: "whole number", bool: "`true`, `false`", Any: "rows"}
_BLOCK = re.compile(r"\{% block (\w+) %\}")


def models(meanings: Callable[[type], dict[str, str]]) -> str:
    """Return every model of the view with its fields.

    Args:
        meanings: returns field -> meaning of a class.
    """
    return "\n\n".join(_model(found, meanings(found)) for found in _MODELS)


def _model(found: type, meanings: dict[str, str]) -> str:
    hints = get_type_hints(found)
    lines = [f"### `{found.__name__}`", "", "| Field | Value | Meaning |", "|---|---|---|"]
    for field in fields(found):
        meaning = re.sub(r"\bNone\b", "null", meanings[field.name]).replace("``", "`").replace("|", "\\|")
        lines.append(f"| `{field.name}` | {_kind(hints[field.name])} | {meaning} |")
    return "\n".join(lines)


def _kind(hint: Any) -> str:  # noqa: ANN401 - a type
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        known = [_kind(item) for item in arguments if item is not NoneType]
        return f"{' or '.join(known)}, or null" if NoneType in arguments else " or ".join(known)
    if origin is Literal:
        return ", ".join(f"`{item}`" for item in arguments)
    if origin is tuple:
        return f"list of {_kind(arguments[0])}"
    if origin is rows.Listing:
        return f"`Listing` of {_kind(arguments[0])}"
    return _KINDS.get(hint) or f"`{getattr(hint, '__name__', 'rows')}`"


def blocks() -> str:
    """Return the named blocks of the comment's template, in its order."""
    return ", ".join(f"`{name}`" for name in _BLOCK.findall(source_of(TEMPLATE)[0]))
