from collections.abc import Sequence

import pytest

from rag_gate.errors import ConfigError
from rag_gate.regression import CaseScoreIn, MetricSpec, judge_slices

SPEC = MetricSpec(tolerance=0.02)


def cases(scores: Sequence[float | None], category: str, prefix: str = "") -> dict[str, CaseScoreIn]:
    return {
        f"{prefix}{category}{index}": CaseScoreIn("v1", score, slices={"category": category})
        for index, score in enumerate(scores)
    }


def test_only_the_slice_that_got_worse_is_flagged() -> None:
    base = cases([1.0] * 25, "faq") | cases([1.0] * 25, "policy")
    current = cases([1.0] * 25, "faq") | cases([0.0] * 8 + [1.0] * 17, "policy")
    found = judge_slices(base, current, SPEC)
    assert found.flagged == ("category=policy",)
    assert found.slices["category=policy"].p == 2**-8
    assert found.p_bh["category=policy"] == 2 * 2**-8
    assert found.p_bh["category=faq"] == 1.0


def test_a_small_slice_is_shown_and_not_tested() -> None:
    base = cases([1.0] * 19, "rare") | cases([1.0] * 20, "faq")
    current = cases([0.0] * 19, "rare") | cases([1.0] * 20, "faq")
    found = judge_slices(base, current, SPEC)
    assert found.not_tested == ("category=rare",)
    assert found.slices["category=rare"].beyond
    assert found.flagged == ()
    assert set(found.p_bh) == {"category=faq"}
    assert judge_slices(base, current, SPEC, min_slice=19).flagged == ("category=rare",)


def test_a_significant_drop_within_the_tolerance_is_not_flagged() -> None:
    found = judge_slices(cases([0.9] * 30, "faq"), cases([0.89] * 30, "faq"), SPEC)
    assert found.p_bh["category=faq"] < 1e-6
    assert found.flagged == ()


def test_unscored_cases_are_in_no_slice() -> None:
    found = judge_slices(cases([1.0, 1.0, 1.0], "faq"), cases([1.0, None, float("nan")], "faq"), SPEC)
    assert found.slices["category=faq"].n == 1


def test_rising_costs_are_drops() -> None:
    spec = MetricSpec(tolerance=0.1, direction="lower")
    found = judge_slices(cases([1.0] * 30, "faq"), cases([2.0] * 30, "faq"), spec)
    assert found.slices["category=faq"].delta == -1.0
    assert found.flagged == ("category=faq",)


def test_no_slices_no_result() -> None:
    found = judge_slices({"a": CaseScoreIn("v1", 1.0)}, {"a": CaseScoreIn("v1", 0.0)}, SPEC)
    assert (dict(found.slices), found.flagged, found.not_tested) == ({}, (), ())


def test_a_metric_without_tolerance_has_no_slices_to_judge() -> None:
    with pytest.raises(ConfigError, match="tolerance"):
        judge_slices({}, {}, MetricSpec(kind="report_only"))


def test_slices_that_nobody_asked_for_do_not_weaken_the_correction() -> None:
    base = cases([1.0] * 25, "faq") | cases([1.0] * 25, "policy")
    tagged = {
        key: CaseScoreIn("v1", 0.0 if key in {"faq0", "faq1"} else 1.0, slices={**case.slices, "tags": "a"})
        for key, case in base.items()
    }
    found = judge_slices(base, tagged, SPEC, keys=("category",))
    assert set(found.slices) == {"category=faq", "category=policy"}
    assert set(judge_slices(base, tagged, SPEC).slices) == {*found.slices, "tags=a"}
