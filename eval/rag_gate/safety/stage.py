"""Check every recorded answer with every configured check; one streaming pass."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_gate.config_safety import SafetyConfig
from rag_gate.dataset import GoldenSet, Joined, open_run
from rag_gate.files import fingerprint, read_text
from rag_gate.partials import PartialWriter, evaluator_of
from rag_gate.reasons import MAX_ANSWER, MISSING, TOO_LONG
from rag_gate.records.golden import GoldenCase
from rag_gate.records.partial import Shard
from rag_gate.safety import citing
from rag_gate.safety.checks import Named, checks_of
from rag_gate.safety.citations import CitationSettings
from rag_gate.safety.detail import written
from rag_gate.safety.findings import SafetyCase, SafetyFinding
from rag_gate.safety.open_points import Judged, OpenCase, Resolver, may_ask, open_findings
from rag_gate.safety.refusing import declines_rightly
from rag_gate.safety.rulings import after_judge, find_all, verdict_of, worst_first
from rag_gate.text import counted

VERSION = "3"
METRICS = ("safety_pass_rate", "refusal_accuracy", *citing.METRICS)
Found = tuple[dict[str, float | None], dict[str, str], dict[str, Any]]


def evaluate_safety(
    golden: GoldenSet,
    run_source: str | None,
    config: SafetyConfig,
    output: Path,
    shard: Shard | None = None,
    resolver: Resolver | None = None,
) -> list[str]:
    """Check the answers and write the partial ``safety.json``.

    Args:
        golden: the golden set.
        run_source: the recorded run; None where the golden set holds it.
        config: the settings.
        output: the file to write.
        shard: which part of the cases.
        resolver: who is asked what rules leave open; None for nobody.

    Returns:
        Lines about what is not a plain pass.

    Raises:
        InputError: if the run or the file of instructions cannot be read.
        ConfigError: if the settings name an unknown rule, or a citation marker is no usable pattern.
    """
    shard = shard or Shard()
    resolver = resolver if may_ask(golden, config) else None
    stage = _Stage(config, golden)
    writer = PartialWriter(METRICS)
    run = open_run(golden, run_source, shard, other_answers=writer.learn)
    waiting: list[_Looked] = []
    for joined in run:
        looked = stage.look_at(joined)
        if resolver is not None and looked.open:
            waiting.append(looked)
        else:
            writer.add(joined, *stage.judged(looked))
    if resolver is not None and waiting:
        asked = [OpenCase(looked.case, looked.open) for looked in waiting if looked.case is not None]
        for looked, said in zip(waiting, resolver.resolve(asked), strict=True):
            writer.add(looked.joined, *stage.judged(looked, said))
    judge = {"ruled_by": dict(resolver.settings)} if resolver else {}
    evaluator = evaluator_of("rules", VERSION, settings_of(config) | judge)
    writer.write(output, "safety", evaluator, run, shard, resolver.report() if resolver else None)
    return [*stage.said(), *(resolver.warnings() if resolver else [])]


@dataclass(frozen=True, slots=True)
class _Looked:
    """A case after the checks.

    Attributes:
        joined: the case and what was recorded.
        found: scores, reasons and detail without the findings.
        case: the executed case; None where there is nothing to check.
        findings: what was found.
    """

    joined: Joined
    found: Found
    case: SafetyCase | None = None
    findings: Sequence[SafetyFinding] = ()

    @property
    def open(self) -> list[SafetyFinding]:
        """What a judge can decide."""
        return open_findings(self.findings)


def settings_of(config: SafetyConfig) -> dict[str, Any]:
    """Return what the user has changed and can move a score; of what is confidential or holds values a fingerprint."""
    confidential = {"leak", "personal_data", "secrets"}
    settings = config.model_dump(
        mode="json", exclude_defaults=True, exclude={"engine", "judge", *confidential}
    )
    privacy = config.model_dump(mode="json", exclude_defaults=True, include={"personal_data", "secrets"})
    prompt = config.leak.system_prompt
    told = [read_text(prompt) if prompt else None, *config.leak.canaries]
    return {
        **settings,
        "leak": {"fingerprint": fingerprint(told), "public": list(config.leak.public)},
        "privacy": {"fingerprint": fingerprint(privacy)},
    }


class _Stage:
    """The checks of one run, and how its cases came out."""

    def __init__(self, config: SafetyConfig, golden: GoldenSet) -> None:
        self.config = config
        self.markers: CitationSettings = citing.citation_settings(config)
        self.checks: list[Named] = checks_of(config, golden.cases.values())
        self.verdicts: Counter[str] = Counter()

    def look_at(self, joined: Joined) -> _Looked:
        """Check one case."""
        record = joined.record
        reason = _why_not(joined)
        if reason is not None or record is None or record.answer is None:
            return _Looked(joined, _unscored(joined.case, reason or MISSING))
        case = SafetyCase(joined.case, record, record.answer, record.texts())
        scores, reasons, detail = citing.cite(joined.case, record, record.answer, self.markers)
        scores["refusal_accuracy"] = float(declines_rightly(case))
        everything = find_all(self.checks, case, self.config)
        return _Looked(joined, (scores, reasons, dict(detail)), case, everything)

    def judged(self, looked: _Looked, said: Sequence[Judged] = ()) -> Found:
        """Return what is written of a case.

        Args:
            looked: the case.
            said: what a judge said of its open findings, in their order; nothing where none was asked.
        """
        scores, reasons, detail = looked.found
        case = looked.case
        if case is None:
            return looked.found
        everything = self._ruled(looked, said)
        findings = [finding for finding in everything if finding.ruling != "allowed"]
        verdict = verdict_of(findings, strict=self.config.strict)
        if any(named.looks_at(case.case) for named in self.checks):
            scores["safety_pass_rate"] = 0.0 if verdict == "fail" else 1.0
            self.verdicts[verdict] += 1
        else:
            scores["safety_pass_rate"] = None
            reasons["safety_pass_rate"] = "nothing_checked"
        shown = {"verdict": verdict, "findings": written(findings, case.answer)}
        cleared = [finding for finding in everything if finding.ruling == "allowed" and finding.judged]
        if cleared:
            shown["cleared"] = written(cleared, case.answer)
        allowed = len(everything) - len(findings) - len(cleared)
        return scores, reasons, shown | ({"allowed": allowed} if allowed else {}) | detail

    def _ruled(self, looked: _Looked, said: Sequence[Judged]) -> list[SafetyFinding]:
        """Return the findings as a judge's rulings leave them, the worst first."""
        if not said:
            return list(looked.findings)
        rulings = dict(zip(map(id, looked.open), said, strict=True))
        ruled = [
            after_judge(finding, rulings[id(finding)], self.config) if id(finding) in rulings else finding
            for finding in looked.findings
        ]
        return sorted((finding for finding in ruled if finding is not None), key=worst_first)

    def said(self) -> list[str]:
        """Return a line about the cases that are no plain pass."""
        words = (("fail", "failing"), ("undecided", "for a judge or a reader"), ("warn", "with warnings"))
        parts = [f"{self.verdicts[name]} {text}" for name, text in words if self.verdicts[name]]
        return [f"safety: {counted(self.verdicts.total(), 'answer')}: {', '.join(parts)}"] if parts else []


def _why_not(joined: Joined) -> str | None:
    """Return why a case cannot be checked, None if it can."""
    record = joined.record
    if record is None:
        return MISSING
    if joined.state == "error":
        return "run_error"
    if record.answer is None:
        return "no_answer_recorded"
    return TOO_LONG if len(record.answer) > MAX_ANSWER else None


def _unscored(case: GoldenCase, reason: str) -> Found:
    reasons = dict.fromkeys(METRICS, reason)
    if reason != TOO_LONG and not case.expects_safety:
        reasons["safety_pass_rate"] = "no_safety_expectation"
    if not case.expected_citations:
        reasons["citation_recall"] = "no_citations_expected"
    return dict.fromkeys(METRICS), reasons, {}
