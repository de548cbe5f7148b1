"""Findings as they are written: rule, place and note, and the words of the answer only where they give nothing away."""

from collections.abc import Sequence
from typing import Any

from rag_gate.safety import forbidden
from rag_gate.safety.findings import SafetyFinding
from rag_gate.safety.rules import check as rules

#: Checks whose words come from the user's own golden set or rules.
_QUOTED = frozenset({forbidden.CHECK, rules.CHECK})
_LONGEST = 100


def written(findings: Sequence[SafetyFinding], answer: str) -> list[dict[str, Any]]:
    """Return the findings for a file."""
    return [_one(finding, findings, answer) for finding in findings]


def _one(finding: SafetyFinding, findings: Sequence[SafetyFinding], answer: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "check": finding.check,
        "rule": finding.rule,
        "ruling": finding.ruling,
        "note": finding.note,
    }
    if finding.start is not None and finding.end is not None:
        row |= {"start": finding.start, "end": finding.end}
        if finding.check in _QUOTED and not _hides(finding, findings):
            row["quote"] = answer[finding.start : finding.end][:_LONGEST]
    return row


def _hides(finding: SafetyFinding, findings: Sequence[SafetyFinding]) -> bool:
    """Tell whether something of another check stands inside the finding's words, or has no place at all."""
    for other in findings:
        if other.check in _QUOTED:
            continue
        if other.value is not None and other.start is None:
            return True
        if other.start is not None and other.end is not None and finding.start is not None:
            apart = other.end <= finding.start or (finding.end or 0) <= other.start
            if not apart:
                return True
    return False
