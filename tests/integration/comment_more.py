"""Comments about what surrounds a run: its judge, its baseline, its pull request, its past."""

from collections.abc import Callable
from typing import Any

from comment_material import TOLERANCES, Scenario, baseline, case, good, judge, missing, results, with_changes
from comment_scenarios import retrieval_regression

from rag_gate.ci.policy import decision_of, skipped_decision
from rag_gate.records.history import TrendPoint
from rag_gate.records.results import CaseResult


def aggregate_baseline() -> Scenario:
    """Results with cases against a table of means."""
    then = {"recall@5": 1.0, "mrr": 0.9, "correctness": 0.95}
    return judge(results(with_changes({n: {"right": False} for n in range(9)})), dict(then))


def judge_skipped() -> Scenario:
    """On a fork there is no key, so the judge was left out on purpose."""
    without = [_unjudged(row) for row in good()]
    stages = {name: found for name, found in results(good()).stages.items() if name != "judge"}
    now = results(without, stages=stages)
    tolerances = {name: entry for name, entry in TOLERANCES.items() if name != "correctness"}
    _, verdict = judge(now, baseline(results(good())), tolerances=tolerances)
    why = (
        "No secret (OPENAI_API_KEY): the judge did not run, so answers were not judged. Retrieval and safety were checked. "
        "This is neutral by policy (on-missing-secret), not a pass."
    )
    return now, decision_of(verdict, "regression", "fail", why).verdict


def _unjudged(row: CaseResult) -> CaseResult:
    scores = {name: score for name, score in row.scores.items() if name != "correctness"}
    detail = {name: found for name, found in row.detail.items() if name != "judge"}
    return row.model_copy(update={"scores": scores, "detail": detail, "answer_ok": None})


def nothing_measured() -> Scenario:
    """The workflow skips everything where there is no key."""
    decision = skipped_decision("No secret (OPENAI_API_KEY), so nothing was measured")
    return {}, decision.verdict


def never_fails() -> Scenario:
    """A regression that the workflow only wants to see."""
    now, verdict = retrieval_regression()
    return now, decision_of(verdict, "never", "fail", None).verdict


def style_shift() -> Scenario:
    """Answers of another length: support moves though nothing is less true."""
    return judge(
        results([_styled(row, 60.0, 0.4, n) for n, row in enumerate(good())]),
        baseline(results([_styled(row, 120.0, 0.9, 99) for row in good()])),
    )


def _styled(row: CaseResult, length: float, copied: float, number: int) -> CaseResult:
    style = {"answer_length": length, "copy_rate": copied, "support": 0.5 if number < 8 else 1.0}
    return row.model_copy(update={"scores": {**row.scores, **style}})


def unsupported() -> Scenario:
    """Wrong answers that state what no retrieved text says."""
    claim = {
        "text": "Refunds take 14 days.", "verdict": "unsupported", "unmatched": ["14", "days"],
        "evidence": "Refunds take 5 business days.", "flags": [],
    }  # fmt: skip
    rows = with_changes({n: {"right": False} for n in range(10, 20)})
    for n in range(10, 16):
        detail = {**rows[n].detail, "judge": {**rows[n].detail["judge"], "claims": [claim]}}
        rows[n] = rows[n].model_copy(update={"detail": detail})
    return judge(results(rows), baseline(results(good())))


def with_trend() -> Scenario:
    """A baseline with a past, in which one metric rose with other cases."""
    now, verdict = retrieval_regression()
    means = {"2025-03-03": 0.81, "2025-04-07": 0.94, "2025-05-01": 1.0}
    points = [
        TrendPoint(promoted_at=f"{day}T09:00:00Z", tier="core", mean=mean, n=60, other_cases=day < "2025-04")
        for day, mean in means.items()
    ]
    return now, verdict.model_copy(
        update={"trend": {"mrr": points, "recall@5": points, "safety_pass_rate": points}}
    )


def changed_rules() -> Scenario:
    """A pull request that also changes what would decide about it."""
    now, verdict = judge(results(good()), baseline(results(good())))
    notice = (
        "rag-gate.yml is changed by this pull request: the base commit's version decides here, the change counts after the "
        "merge"
    )
    update: dict[str, Any] = {
        "notices": [notice, *verdict.notices],
        "rules_from": "0123456789abcdef0123456789abcdef01234567",
        "rules_changed": {
            "rag-gate.yml": ("0f0f0f0f0f0f", "1e1e1e1e1e1e"),
            "golden.jsonl": (None, "2d2d2d2d2d2d"),
        },
    }
    return now, verdict.model_copy(update=update)


def with_missing_passages() -> Scenario:
    """Passages that no chunk holds whole, one of which can be quoted."""
    rows = good()
    for n in range(10, 22):
        found = rows[n].detail["retrieval"]
        detail = {
            **rows[n].detail,
            "retrieval": {
                **found, "retrieval_ok": False, "gold_ranks": {"refund-policy": 1}, "evidence_ranks": [None, 1],
                "evidence_missing": ["Refunds are paid within 5 business days of the return."],
            },
        }  # fmt: skip
        scores = {**rows[n].scores, "evidence@5": 0.5}
        rows[n] = case(rows[n].question_id, found=False, scores=scores, detail=detail)
    then = [row.model_copy(update={"scores": {**row.scores, "evidence@5": 1.0}}) for row in good()]
    now = [
        row
        if "evidence@5" in row.scores
        else row.model_copy(update={"scores": {**row.scores, "evidence@5": 1.0}})
        for row in rows
    ]
    tolerances = {**TOLERANCES, "evidence@5": TOLERANCES["recall@5"]}
    return judge(results(now), baseline(results(then)), tolerances=tolerances)


def lost_must_pass_unmeasured() -> Scenario:
    """A case that must pass and of which nothing is known."""
    rows = good()
    lost = missing("q-007")
    rows[7] = lost.model_copy(update={"info": rows[7].info.model_copy(update={"must_pass": True})})
    return judge(results(rows), baseline(results(good())))


MORE: dict[str, Callable[[], Scenario]] = {
    "aggregate-baseline": aggregate_baseline,
    "judge-skipped": judge_skipped,
    "nothing-measured": nothing_measured,
    "regression-that-passes": never_fails,
    "style-shift": style_shift,
    "unsupported-claims": unsupported,
    "trend": with_trend,
    "changed-rules": changed_rules,
    "missing-passages": with_missing_passages,
    "must-pass-unmeasured": lost_must_pass_unmeasured,
}
#: Rendered in Japanese as well.
IN_JAPANESE = (
    "inconclusive", "not-evaluated", "no-baseline", "flat-results", "hostile-text", "changed-conditions", "japanese",
    "model-judge", "judge-skipped", "style-shift", "unsupported-claims", "trend", "missing-passages",
    "must-pass-unmeasured",
)  # fmt: skip
