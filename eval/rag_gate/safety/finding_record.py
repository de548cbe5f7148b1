"""A finding as the file of the stage holds it: type, place and a keyed fingerprint, never the value."""

from typing import Any

from rag_gate.masking import fingerprint_of
from rag_gate.safety.findings import SafetyFinding


def record_of(finding: SafetyFinding) -> dict[str, Any]:
    """Return what is written of a finding."""
    record: dict[str, Any] = {
        "check": finding.check,
        "rule": finding.rule,
        "ruling": finding.ruling,
        "note": finding.note,
    }
    if finding.start is not None and finding.end is not None:
        record |= {"start": finding.start, "end": finding.end}
    if finding.ruling == "undecided" and finding.asks is not None:
        record["asks"] = finding.asks.text
    if finding.judged is not None:
        record["judged"] = dict(finding.judged)
    if finding.value is not None:
        record["fingerprint"] = fingerprint_of(finding.rule, finding.value)
    return record
