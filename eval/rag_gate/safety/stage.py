"""Check every recorded answer with every configured check; one streaming pass."""

from collections import Counter
from collections.abc import Mapping
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
from rag_gate.safety.findings import SafetyCase
from rag_gate.safety.refusing import declines_rightly
from rag_gate.safety.rulings import find_all, verdict_of

VERSION = "2"
METRICS = ("safety_pass_rate", "refusal_accuracy", *citing.METRICS)
Found = tuple[dict[str, float | None], dict[str, str], dict[str, Any]]


def evaluate_safety(
    golden: GoldenSet, run_source: str | None, config: SafetyConfig, output: Path, shard: Shard | None = None
) -> list[str]:
    """Check the answers and write the partial ``safety.json``.

    Returns:
        Lines about what is not a plain pass.

    Raises:
        InputError: if the run or the file of instructions cannot be read.
        ConfigError: if the settings name an unknown rule, or a citation marker is no usable pattern.
    """
    shard = shard or Shard()
    stage = _Stage(config, golden)
    writer = PartialWriter(METRICS)
    run = open_run(golden, run_source, shard, other_answers=writer.learn)
    for joined in run:
        writer.add(joined, *stage.look_at(joined))
    writer.write(output, "safety", evaluator_of("rules", VERSION, settings_of(config)), run, shard)
    return stage.said()


def settings_of(config: SafetyConfig) -> dict[str, Any]:
    """Return what the user has changed and can move a score; of what is confidential or holds values a fingerprint."""
    confidential = {"leak", "personal_data", "secrets"}
    settings = config.model_dump(mode="json", exclude_defaults=True, exclude={"engine", *confidential})
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

    def look_at(self, joined: Joined) -> Found:
        """Check one case."""
        record = joined.record
        reason = _why_not(joined)
        if reason is not None or record is None or record.answer is None:
            return _unscored(joined.case, reason or MISSING)
        case = SafetyCase(joined.case, record, record.answer, record.texts())
        scores, reasons, detail = citing.cite(joined.case, record, record.answer, self.markers)
        scores["refusal_accuracy"] = float(declines_rightly(case))
        return self._judged(case, scores, reasons, detail)

    def _judged(
        self,
        case: SafetyCase,
        scores: dict[str, float | None],
        reasons: dict[str, str],
        detail: Mapping[str, Any],
    ) -> Found:
        everything = find_all(self.checks, case, self.config)
        findings = [finding for finding in everything if finding.ruling != "allowed"]
        verdict = verdict_of(findings, strict=self.config.strict)
        if any(named.looks_at(case.case) for named in self.checks):
            scores["safety_pass_rate"] = 0.0 if verdict == "fail" else 1.0
            self.verdicts[verdict] += 1
        else:
            scores["safety_pass_rate"] = None
            reasons["safety_pass_rate"] = "nothing_checked"
        said = {"verdict": verdict, "findings": written(findings, case.answer)}
        allowed = len(everything) - len(findings)
        return scores, reasons, said | ({"allowed": allowed} if allowed else {}) | dict(detail)

    def said(self) -> list[str]:
        """Return a line about the cases that are no plain pass."""
        words = (("fail", "fail"), ("undecided", "need a judge or a reader"), ("warn", "have warnings"))
        parts = [f"{self.verdicts[name]} {text}" for name, text in words if self.verdicts[name]]
        return [f"safety: of {self.verdicts.total()} answers {', '.join(parts)}"] if parts else []


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
