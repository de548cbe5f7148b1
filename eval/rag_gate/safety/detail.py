"""Findings as they are written: rule, place and note, and the words of the answer only where they give nothing away."""

from collections.abc import Sequence
from typing import Any

from rag_gate.masking import current_masker
from rag_gate.safety import forbidden
from rag_gate.safety.finding_record import record_of
from rag_gate.safety.findings import SafetyFinding
from rag_gate.safety.rules import check as rules

#: Checks whose words come from the user's own golden set or rules.
_QUOTED = frozenset({forbidden.CHECK, rules.CHECK})
_LONGEST = 100


def written(findings: Sequence[SafetyFinding], answer: str) -> list[dict[str, Any]]:
    """Return the findings for a file; what is quoted of the answer touches no personal data and no secret."""
    quoted = any(finding.check in _QUOTED and finding.start is not None for finding in findings)
    values = current_masker().scanner.to_hide(answer) if quoted else ()
    hidden = [(item.start, item.end) for item in values]
    return [record_of(finding) | _quote(finding, answer, hidden) for finding in findings]


def _quote(finding: SafetyFinding, answer: str, hidden: Sequence[tuple[int, int]]) -> dict[str, str]:
    start, end = finding.start, finding.end
    if finding.check not in _QUOTED or start is None or end is None:
        return {}
    if any(first < end and start < last for first, last in hidden):
        return {}
    return {"quote": answer[start:end][:_LONGEST]}
