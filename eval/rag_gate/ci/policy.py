"""From a verdict to what the check says, by the workflow's policy."""

from dataclasses import dataclass
from typing import Literal

from rag_gate.ci.options import CommentWhen, FailOn, OnError
from rag_gate.errors import ExitCode, RagGateError
from rag_gate.records.verdict_file import Verdict

Status = Literal["pass", "regression", "inconclusive", "error", "neutral", "skipped"]
_ALPHA = 0.05


@dataclass(frozen=True)
class Decision:
    """What the check says.

    Attributes:
        status: ``neutral`` = nothing got worse as far as it was looked at, and not all was looked at (or an error that
            does not fail by policy); ``skipped`` = nothing was looked at.
        verdict: with ``passed``, ``exit_code`` and ``neutral`` as the policy says.
    """

    status: Status
    verdict: Verdict


def decision_of(verdict: Verdict, fail_on: FailOn, on_error: OnError, incomplete: str | None) -> Decision:
    """Apply the policy.

    Args:
        verdict: what the numbers say.
        fail_on: what fails the check.
        on_error: whether a run without a verdict does.
        incomplete: why a pass is not a whole one, None where it is.
    """
    overall, code = verdict.overall, verdict.exit_code
    if overall == "pass":
        return _decided("neutral" if incomplete else "pass", verdict, ExitCode.PASS, incomplete)
    if overall == "error":
        if on_error == "neutral" and code == ExitCode.NOT_JUDGED:
            said = "The check does not fail: on-error is neutral. This is no pass, nothing was compared."
            return _decided("neutral", verdict, ExitCode.PASS, said)
        return _decided("error", verdict, code, None)
    status: Status = "regression" if overall == "regressed" else "inconclusive"
    if fail_on == "never":
        return _decided(status, verdict, ExitCode.PASS, "The check does not fail: fail-on is never.")
    if overall == "inconclusive" and fail_on == "inconclusive":
        code = ExitCode.INCONCLUSIVE
    return _decided(status, verdict, code, incomplete if code == ExitCode.PASS else None)


def _decided(status: Status, verdict: Verdict, code: int, neutral: str | None) -> Decision:
    update = {"passed": code == ExitCode.PASS, "exit_code": int(code), "neutral": neutral}
    return Decision(status, verdict.model_copy(update=update))


def let_pass(verdict: Verdict, why: str) -> Decision:
    """Return a decision that does not fail the check, and says why; the verdict about the numbers stays."""
    return _decided("neutral", verdict, ExitCode.PASS, why)


def error_verdict(error: RagGateError) -> Verdict:
    """Return the verdict of a run that ended before there was one."""
    return Verdict(
        overall="error",
        passed=False,
        exit_code=int(error.exit_code),
        summary=error.problems[0],
        problems=list(error.problems),
        metrics={},
        alpha=_ALPHA,
    )


def skipped_decision(why: str) -> Decision:
    """Return what is said where nothing was looked at, by policy."""
    verdict = Verdict(
        overall="pass",
        passed=True,
        exit_code=0,
        summary=why,
        neutral="Nothing was measured.",
        metrics={},
        alpha=_ALPHA,
    )
    return Decision("skipped", verdict)


def creates_comment(when: CommentWhen, decision: Decision) -> bool:
    """Tell whether to write a comment where there is none yet; one that is there is always kept up to date."""
    verdict = decision.verdict
    cases = verdict.cases
    changed = [
        *verdict.regressions,
        *verdict.improvements,
        *cases.newly_failing,
        *cases.fixed,
        *verdict.rules_changed,
    ]
    if when == "on-change":
        return bool(changed) or decision.status != "pass"
    return when == "always" or (when == "on-failure" and not verdict.passed)
