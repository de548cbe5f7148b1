from typing import Any

import pytest

from rag_gate.records.anchor import Anchor
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.regression.anchor import anchor_changes, anchor_sentences, named_anchor

ANCHOR = {"promoted_at": "2026-05-04T09:30:00+00:00", "tier": "core", "metrics": {"own": 0.5}}


def anchor(scores: dict[str, float], **changed: Any) -> Anchor:
    cases = [
        {"question_id": key, "fingerprint": "f", "scores": {"own": value}} for key, value in scores.items()
    ]
    return Anchor.model_validate({**ANCHOR, "cases": cases, **changed})


def results(
    scores: dict[str, float | None], *, has_extended: bool = False, fingerprint: str = "f"
) -> Results:
    known = {"fingerprint": fingerprint, "status": "passed"}
    return Results.model_validate(
        {
            "dataset": {
                "fingerprint": "d",
                "tier": "core",
                "n_cases": len(scores),
                "has_extended": has_extended,
            },
            "run": {"fingerprint": "r"},
            "stages": {},
            "scores": {},
            "metrics": {},
            "statuses": {},
            "cases": [
                {"question_id": key, **known, "scores": {"own": value}} for key, value in scores.items()
            ],
        }
    )


def soft(**changed: Any) -> dict[str, MetricVerdict]:
    return {"own": MetricVerdict(verdict="pass", kind="soft", tolerance=0.1, beyond=False, **changed)}


@pytest.mark.parametrize(("now", "exceeded"), [(0.4, False), (0.399998, True), (0.9, False)])
def test_a_budget_that_is_exactly_used_is_not_exceeded(now: float, *, exceeded: bool) -> None:
    (change,) = anchor_changes(results({"a": now, "b": now}), anchor({"a": 0.5, "b": 0.5}), soft())
    assert change.exceeded is exceeded


def test_only_cases_with_the_same_content_and_a_score_are_compared() -> None:
    then = anchor({"a": 0.5, "b": 1.0, "c": 1.0})
    (change,) = anchor_changes(results({"a": 0.25, "b": None, "d": 0.0}), then, soft())
    assert change.delta == -0.25
    (change,) = anchor_changes(results({"a": 0.25}, fingerprint="edited"), then, soft())
    assert (change.delta, change.exceeded) == (None, True)


def test_where_lower_is_better_a_rise_uses_the_budget() -> None:
    then = anchor({"a": 0.5}, commit="4f2a9c1d8e7b6a5f")
    changes = anchor_changes(results({"a": 0.75}), then, soft(direction="lower"))
    (sentence,) = anchor_sentences(changes, then)
    assert sentence == (
        "own is 0.250 above the anchor of 2026-05-04 (commit 4f2a9c1d8e7b), more than its budget 0.1: each step "
        "was inside the tolerance"
    )
    assert anchor_changes(results({"a": 0.25}), then, soft(direction="lower"))[0].delta == 0.25


def test_a_drop_that_came_at_once_is_not_said_to_be_many_steps() -> None:
    then = anchor({"a": 0.5})
    at_once = {"own": soft()["own"].model_copy(update={"beyond": True})}
    (sentence,) = anchor_sentences(anchor_changes(results({"a": 0.0}), then, at_once), then)
    assert sentence.endswith("more than its budget 0.1")


def test_only_soft_metrics_of_complete_runs_are_measured_against_the_anchor() -> None:
    then = anchor({"a": 0.5})
    assert anchor_changes(results({"a": 0.0}, has_extended=True), then, soft()) == []
    other = {"own": soft()["own"].model_copy(update={"kind": "zero_tolerance"})}
    assert anchor_changes(results({"a": 0.0}), then, other) == []
    assert anchor_changes(results({"a": 0.0}), then, {"new": soft()["own"]}) == []
    assert named_anchor(then) == "the anchor of 2026-05-04"
