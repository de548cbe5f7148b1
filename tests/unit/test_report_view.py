from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from jinja2.exceptions import SecurityError

from rag_gate.config_models import ReportConfig
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, MetricSummary, RunInfo
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import CaseChange, CaseChanges, SliceWarning, Verdict, Worsened
from rag_gate.regression.comparison import is_beyond
from rag_gate.report.model import CommentView
from rag_gate.report.numbers import change, exact, interval, number, p_value
from rag_gate.report.reasons import Success, why_failed, why_unscored
from rag_gate.report.render import _environment
from rag_gate.report.rows import MetricRow
from rag_gate.report.view import build_view

FAILED: dict[str, Any] = {"status": "generation_failure", "retrieval_ok": True, "answer_ok": False}
LOST: dict[str, Any] = {"status": "retrieval_failure", "retrieval_ok": False, "answer_ok": True}


def case(key: str = "q", **changed: Any) -> CaseResult:
    row: dict[str, Any] = {"question_id": key, "fingerprint": "f", "status": "passed", "scores": {}}
    return CaseResult.model_validate(row | changed)


def results(*cases: CaseResult, **changed: Any) -> Results:
    row: dict[str, Any] = {
        "dataset": DatasetInfo(fingerprint="d", tier="core", n_cases=len(cases)),
        "run": RunInfo(fingerprint="r"),
        "stages": {},
        "scores": {},
        "metrics": {},
        "statuses": {},
        "cases": list(cases),
    }
    return Results.model_validate(row | changed)


def verdict(overall: str = "regressed", **changed: Any) -> Verdict:
    passed = overall == "pass"
    row: dict[str, Any] = {
        "overall": overall, "passed": passed, "exit_code": int(not passed), "summary": "Why.", "metrics": {},
        "alpha": 0.05,
    }  # fmt: skip
    return Verdict.model_validate(row | changed)


def view(found: Results | dict[str, float | None], decision: Verdict, most: int = 20) -> CommentView:
    return build_view(found, decision, ReportConfig(max_cases=most))


def row_of(found: MetricVerdict, name: str = "recall@5") -> MetricRow:
    return view({}, verdict(metrics={name: found})).metrics.rows[0]


def soft(**changed: Any) -> MetricVerdict:
    row: dict[str, Any] = {
        "verdict": "pass", "kind": "soft", "tolerance": 0.03, "n_current": 50, "n_pairs": 50, "n_units": 50,
        "mean_base": 0.9, "mean_current": 0.88, "mean_current_all": 0.88, "delta": -0.02, "beyond": False,
        "ci_low": -0.05, "ci_high": 0.01, "wins": 1, "losses": 2, "ties": 47, "p_adj": 0.3,
    }  # fmt: skip
    return MetricVerdict.model_validate(row | changed)


@given(st.integers(-(10**6), 10**6), st.integers(0, 10**6), st.integers(1, 7))
def test_a_shown_drop_is_larger_than_the_tolerance_exactly_if_it_decided_so(
    total: int, tolerance: int, pairs: int
) -> None:
    delta, allowed = total / pairs / 10**6, tolerance / 10**6
    beyond = is_beyond([delta] * pairs, allowed)
    shown = Decimal(change(delta, "higher", allowed, beyond=beyond))
    assert (shown < -Decimal(exact(allowed))) == beyond
    assert abs(shown - Decimal(repr(delta))) <= Decimal("0.0005")


@given(st.floats(0, 1), st.sampled_from([0.01, 0.05, 0.1]))
def test_a_shown_p_is_at_most_alpha_exactly_if_it_is(p: float, alpha: float) -> None:
    shown = p_value(p, alpha)
    assert shown == "p < 0.001" or (Decimal(shown.removeprefix("p = ")) <= Decimal(str(alpha))) == (
        p <= alpha
    )


@given(st.floats(0, 1))
def test_only_a_whole_share_is_shown_as_whole(value: float) -> None:
    shown = Decimal(number(value))
    rounded = round(value, 12)
    assert (shown == 1) == (rounded == 1)
    assert (shown == 0) == (rounded == 0)


