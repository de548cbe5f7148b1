"""One case as another tool has it, on its way into a golden case, a recorded case, or both."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.registry import Format
from rag_gate.text import counted

_MOST_NOTES = 12


@dataclass
class Entry:
    """One case.

    Attributes:
        where: file and line, for messages.
        question_id: None where the tool has none; then the question stands for the case.
        question: what was asked, None where the file does not tell.
        golden: keys of a golden case beside id and question; empty = none given.
        run: keys of a recorded case beside the id; empty = none given.
    """

    where: str
    question_id: str | None = None
    question: str | None = None
    golden: dict[str, Any] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)


@dataclass
class Given:
    """What an importer is given, and what it has to say.

    Attributes:
        kind: the format.
        path: the file (or folder).
        choices: the format's own options, by name.
        at: where ``--at`` says that a part stands, as JMESPath.
        notes: what is odd but usable -> in how many rows.
    """

    kind: Format
    path: Path
    choices: Mapping[str, str] = field(default_factory=dict)
    at: Mapping[str, str] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)

    def wrong(self, where: str, problem: str) -> InputError:
        """Return the error for a row that cannot be read; it shows what one looks like."""
        return InputError(f"{where}: {problem}; {self.kind.name} has rows like {self.kind.sample}")

    def leave_out(self, row: Iterable[str], known: Iterable[str]) -> None:
        """Note the keys of a row that are no part of the format."""
        for key in sorted(set(row) - set(known)):
            self.notes[f"key '{key}' means nothing here and was left out"] += 1

    def said(self) -> list[str]:
        """Return the notes as lines, the most frequent first."""
        ordered = sorted(self.notes.items(), key=lambda note: (-note[1], note[0]))
        lines = [f"{note} (in {counted(count, 'row')})" for note, count in ordered[:_MOST_NOTES]]
        more = len(ordered) - _MOST_NOTES
        return [*lines, f"... and {more} more notes"] if more > 0 else lines
