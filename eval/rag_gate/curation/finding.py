"""What validate finds: a record that people and programs can read."""

from typing import Literal

from rag_gate.records.base import OwnRecord

Severity = Literal["error", "warning", "note"]


class Finding(OwnRecord):
    """One thing that is wrong with a golden set, or might be.

    Attributes:
        id: which rule found it.
        severity: ``error`` where the set cannot be used so, ``warning`` where it should be looked at, ``note`` where it
            is good to know.
        where: file and line; the file alone where it is about the whole set.
        question_id: which case; null where it is about the whole set.
        message: what was found.
        todo: what to do.
    """

    id: str
    severity: Severity
    where: str
    question_id: str | None = None
    message: str
    todo: str

    def line(self) -> str:
        """Return the finding as a line for people."""
        return f"{self.where}: {self.severity}: {self.message}; {self.todo} [{self.id}]"
