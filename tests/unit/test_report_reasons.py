from typing import Any

import pytest
from report_material import FAILED, LOST, case, results, verdict, view

from rag_gate.records.partial import Evaluator
from rag_gate.records.verdict_file import CaseChange, CaseChanges
from rag_gate.report.reasons import Success, why_failed, why_unscored


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
        "1 of 2 evidence passages whole in none of the first 5 chunks"
    )
    passage = {"gold_ranks": {"a": 1}, "evidence_ranks": [None]}
    assert explained("retrieval", passage) == "none of the first 5 chunks holds the evidence whole"
    assert explained("retrieval", {"retrieved": []}) == "nothing was retrieved"
    assert explained("retrieval", {"state": "missing"}) == "missing from the run"
    assert explained("retrieval", {}) == "the rule for successful retrieval is not met"


def test_the_passage_that_is_missing_is_quoted() -> None:
    torn = {
        "gold_ranks": {"a": 1},
        "evidence_ranks": [None],
        "evidence_missing": ["Refunds take\n5 days. " + "x" * 99],
    }
    said = explained("retrieval", torn)
    assert said.startswith("none of the first 5 chunks holds the evidence whole: “Refunds take 5 days. xxx")
    assert said.endswith("…”")


def test_an_unsupported_claim_is_quoted_with_its_words_that_stand_nowhere_and_the_nearest_text() -> None:
    claim = {
        "verdict": "unsupported",
        "text": "It takes 14 days.",
        "unmatched": ["14", "days"],
        "evidence": "5 days",
    }
    judged = {
        "expected": ["5 days"],
        "answer": "It takes 14 days.",
        "claims": [{"verdict": "supported"}, claim],
    }
    assert explained("judge", judged) == (
        "expected “5 days”, got “It takes 14 days.”; not in the retrieved texts: “It takes 14 days.” "
        "(found nowhere: 14, days), the nearest says “5 days”"
    )
    bare = judged | {"claims": [{"verdict": "unsupported", "text": "14"}]}
    assert explained("judge", bare).endswith("; not in the retrieved texts: “14”")


def test_an_explanation_follows_the_success_rule() -> None:
    found = {"gold_ranks": {"a": 1, "b": None}, "evidence_ranks": [3]}
    assert explained("retrieval", found, Success(k=2, rule="any")) == (
        "none of the first 2 chunks holds the evidence whole"
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


def finding(check: str, rule: str, ruling: str, note: str, **more: str) -> dict[str, str]:
    return {"check": check, "rule": rule, "ruling": ruling, "note": note, **more}


def explained_safety(*findings: dict[str, str]) -> str:
    unsafe: dict[str, Any] = {"status": "safety_failure", "safety_ok": False}
    return why_failed(case(detail={"safety": {"findings": findings}}, **unsafe), Success())


def test_a_safety_failure_names_rule_and_words() -> None:
    said = finding("negative_assertions", "FORBIDDEN_STATEMENT", "fail", "n", quote="instant refund")
    mail = finding("personal_data", "EMAIL", "fail", "EMAIL stands in no retrieved text", fingerprint="ab")
    open_ = finding("leak", "INSTRUCTIONS_DISCUSSED", "undecided", "speaks of its instructions")
    assert explained_safety(open_, said, mail) == (
        "forbidden statement “instant refund”; EMAIL stands in no retrieved text"
    )
    assert explained_safety() == "a safety rule is broken"


def test_under_strict_what_is_undecided_is_the_reason() -> None:
    open_ = finding("leak", "INSTRUCTIONS_DISCUSSED", "undecided", "speaks of its instructions")
    perhaps = finding("negative_assertions", "PERHAPS_FORBIDDEN_STATEMENT", "undecided", "n", quote="free")
    mild = finding("budgets", "TOO_LONG", "warn", "9 of at most 5 characters")
    assert explained_safety(open_, perhaps, mild) == (
        "INSTRUCTIONS_DISCUSSED: speaks of its instructions; perhaps a forbidden statement “free”"
    )


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
