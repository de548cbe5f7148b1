import pytest
from report_material import FAILED, LOST, case, results, row_of, soft, verdict, view

from rag_gate.records.partial import CaseInfo, Evaluator, MetricSummary
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import CaseChange, CaseChanges, SliceWarning, Verdict, Worsened


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