def test_numbers_have_three_decimals_and_more_only_where_they_would_mislead() -> None:
    assert number(2 / 3) == "0.667"
    assert number(0.99996) == "0.99996"
    assert number(1.5, "seconds") == "1.500 s"
    assert change(-0.03, "higher", 0.03, beyond=False) == "-0.030"
    assert change(0.85 - 0.88, "higher", 0.03, beyond=False) == "-0.030"
    assert change(-0.0304, "higher", 0.03, beyond=True) == "-0.0304"
    assert change(-0.0296, "higher", 0.0295, beyond=True) == "-0.030"
    assert change(0.0, "higher", 0.03, beyond=False) == "0"
    assert change(-0.0001, "higher", 0.03, beyond=False) == "-0.0001"
    assert p_value(0.0502, 0.05) == "p = 0.0502"
    assert exact(1e-07) == "0.0000001"
    assert exact(0.0) == "0"
    assert exact(100.0) == "100"


def test_where_lower_is_better_signs_are_as_read_and_the_sense_is_said() -> None:
    assert change(-0.2, "lower", 0.1, beyond=True) == "+0.200 (worse)"
    assert change(0.2, "lower", 0.1, beyond=False) == "-0.200 (better)"
    assert interval(-0.3, -0.1, "lower") == "+0.100 to +0.300"
    assert interval(-0.3, 0.0, "higher") == "-0.300 to 0"


def test_a_metric_row_says_everything_in_words() -> None:
    row = row_of(soft(verdict="regressed", reasons=("beyond_tolerance_significant",), delta=-0.1, beyond=True,
                      mean_current=0.8, mean_current_all=0.8, p_adj=0.01))  # fmt: skip
    assert (row.name, row.dimension, row.baseline, row.now) == ("recall@5", "retrieval", "0.900", "0.800")
    assert row.change == "-0.100 (-0.050 to +0.010)"
    assert (row.tolerance, row.cases) == ("0.03", "50 pairs: 1 better, 2 worse")
    assert row.verdict == "❌ regressed: worse by more than the tolerance, p = 0.010"


def test_a_floor_that_holds_is_never_shown_as_broken_nor_the_other_way() -> None:
    low = soft(
        floor=0.9, mean_current=0.8996, mean_current_all=0.8996, reasons=("below_floor",), verdict="regressed"
    )
    assert row_of(low).now == "0.8996"
    assert row_of(low).tolerance == "0.03, floor 0.9"
    assert row_of(soft(floor=0.8995, mean_current=0.8995, mean_current_all=0.8995)).now == "0.900"
    assert row_of(soft(floor=0.8, mean_current=0.9, mean_current_all=0.85)).now == "0.900 (all cases 0.850)"
    above = soft(direction="lower", floor=0.5, reasons=("below_floor",), verdict="regressed")
    assert row_of(above).verdict == "❌ regressed: above its ceiling"


def test_a_row_names_clusters_and_unscored_pairs() -> None:
    assert (
        row_of(soft(n_units=9, missing_current=("a",))).cases
        == "50 pairs in 9 groups: 1 better, 2 worse, 1 unscored"
    )
    assert row_of(soft(wins=0, losses=0, ties=50)).cases == "50 pairs, none changed"


def test_zero_tolerance_and_unmeasured_metrics_have_their_own_words() -> None:
    failing = MetricVerdict(
        verdict="regressed", kind="zero_tolerance", tolerance=0, n_current=9, failing=("a", "b"),
        mean_current_all=0.9999, reasons=("zero_tolerance",),
    )  # fmt: skip
    row = row_of(failing, "safety_pass_rate")
    assert (row.now, row.tolerance, row.cases) == ("0.9999", "no failing case", "9 cases, 2 failing")
    absent = row_of(MetricVerdict(verdict="error", kind="soft", reasons=("metric_missing",)))
    assert (absent.baseline, absent.now, absent.change) == ("none", "not measured", "not compared")
    assert absent.verdict == "⚠️ not judged: not measured in this run"


def test_the_worst_metric_comes_first_and_lost_must_pass_cases_have_a_row() -> None:
    metrics = {name: soft(verdict=name) for name in ("pass", "inconclusive", "regressed", "error")}
    shown = view({}, verdict(metrics=metrics, cases=CaseChanges(lost_must_pass=["a"]))).metrics.rows
    assert [row.name for row in shown] == ["must_pass", "error", "regressed", "inconclusive", "pass"]
    assert (shown[0].cases, shown[0].verdict) == ("1 lost", "❌ regressed: cases fail that must pass")


def test_a_metric_of_ones_own_is_named_as_such() -> None:
    assert row_of(soft(), "politeness").dimension == "own metric"


