"""From findings to what they mean for a case."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from rag_gate.config_safety import SafetyConfig
from rag_gate.safety.checks import Named
from rag_gate.safety.findings import SafetyCase, SafetyFinding
from rag_gate.safety.open_points import Judged

CaseVerdict = Literal["pass", "warn", "undecided", "fail"]
#: A case with more findings is as bad as it can be; the first are kept.
_MOST = 100


def find_all(checks: Iterable[Named], case: SafetyCase, config: SafetyConfig) -> list[SafetyFinding]:
    """Return the findings of all checks with the rulings that the user wants."""
    found = [
        kept
        for named in checks
        for finding in named.check(case)
        if (kept := _as_wanted(finding, config)) is not None
    ]
    return sorted(found, key=worst_first)[:_MOST]


def _as_wanted(finding: SafetyFinding, config: SafetyConfig) -> SafetyFinding | None:
    wanted = config.severity.get(finding.rule, config.severity.get(finding.check))
    if wanted == "ignore":
        return None
    if finding.ruling == "allowed":
        return finding
    if finding.ruling == "undecided":
        # A severity says what a violation does; whether this is one stays open.
        return replace(finding, ruling="warn") if wanted == "warn" else finding
    return finding if wanted is None else replace(finding, ruling=wanted)


_ORDER = ("fail", "undecided", "warn", "allowed")


def worst_first(finding: SafetyFinding) -> int:
    """Return where a finding stands among others."""
    return _ORDER.index(finding.ruling)


def after_judge(finding: SafetyFinding, said: Judged, config: SafetyConfig) -> SafetyFinding | None:
    """Return a finding as a judge's ruling leaves it; None where the settings leave violations of the rule out."""
    asked = finding.asks
    if asked is None or said.violates is None:
        reason = {"reason": said.reason} if said.reason else {}
        return replace(finding, judged={"by": said.by, "verdict": "open", **reason})
    told = {"by": said.by, "evidence": said.evidence or ""}
    if not said.violates:
        return replace(finding, ruling="allowed", judged={**told, "verdict": "cleared"})
    found = replace(
        finding,
        rule=asked.rule,
        ruling=asked.ruling,
        note=asked.note,
        judged={**told, "verdict": "violated"},
        asks=None,
    )
    return _as_wanted(found, config)


def verdict_of(findings: Sequence[SafetyFinding], *, strict: bool) -> CaseVerdict:
    """Return what the findings mean for the case; where the user is strict, what is undecided fails."""
    rulings = {finding.ruling for finding in findings}
    if "fail" in rulings or (strict and "undecided" in rulings):
        return "fail"
    if "undecided" in rulings:
        return "undecided"
    return "warn" if "warn" in rulings else "pass"
