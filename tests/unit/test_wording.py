"""What the offline judge noticed, compared question by question: mismatches, style, flips."""

from collections.abc import Mapping

import pytest

from rag_gate.config import shipped_tolerances
from rag_gate.config_models import GateConfig
from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.check import Rules, check

Scores = dict[str, float | None]
Rows = dict[str, Scores]
GOOD: Scores = {
    "correctness": 1.0,
    "number_match": 1.0,
    "support": 1.0,
    "answer_length": 100.0,
    "copy_rate": 0.5,
}


def results(rows: Rows) -> Results:
    names = sorted({name for scores in rows.values() for name in scores})
    values = {name: [v for s in rows.values() if (v := s.get(name)) is not None] for name in names}
    means = {name: sum(found) / len(found) if found else None for name, found in values.items()}
    return Results.model_validate(
        {
            "dataset": {"fingerprint": "d", "tier": "core", "n_cases": len(rows)},
            "run": {"fingerprint": "r"},
            "stages": {},
            "scores": means,
            "metrics": {name: {"mean": means[name], "n_scored": len(values[name])} for name in names},
            "statuses": {"passed": len(rows)},
            "cases": [
                {
                    "question_id": key,
                    "fingerprint": "f",
                    "status": "passed",
                    "scores": scores,
                    "reasons": {name: "no_values" for name, value in scores.items() if value is None},
                }
                for key, scores in rows.items()
            ],
        }
    )


def judged(then: Rows, now: Rows) -> Verdict:
    before = results(then)
    cases = [
        BaselineCase(question_id=c.question_id, fingerprint=c.fingerprint, status=c.status, scores=c.scores)
        for c in before.cases
    ]
    return check(
        results(now),
        Baseline(metrics=before.scores, cases=cases),
        Rules(None, shipped_tolerances(), GateConfig()),
    )


def rows(**changed: Mapping[int, float | None]) -> Rows:
    """Return 20 good rows; ``number_match={0: 0.0}`` changes the first one."""
    found = {f"q{n:02}": dict(GOOD) for n in range(20)}
    for name, values in changed.items():
        for n, value in values.items():
            found[f"q{n:02}"][name] = value
    return found


def test_few_new_mismatches_are_named_and_do_not_decide() -> None:
    verdict = judged(rows(number_match={5: 0.0}), rows(number_match={2: 0.0, 5: 0.0}))
    assert (verdict.overall, list(verdict.metrics)) == ("pass", ["correctness"])
    (notice,) = verdict.notices
    assert notice.startswith("1 answer states a number, date or code that no retrieved text states")
    assert notice.endswith(": q02")


def test_a_mismatch_where_no_value_was_stated_before_is_new() -> None:
    verdict = judged(rows(number_match={3: None}), rows(number_match={3: 0.0}))
    assert any("q03" in notice for notice in verdict.notices)


def test_many_new_mismatches_are_a_regression_in_grounding() -> None:
    verdict = judged(rows(), rows(number_match=dict.fromkeys(range(6), 0.0)))
    assert (verdict.overall, verdict.failing_dimensions) == ("regressed", ["grounding"])
    assert [row.metric for row in verdict.regressions] == ["number_match"]


def test_a_metric_that_cannot_decide_costs_the_others_no_power() -> None:
    lost = dict.fromkeys(range(4), 0.0)
    alone = judged(rows(), rows(correctness=lost))
    beside = judged(rows(), rows(correctness=lost, number_match={0: 0.0}))
    assert alone.overall == beside.overall == "regressed"
    assert beside.metrics["correctness"].p_adj == alone.metrics["correctness"].p_adj
    assert "number_match" in beside.report_only


def test_refusals_decide_where_there_is_no_expected_answer() -> None:
    then: Rows = {key: {"refusal_accuracy": 1.0} for key in rows()}
    now: Rows = {key: {"refusal_accuracy": 0.0 if n < 6 else 1.0} for n, key in enumerate(rows())}
    assert [row.metric for row in judged(then, now).regressions] == ["refusal_accuracy"]
    both_then = {key: {**GOOD, **scores} for key, scores in then.items()}
    both_now = {
        key: {**GOOD, **scores, "correctness": scores["refusal_accuracy"]} for key, scores in now.items()
    }
    assert [row.metric for row in judged(both_then, both_now).regressions] == ["correctness"]


@pytest.mark.parametrize(
    ("name", "now", "said"),
    [
        ("answer_length", 112.0, "median answer length 100 -> 112 characters"),
        ("answer_length", 85.0, "median answer length 100 -> 85 characters"),
        ("copy_rate", 0.3, "copied share 0.50 -> 0.30"),
        ("answer_length", 105.0, ""),
        ("copy_rate", 0.45, ""),
    ],
)
def test_a_shift_of_style_makes_support_not_comparable(name: str, now: float, said: str) -> None:
    changed: dict[int, float | None] = dict.fromkeys(range(20), now)
    notices = judged(rows(), rows(**{name: changed})).notices
    assert notices == ([f"style shift: support not comparable ({said})"] if said else [])


def test_flips_of_support_are_counted_by_pairs_and_never_decide() -> None:
    verdict = judged(rows(support={7: 0.5}), rows(support=dict.fromkeys(range(4), 0.5)))
    assert verdict.overall == "pass"
    assert "support" not in verdict.metrics
    (notice,) = verdict.notices
    assert notice == (
        "lexical support: 4 answers are no longer wholly supported and 1 newly so, of 20 "
        "(chance alone: p = 0.19); no longer: q00, q01, q02, q03"
    )
