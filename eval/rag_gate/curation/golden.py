"""What the rules of validate look at."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_gate.curation.finding import Finding, Severity
from rag_gate.dataset.rows import Row
from rag_gate.records.golden import GoldenCase


@dataclass(frozen=True)
class Golden:
    """A golden set with the place of each case.

    Attributes:
        source: the file.
        cases: by id, in the order of the file.
        rows: where each case stands.
    """

    source: str
    cases: Mapping[str, GoldenCase]
    rows: Mapping[str, Row]

    def of_case(self, rule: str, severity: Severity, key: str, message: str, todo: str) -> Finding:
        """Return a finding about a case."""
        where = self.rows[key].where
        return Finding(id=rule, severity=severity, where=where, question_id=key, message=message, todo=todo)

    def of_set(self, rule: str, severity: Severity, message: str, todo: str) -> Finding:
        """Return a finding about the whole set."""
        return Finding(id=rule, severity=severity, where=self.source, message=message, todo=todo)

    def line_of(self, key: str) -> str:
        """Return a case's id and line, for a message about another case."""
        return f"'{key}' ({self.rows[key].where})"