@pytest.mark.parametrize(
    ("decision", "outcome"),
    [
        (verdict("pass"), "PASSED"),
        (verdict("pass", notices=["n"]), "PASSED WITH WARNINGS"),
        (verdict("pass", slices=[SliceWarning(metric="mrr", slice="a=b", n=20, delta=-0.1, p_bh=0.01)]),
         "PASSED WITH WARNINGS"),
        (verdict("pass", cases=CaseChanges(unscored=[CaseChange(question_id="a")])), "PASSED WITH WARNINGS"),
        (verdict("regressed"), "BLOCKED"),
        (verdict("inconclusive", passed=True), "INCONCLUSIVE"),
        (verdict("inconclusive"), "BLOCKED"),
        (verdict("error"), "NOT EVALUATED"),
    ],
)  # fmt: skip
def test_the_outcome_has_one_name(decision: Verdict, outcome: str) -> None:
    assert view({}, decision).outcome == outcome


def test_where_names_the_first_failing_quality_and_the_ones_after_it() -> None:
    assert view({}, verdict(failing_dimensions=["retrieval", "answer"])).where == "retrieval (then answer)"
    assert view({}, verdict(failing_dimensions=["safety"])).where == "safety"
    assert view({}, verdict("pass")).where is None
    doubt = verdict("inconclusive", metrics={"mrr": soft(verdict="inconclusive")})
    assert view({}, doubt).where == "perhaps retrieval"


def explained(stage: str, detail: dict[str, Any], success: Success | None = None, **changed: Any) -> str:
    failing = case(detail={stage: detail}, **(FAILED if stage == "judge" else LOST) | changed)
    return why_failed(failing, success or Success())


def test_a_retrieval_failure_is_explained_by_what_is_missing_among_the_first_k() -> None:
    gold = {"gold_ranks": {"a": 7}, "retrieved": ["b"]}
    assert explained("retrieval", gold) == "expected id not among the first 5 results"
    assert (
        explained("retrieval", gold | {"evidence_ranks": [None]})
        == "expected id not among the first 5 results"
    )
    two = {"gold_ranks": {"a": 1, "b": None}, "evidence_ranks": [1, 9]}
    assert explained("retrieval", two) == (
        "1 of 2 expected ids not among the first 5 results; "
        "1 of 2 evidence passages not whole inside any of the first 5 chunks"
    )
    passage = {"gold_ranks": {"a": 1}, "evidence_ranks": [None]}
    assert explained("retrieval", passage) == "evidence passage not whole inside any of the first 5 chunks"
    assert explained("retrieval", {"retrieved": []}) == "nothing was retrieved"
    assert explained("retrieval", {"state": "missing"}) == "missing from the run"
    assert explained("retrieval", {}) == "the rule for successful retrieval is not met"


def test_an_explanation_follows_the_success_rule() -> None:
    found = {"gold_ranks": {"a": 1, "b": None}, "evidence_ranks": [3]}
    assert explained("retrieval", found, Success(k=2, rule="any")) == (
        "evidence passage not whole inside any of the first 2 chunks"
    )
    reported = Success(k=2, passages_count=False)
    assert explained("retrieval", found, reported) == "1 of 2 expected ids not among the first 2 results"


def test_the_success_rule_is_read_from_the_evaluators_settings() -> None:
    stage = Evaluator(
        name="ranking", version="1", fingerprint="f", settings={"success": {"k": 3, "rule": "all"}}
    )
    lost = case("a", detail={"retrieval": {"gold_ranks": {"x": 4}}}, **LOST)
    shown = view(
        results(lost, stages={"retrieval": stage}),
        verdict(cases=CaseChanges(newly_failing=[CaseChange(question_id="a")])),
    )
    assert shown.tables[0].cases.rows[0].why == "expected id not among the first 3 results"


def test_a_wrong_answer_is_explained_by_expected_and_found() -> None:
    judged = {"expected": ["5 days"], "answer": "14 days", "missing": ["5 days"]}
    assert explained("judge", judged) == "expected “5 days”, got “14 days”"
    declined = judged | {"flags": ["refusal"]}
    assert explained("judge", declined) == "it declines to answer, expected “5 days”"
    assert explained("judge", {"flags": ["empty_answer"]}) == "the answer is empty"
    claims = [{"text": "It is free.", "verdict": "unsupported"}, {"text": "x", "verdict": "supported"}]
    assert explained("judge", {"claims": claims}).endswith("; not in the retrieved texts: “It is free.”")
    assert explained("judge", {"expected": ["a " * 90], "missing": ["b"]}).endswith("missing: “b”")
    unanswerable: dict[str, Any] = {"reasons": {"mrr": "unanswerable"}, "retrieval_ok": None}
    assert explained("judge", {"answer": "Yes"}, **unanswerable) == "expected that it declines, got “Yes”"


