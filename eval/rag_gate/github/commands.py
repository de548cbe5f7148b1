"""Workflow commands on standard output: annotations. All text in them is data."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rag_gate.report.escape import log_safe

Level = Literal["error", "warning", "notice"]
#: GitHub shows ten of each level and step.
_MOST = 10
_LONGEST = 1_000


@dataclass(frozen=True)
class Annotation:
    """One line at the top of the run's page."""

    level: Level
    title: str
    message: str

    def line(self) -> str:
        """Return the workflow command; title and message cannot end it or start another."""
        title = _data(self.title).replace(":", "%3A").replace(",", "%2C")
        return f"::{self.level} title={title}::{_data(self.message)}"


def lines_of(annotations: Iterable[Annotation]) -> list[str]:
    """Return the commands, at most ten of each level; the last of too many says how many are left out."""
    by_level: dict[Level, list[Annotation]] = {}
    for annotation in annotations:
        by_level.setdefault(annotation.level, []).append(annotation)
    lines = []
    for level, found in by_level.items():
        shown = found if len(found) <= _MOST else found[: _MOST - 1]
        lines += [annotation.line() for annotation in shown]
        if len(found) > _MOST:
            more = len(found) - len(shown)
            lines.append(Annotation(level, "rag-gate", f"and {more} more; see the summary of the run").line())
    return lines


def _data(text: str) -> str:
    shown = log_safe(text)
    shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
