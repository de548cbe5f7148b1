import re
from datetime import date
from pathlib import Path

import pytest
from report_material import FAILED, LOST, case, results, row_of, soft, verdict, view

from rag_gate.config_models import ReportConfig
from rag_gate.records.history import TrendPoint
from rag_gate.records.partial import CaseInfo, Evaluator, MetricSummary
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import CaseChange, CaseChanges, SliceWarning, Verdict, Worsened
from rag_gate.report.causes import cause_of
from rag_gate.report.chart import chart
from rag_gate.report.commands import Commands
from rag_gate.report.markdown import Markdown
from rag_gate.report.origin import Origin, now
from rag_gate.report.rows import Compared
from rag_gate.report.view import build_view
from rag_gate.report.words import words_of


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
    assert view({}, decision).headline == outcome


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
    assert [(row.id, row.times) for row in retrieved.rows] == [("x", 2), ("(no id)", 1), ("x", 1)]
    assert retrieved.omitted == 2


def test_must_pass_cases_come_first_then_what_harms_most_then_ids() -> None:
    cases = [
        case("a", **FAILED),
        case("e", status="safety_failure"),
        case("b", **LOST, answered_without_evidence=True),
        case("c", **FAILED, info=CaseInfo(must_pass=True)),
        case("d", **LOST),
    ]
    table = view(
        results(*cases),
        verdict(cases=CaseChanges(newly_failing=[CaseChange(question_id=c.question_id) for c in cases])),
    ).tables[0]
    assert [row.question_id for row in table.cases.rows] == ["c", "e", "d", "a", "b"]
    assert table.title == "Newly failing cases (5)"
    assert [(cause.count, cause.words) for cause in table.causes] == [
        (2, "generation"), (1, "safety"), (1, "retrieval"), (1, "right answer without evidence"),
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
    details = view(results(stages=stages), verdict(metrics={"correctness": soft()})).details
    (line,) = next(detail for detail in details if detail.kind == "judge").rows.rows
    assert line == (
        f"The judge, {said}, works offline and deterministically; it compares words and does not understand meaning."
    )
    others = view(results(stages=stages), verdict(metrics={"mrr": soft()})).details
    assert "judge" not in [detail.kind for detail in others]


def test_a_judge_that_left_most_open_says_so_on_the_first_screen() -> None:
    stages = {"judge": Evaluator(name="lexical-v1", version="1", fingerprint="f")}
    claims = [{"verdict": "needs_review"}, {"verdict": "needs_review"}, {"verdict": "supported"}]
    decision = verdict(metrics={"correctness": soft()})
    shown = view(results(case("a", detail={"judge": {"claims": claims}}), stages=stages), decision)
    assert shown.judge_note is not None
    assert "more than half, so read its support as unknown" in shown.judge_note
    few = view(results(case("a", detail={"judge": {"claims": claims[1:]}}), stages=stages), decision)
    assert few.judge_note is None


def test_a_wrong_answer_that_states_what_no_text_says_has_a_cause_of_its_own() -> None:
    claims = {"judge": {"claims": [{"verdict": "unsupported", "text": "14 days"}]}}
    assert cause_of(case(**FAILED, detail=claims)) == "generation, unsupported"
    assert cause_of(case(**FAILED)) == "generation"


def test_what_was_compared_is_told_with_the_baselines_age() -> None:
    found = verdict(baseline_promoted_at="2025-05-01T09:00:00Z", baseline_commit="9e8d7c6")
    for today, age in (
        (date(2025, 5, 1), "today"),
        (date(2025, 5, 2), "1 day ago"),
        (date(2025, 6, 7), "37 days ago"),
    ):
        compared = build_view({}, found, ReportConfig(), Origin(today=today, head="4f2a9c1")).compared
        assert compared == Compared("4f2a9c1", "9e8d7c6", "2025-05-01", Markdown(age))
    later = build_view({}, found, ReportConfig(), Origin(today=date(2025, 4, 1))).compared
    assert later is not None
    assert later.age is None
    assert build_view({}, verdict(), ReportConfig()).compared is None


def test_the_counters_say_what_was_measured_and_what_became_of_it() -> None:
    found = results(
        case("a"), case("b", **FAILED), case("c", status="unscored"),
        counts={"cases": 3, "error": 1}, statuses={"passed": 1, "generation_failure": 1, "unscored": 1},
    )  # fmt: skip
    said = [str(counter.words) for counter in view(found, verdict()).counters]
    assert said == [
        "3 cases", "2 scored", "1 not judged", "1 error", "1 passed", "1 failed (1 generation)", "no judge ran, no cost",
    ]  # fmt: skip
    compared = verdict(
        metrics={"mrr": soft()}, cases=CaseChanges(newly_failing=[CaseChange(question_id="b")], removed=["x"])
    )
    changes = view(found, compared).changes
    assert [str(counter.words) for counter in changes] == [
        "1 newly failing",
        "0 fixed",
        "0 still failing",
        "1 removed",
    ]
    assert view(found, verdict()).changes == ()


def test_the_commands_name_the_users_own_files_and_a_metric_worth_a_look() -> None:
    decision = verdict(metrics={"mrr": soft(), "recall@5": soft(verdict="regressed")})
    origin = Origin(config="gate/rag-gate.yml", results="out/results.json")
    assert commands_of({"mrr": 0.5}, decision, origin) == [
        Commands("gate/rag-gate.yml", "out/results.json", "recall@5", promotion="regressed")
    ]
    recorded = Origin(config="gate/rag-gate.yml", results="out/results.json", run="worse.jsonl")
    assert commands_of(results(case("a")), decision, recorded) == [
        Commands("gate/rag-gate.yml", "out/results.json", "recall@5", "core", "worse.jsonl", "regressed")
    ]


def test_a_table_of_means_has_no_command_that_could_not_work() -> None:
    assert commands_of({"mrr": 0.5}, verdict("pass", metrics={"mrr": soft()}), Origin()) == []


@pytest.mark.parametrize(
    ("decision", "promotion"),
    [
        (verdict("pass", metrics={"mrr": soft()}), "plain"),
        (verdict("regressed", metrics={"mrr": soft(verdict="regressed")}), "regressed"),
        (
            verdict("regressed", metrics={"mrr": soft(verdict="regressed", reasons=("below_floor",))}),
            "refused",
        ),
        (verdict("regressed", metrics={"safe": soft(kind="zero_tolerance", failing=("a",))}), "refused"),
        (verdict("error", metrics={"mrr": soft()}), "refused"),
    ],
)
def test_the_way_to_promote_is_the_one_that_promote_takes(decision: Verdict, promotion: str) -> None:
    assert [row.promotion for row in commands_of(results(case("a")), decision, Origin())] == [promotion]


def commands_of(
    found: Results | dict[str, float | None], decision: Verdict, origin: Origin
) -> list[Commands]:
    blocks = build_view(found, decision, ReportConfig(), origin).details
    return [row for block in blocks if block.kind == "commands" for row in block.rows.rows]


def test_a_path_elsewhere_on_the_machine_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = now(tmp_path / "a" / "rag-gate.yml", Path("/somewhere/else/results.json"))
    assert (found.config, found.results) == ("a/rag-gate.yml", "results.json")
    assert now(None, Path("results.json")).config == "rag-gate.yml"


@pytest.mark.parametrize("mean", [0.0, 1.0, 1e-6, -0.5, 999.99, 123456.0, 1e12, 1e20])
def test_a_chart_has_numbers_that_mermaid_reads_and_an_axis_of_some_length(mean: float) -> None:
    points = [TrendPoint(promoted_at="2025-04-01", tier="core", mean=mean, n=9)] * 2
    source = chart("latency_ms", points, mean * 1.01, words_of("en"))
    low, high = re.findall(r'y-axis "latency_ms" (\S+) --> (\S+)', source)[0]
    drawn = re.findall(r"  line \[(.*)\]", source)[0].split(", ")
    assert all(re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", number) for number in (low, high, *drawn))
    assert float(low) < float(high)
    assert all(float(low) <= float(number) <= float(high) for number in drawn)


def test_a_pass_with_warnings_says_of_what_kind_they_are() -> None:
    fell = SliceWarning(slice="category=a", metric="mrr", n=20, delta=-0.2, p_bh=0.01)
    decision = verdict(
        "pass",
        notices=["one", "two"],
        slices=[fell],
        cases=CaseChanges(unscored=[CaseChange(question_id="a")]),
    )
    assert view({}, decision).next_step == (
        "Before you merge, look at: 2 notes under “Worth knowing”, 1 slice that got worse, 1 case without a score."
    )
    assert view({}, verdict("pass", notices=["one"])).next_step == (
        "Before you merge, look at: 1 note under “Worth knowing”."
    )
    assert view({}, verdict("pass")).next_step is None


def test_a_trend_has_a_chart_for_the_worst_metrics_with_plain_names() -> None:
    points = [
        TrendPoint(promoted_at=f"{day}T00:00:00Z", tier="core", mean=0.9, n=9)
        for day in ("2025-04-01", "bad")
    ]
    metrics = {
        "mrr": soft(),
        "hit@5": soft(),
        "recall@5": soft(verdict="regressed"),
        'x"] --> y': soft(verdict="regressed"),
    }
    decision = verdict(metrics=metrics, trend=dict.fromkeys(metrics, points))
    blocks = view(results(case("a")), decision).details
    rows = next(block for block in blocks if block.kind == "trend").rows.rows
    assert [(row.metric, row.chart is not None) for row in rows] == [
        ("recall@5", True), ('x"] --> y', False), ("mrr", True), ("hit@5", False),
    ]  # fmt: skip
    assert rows[0].chart.splitlines() == [
        "xychart-beta",
        '  title "recall@5: promoted means, then this run"',
        '  x-axis ["2025-04-01", "2.", "this run"]',
        '  y-axis "recall@5" 0.865 --> 0.915',
        "  line [0.9, 0.9, 0.88]",
    ]
