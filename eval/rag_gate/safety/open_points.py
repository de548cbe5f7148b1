"""What rules leave open, for a judge above this stage: the stage itself asks nobody."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rag_gate.config_safety import SafetyConfig
from rag_gate.dataset import GoldenSet
from rag_gate.records.judging import Judging
from rag_gate.safety.findings import SafetyCase, SafetyFinding


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge said of one open point.

    Attributes:
        by: which judge.
        violates: whether the answer is in breach; None where it stays open.
        evidence: the passage of the answer that shows it.
        reason: why it stays open, a code.
    """

    by: str
    violates: bool | None
    evidence: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case with findings that a judge can decide.

    Attributes:
        case: the case.
        findings: those of it that ask something.
    """

    case: SafetyCase
    findings: Sequence[SafetyFinding]


class Resolver(Protocol):
    """Who is asked.

    Attributes:
        settings: what can move a ruling.
    """

    settings: Mapping[str, Any]

    def resolve(self, cases: Sequence[OpenCase]) -> Sequence[Sequence[Judged]]:
        """Return for each case what is said of its findings, in their order."""
        ...

    def report(self) -> Judging:
        """Return what that cost and how it went."""
        ...

    def warnings(self) -> list[str]:
        """Return what people should know of it, one line each."""
        ...


def open_findings(findings: Iterable[SafetyFinding]) -> list[SafetyFinding]:
    """Return the findings that a judge can decide."""
    return [finding for finding in findings if finding.ruling == "undecided" and finding.asks is not None]


def may_ask(golden: GoldenSet, config: SafetyConfig) -> bool:
    """Tell whether anything of a golden set could be left to a judge, so that the judge can move a score."""
    if any(rule.kind in {"judge", "must_not_mention"} for rule in config.rules):
        return True
    return any(
        assertion.judge != "never" for case in golden.cases.values() for assertion in case.negative_assertions
    )