def test_a_safety_failure_quotes_what_violates() -> None:
    findings = [
        {"assertion": "a", "status": "uncertain", "quote": "q", "violates": False},
        {"assertion": "instant refund", "status": "asserted", "quote": "", "violates": True},
        {"assertion": "free", "status": "uncertain", "quote": "it is free", "violates": True},
    ]
    unsafe: dict[str, Any] = {"status": "safety_failure", "safety_ok": False}
    found = case(detail={"safety": {"findings": findings}}, **unsafe)
    assert why_failed(found, Success()) == (
        "forbidden statement “instant refund”; perhaps a forbidden statement “it is free”"
    )
    assert why_failed(case(**unsafe), Success()) == "a safety rule is broken"


@pytest.mark.parametrize("odd", [None, 7, "text", [], [None], {"a": 1}])
def test_details_of_another_shape_are_not_relied_on(odd: Any) -> None:
    retrieval = {"gold_ranks": odd, "retrieved": odd, "evidence_ranks": odd, "state": odd}
    judge = {"answer": odd, "expected": odd, "claims": odd, "missing": odd, "flags": odd, "error": odd}
    safety = {"findings": odd, "unknown_citations": odd}
    failed: dict[str, Any] = {
        "status": "safety_failure", "retrieval_ok": False, "answer_ok": False, "safety_ok": False,
    }  # fmt: skip
    found = case("a", detail={"retrieval": retrieval, "judge": judge, "safety": safety}, **failed)
    decision = verdict(cases=CaseChanges(newly_failing=[CaseChange(question_id="a")]))
    assert view(results(found), decision).tables[0].cases.rows[0].why.startswith("a safety rule is broken; ")


def test_an_unscored_case_says_why_without_what_does_not_apply() -> None:
    reasons = {"mrr": "unanswerable", "correctness": "judge_error", "support": "judge_error"}
    found = case(status="unscored", reasons=reasons, detail={"judge": {"error": "503"}})
    assert why_unscored(found) == ["the judge failed", "“503”"]
    assert why_unscored(case(status="unscored", reasons={"x": "odd_reason"})) == ["odd reason"]
    assert why_unscored(case(status="unscored")) == ["no stage measured it"]


def test_neighbouring_results_of_one_document_are_one_entry() -> None:
    found = case("a", detail={"retrieval": {"retrieved": ["x", "x", None, "x", "y", "z", "z"]}}, **LOST)
    decision = verdict(cases=CaseChanges(newly_failing=[CaseChange(question_id="a")]))
    retrieved = view(results(found), decision).tables[0].cases.rows[0].retrieved
    assert retrieved is not None
    assert [(row.id, row.times) for row in retrieved.rows] == [("x", 2), ("(no id)", 1), ("x", 1), ("y", 1)]
    assert retrieved.omitted == 1


def test_must_pass_cases_come_first_then_causes_then_ids() -> None:
    cases = [
        case("a", **FAILED),
        case("b", **LOST, answered_without_evidence=True),
        case("c", **FAILED, info=CaseInfo(must_pass=True)),
        case("d", **LOST),
    ]
    table = view(
        results(*cases),
        verdict(cases=CaseChanges(newly_failing=[CaseChange(question_id=c.question_id) for c in cases])),
    ).tables[0]
    assert [row.question_id for row in table.cases.rows] == ["c", "b", "d", "a"]
    assert table.title == "Newly failing cases (4)"
    assert [(cause.count, cause.words) for cause in table.causes] == [
        (2, "generation"), (1, "right answer without evidence"), (1, "retrieval"),
    ]  # fmt: skip


def test_a_list_names_at_most_as_many_cases_as_the_settings_say() -> None:
    cases = [case(f"q{n}", **LOST) for n in range(9)]
    changes = CaseChanges(newly_failing=[CaseChange(question_id=c.question_id) for c in cases])
    listing = view(results(*cases), verdict(cases=changes), most=4).tables[0].cases
    assert (len(listing.rows), listing.total, listing.omitted) == (4, 9, 5)


