"""What forbids a run to become the baseline, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_gate.baseline import Flat
from rag_gate.config_models import Config
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.git_facts import GitFacts
from rag_gate.judge.factory import described_evaluator
from rag_gate.records.baseline import Baseline
from rag_gate.records.partial import MetricSummary
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression import PromotionFacts, refusals
from rag_gate.regression.anchor import AnchorChange, anchor_changes, anchor_sentences, reaches_anchor
from rag_gate.regression.likeness import measured_otherwise
from rag_gate.regression.sentences import named


@dataclass(frozen=True)
class Request:
    """What the promoter asks for.

    Attributes:
        reason: in the promoter's words.
        accept_regression: promote a run that got worse.
        new_anchor: measure later promotions against this run.
        run: the run that was measured, where it is not the one in the settings.
        keep_answers: copy that run beside the baseline.
    """

    reason: str | None = None
    accept_regression: bool = False
    new_anchor: bool = False
    run: str | None = None
    keep_answers: bool = True

    @property
    def is_reasoned(self) -> bool:
        """Whether a reason can be read."""
        return any(sign.isprintable() and not sign.isspace() for sign in self.reason or "")


@dataclass(frozen=True)
class Candidate:
    """A run that wants to become the baseline, and what is known about it.

    Attributes:
        verdict: about the run; its measurement alone where it cannot be compared with the baseline.
        previous: the baseline to be replaced.
        config: the settings; None where no file was named, and then any judge is the right one.
    """

    results: Results
    verdict: Verdict
    previous: Baseline | Flat | None
    config: Config | None
    git: GitFacts

    def changes(self) -> list[AnchorChange]:
        """Return how far the run is from the anchor."""
        anchor = self.previous.anchor if isinstance(self.previous, Baseline) else None
        return anchor_changes(self.results, anchor, self.verdict.metrics) if anchor else []

    @property
    def outlived_anchor(self) -> bool:
        """Whether nothing of the anchor can be compared any more, as after a new golden set."""
        changes = self.changes()
        return bool(changes) and all(change.delta is None for change in changes)


def refuse_promotion(candidate: Candidate, request: Request) -> None:
    """Refuse to promote what should not become the measure of later runs.

    Raises:
        NotJudgedError: if the run could not be judged or is incomplete.
        ConfigError: for every other refusal; one line each.
    """
    facts = _facts(candidate, request)
    codes = refusals(facts)
    lines = [f"promote: {_words(code, facts, candidate)} [{code}]" for code in codes]
    if {"gate_error", "incomplete"} & set(codes):
        raise NotJudgedError.of(lines)
    if lines:
        raise ConfigError.of(lines)
    if request.new_anchor and not request.is_reasoned:
        raise ConfigError('promote: --new-anchor needs a reason; say it with --reason "..."')
    if request.new_anchor and not reaches_anchor(candidate.results.dataset):
        raise ConfigError("promote: --new-anchor needs a run of the extended tier; run --tier extended")


def _facts(candidate: Candidate, request: Request) -> PromotionFacts:
    results, verdict, git = candidate.results, candidate.verdict, candidate.git
    before = candidate.previous if isinstance(candidate.previous, Baseline) else None
    found, changes = verdict.metrics.values(), candidate.changes()
    flags = {
        "accept_regression": request.accept_regression,
        "new_anchor": request.new_anchor or candidate.outlived_anchor,
    }
    judge, wanted = _judges(candidate)
    return PromotionFacts(
        verdict=verdict.overall,
        zero_tolerance_failing=sorted({key for metric in found for key in metric.failing}),
        below_floor=[name for name, metric in verdict.metrics.items() if "below_floor" in metric.reasons],
        missing_fraction=max((metric.missing_fraction or 0.0 for metric in found), default=0.0),
        max_missing=(candidate.config or Config()).gate.max_missing,
        run_tier=results.dataset.tier,
        baseline_tier=before.dataset.tier if before and before.dataset else None,
        on_default_branch=git.on_default_branch is not False,
        dirty=git.dirty is True,
        judge_fingerprint=judge,
        config_judge_fingerprint=wanted,
        metrics_in_baseline=_measured(before.metrics) if before else [],
        metrics_in_run=[name for name, found in results.metrics.items() if _was_measured(found)],
        delta_vs_anchor={change.metric: change.delta for change in changes},
        budget={change.metric: change.budget for change in changes},
        flags=[flag for flag, given in flags.items() if given],
        reason=request.reason or "",
    )


def _measured(means: Flat) -> list[str]:
    return [name for name, mean in means.items() if mean is not None]


#: Reasons for which a metric has no score that are none to drop it.
_STILL_DUE = frozenset({"not_measured", "refusal"})


def _was_measured(found: MetricSummary) -> bool:
    """Tell whether a metric has a mean, or has none since it applies to no case of this run.

    A bot that declines is no reason to lose a metric.
    """
    is_open = bool(found.n_unscored or found.n_missing or _STILL_DUE & found.reasons.keys())
    return found.mean is not None or (found.n_excluded > 0 and not is_open)


def _judges(candidate: Candidate) -> tuple[str | None, str | None]:
    """Return the fingerprints of the judge of the run and of the one in the settings."""
    evaluator = candidate.results.stages.get("judge")
    used = evaluator.fingerprint if evaluator else None
    if candidate.config is None:
        return used, used
    if candidate.config.judge.engine == "none":
        return used, None
    return used, described_evaluator(candidate.config.judge).fingerprint


def _words(code: str, facts: PromotionFacts, candidate: Candidate) -> str:
    verdict, git = candidate.verdict, candidate.git
    dropped = sorted(set(facts.metrics_in_baseline) - set(facts.metrics_in_run))
    return {
        "gate_error": f"the run could not be judged: {' '.join(verdict.problems)}",
        "gate_regressed": f"{verdict.summary} To accept that: --accept-regression --reason "
        '"why this is the new normal"',
        "zero_tolerance_failing": f"zero-tolerance cases fail: {named(list(facts.zero_tolerance_failing))}; fix them",
        "below_floor": f"below the floor: {', '.join(facts.below_floor)}; a baseline cannot lower a floor",
        "incomplete": f"{facts.missing_fraction:.0%} of the cases of a metric have no score; complete the run",
        "metric_dropped": f"the baseline has {named(dropped)} and this run does not; measure them, or remove the "
        "baseline file to start anew",
        "tier_mismatch": "the baseline covers the extended tier and this run only core; run --tier extended",
        "not_on_default_branch": f"commit {(git.commit or 'of the run')[:12]} is not on the default branch "
        f"({git.default_branch}); merge it, measure there, and promote that run",
        "dirty_tree": f"the working tree has changes that are not committed: {named(git.changed)}; commit them, "
        "measure again, and promote that run",
        "judge_fingerprint_mismatch": f"{_judge_mismatch(candidate)}; run again with these settings",
        "anchor_budget_exceeded": _anchor_words(candidate),
    }[code]


def _judge_mismatch(candidate: Candidate) -> str:
    evaluator = candidate.results.stages.get("judge")
    used = (
        f"the run was judged by {evaluator.name} {evaluator.version}"
        if evaluator
        else "the run was not judged"
    )
    if candidate.config is None or candidate.config.judge.engine == "none":
        return f"{used}, and the settings name no judge"
    wanted = described_evaluator(candidate.config.judge)
    differing = measured_otherwise(evaluator, wanted) if evaluator else []
    what = f" ({'; '.join(differing)})" if differing else f" ({wanted.name})"
    return f"{used}, and the settings name another judge or other settings of it{what}"


def _anchor_words(candidate: Candidate) -> str:
    anchor = candidate.previous.anchor if isinstance(candidate.previous, Baseline) else None
    found: Sequence[str] = anchor_sentences(candidate.changes(), anchor) if anchor else ()
    how = '--reason "..."' if candidate.outlived_anchor else '--new-anchor --reason "..."'
    return f"{'; '.join(found)}. If this is the new normal, say so: {how}"