def test_cases_that_block_without_being_new_have_a_table_of_their_own() -> None:
    unsafe = MetricVerdict(verdict="regressed", kind="zero_tolerance", failing=("b",))
    cases = [case(key, **FAILED) for key in ("a", "b", "c")]
    decision = verdict(
        metrics={"safety_pass_rate": unsafe},
        cases=CaseChanges(
            newly_failing=[CaseChange(question_id="a")],
            still_failing=[CaseChange(question_id="b"), CaseChange(question_id="c")],
            lost_must_pass=["a"],
        ),
    )
    shown = view(results(*cases), decision)
    assert [[row.question_id for row in table.cases.rows] for table in shown.tables] == [["a"], ["b"]]
    still = next(detail for detail in shown.details if detail.kind == "cases")
    assert [row.question_id for row in still.rows.rows] == ["c"]


def test_cases_that_pulled_a_metric_down_are_named_unless_a_table_shows_them() -> None:
    fell = [Worsened(question_id=key, baseline=1, current=0.5) for key in ("a", "b")]
    decision = verdict(
        metrics={"mrr": soft(verdict="regressed"), "ndcg@5": soft()},
        worsened={"mrr": fell, "ndcg@5": fell},
        cases=CaseChanges(newly_failing=[CaseChange(question_id="a")]),
    )
    (worsened,) = view(results(case("a", **LOST), case("b")), decision).worsened
    assert worsened.metric == "mrr"
    assert [(row.question_id, row.was, row.now) for row in worsened.cases.rows] == [("b", "1.000", "0.500")]


def test_failing_cases_without_a_baseline_are_not_hidden() -> None:
    details = view(results(case("a", **LOST), case("b")), verdict("pass")).details
    assert "Failing, with nothing to compare (1)" in [detail.title for detail in details]


def test_metrics_are_listed_by_quality_with_their_denominators() -> None:
    metrics = {
        "safety_pass_rate": MetricSummary(mean=1.0, n_scored=2, n_excluded=7),
        "correctness": MetricSummary(mean=None, n_scored=0, n_unscored=3),
        "recall@5": MetricSummary(mean=0.5, n_scored=4, n_missing=1),
    }
    decision = verdict(metrics={"recall@5": soft()})
    rows = view(results(metrics=metrics), decision).details[0].rows.rows
    assert [(row.name, row.now, row.scored, row.not_scored, row.role) for row in rows] == [
        ("recall@5", "0.500", "4", "1 missing", "decides"),
        ("correctness", "not measured", "0", "3 unscored", "shown only"),
        ("safety_pass_rate", "1.000", "2", "7 not applicable", "shown only"),
    ]


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [("lexical-v1", "1", "lexical-v1"), ("lexical", "2", "lexical-v2"), ("lexical <b>", "|", "lexical")],
)
def test_the_offline_judge_is_called_what_it_is(name: str, version: str, said: str) -> None:
    stages = {"judge": Evaluator(name=name, version=version, fingerprint="f")}
    shown = view(results(stages=stages), verdict(metrics={"correctness": soft()})).judge_note
    assert shown == (
        f"The judge, {said}, works offline and deterministically; it compares words and does not understand meaning."
    )
    assert view(results(stages=stages), verdict(metrics={"mrr": soft()})).judge_note is None


def render(source: str, **values: Any) -> str:
    return _environment().from_string(source).render(**values)


def test_a_template_that_forgets_to_escape_still_escapes() -> None:
    assert render("{{ x }} {{ x ~ y }}", x="<b>", y="|") == "&lt;b&gt; &lt;b&gt;&#124;"
    assert render("{{ x | inline(3) }} {{ 7 }}", x="abcdef") == "ab… 7"
    assert render("{{ x | plain_code }} {{ x | code }}", x="a|b") == "`a|b` `a\\|b`"


def test_a_template_cannot_leave_its_sandbox_or_write_what_has_no_words() -> None:
    with pytest.raises(SecurityError):
        render("{{ ''.__class__.__mro__ }}")
    with pytest.raises(UndefinedError):
        render("{{ absent }}")
    for value in (None, True, 0.1, ["a"]):
        with pytest.raises(TypeError, match="only texts and whole numbers"):
            render("{{ x }}", x=value)
