"""The report as JUnit XML."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_material import FAILED, LOST, case, results, soft, verdict

from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.junit import junit_xml

SCHEMA = Path(__file__).parents[1] / "data" / "schemas" / "junit-10.xsd"


def parsed(found: Results | dict[str, float | None], decision: Verdict) -> ET.Element:
    return ET.fromstring(junit_xml(found, decision))  # noqa: S314 - our own text


def kinds(root: ET.Element) -> dict[str, str]:
    """Test name -> what stands in it."""
    return {test.get("name", ""): ",".join(child.tag for child in test) for test in root.iter("testcase")}


MIXED = (
    case("right"),
    case("wrong", **FAILED, info={"question": "Why?", "slices": {"category": "faq"}}),
    case("lost", **LOST),
    case("open", status="unscored", reasons={"correctness": "judge_error"}),
)


def test_each_case_is_a_test_and_what_was_not_judged_is_an_error() -> None:
    root = parsed(results(*MIXED), verdict())
    assert kinds(root) == {
        "verdict": "failure", "right": "", "wrong": "failure", "lost": "failure", "open": "error",
    }  # fmt: skip
    assert [root.get(name) for name in ("tests", "failures", "errors")] == ["5", "3", "1"]
    suites = {suite.get("name"): suite for suite in root}
    cases = suites["rag-gate.cases"]
    assert [cases.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["4", "2", "1", "0"]


def test_a_failure_says_its_cause() -> None:
    root = parsed(results(*MIXED), verdict(cases={"newly_failing": [{"question_id": "wrong"}]}))
    test = next(test for test in root.iter("testcase") if test.get("name") == "wrong")
    failure = test[0]
    assert test.get("classname") == "rag-gate.cases.faq"
    assert failure.get("type") == "generation_failure"
    assert (failure.get("message") or "").startswith("generation (newly failing): ")
    assert (failure.text or "").endswith("Why?")
    lost = next(test[0] for test in root.iter("testcase") if test.get("name") == "lost")
    assert "failing, not known before" in (lost.get("message") or "")


@pytest.mark.parametrize(
    ("overall", "passed", "kind"),
    [
        ("pass", True, "system-out"),
        ("inconclusive", True, "system-out"),
        ("inconclusive", False, "failure"),
        ("regressed", False, "failure"),
        ("error", False, "error"),
    ],
)
def test_the_verdict_is_a_test_of_its_own(overall: str, passed: bool, kind: str) -> None:  # noqa: FBT001
    root = parsed(results(case()), verdict(overall, passed=passed))
    assert kinds(root)["verdict"] == kind


def test_metrics_that_decide_are_tests() -> None:
    metrics: dict[str, Any] = {
        "recall@5": soft(verdict="regressed", reasons=("beyond_tolerance_significant",)),
        "mrr": soft(),
        "correctness": soft(verdict="error", reasons=("too_many_missing",)),
    }
    found = kinds(parsed({}, verdict(metrics=metrics)))
    assert found == {
        "verdict": "failure", "recall@5": "failure", "mrr": "system-out", "correctness": "error",
    }  # fmt: skip


def test_the_numbers_of_a_metric_are_rounded_and_none_is_a_word() -> None:
    metrics: dict[str, Any] = {
        "mrr": soft(mean_base=2 / 3, mean_current_all=1.0),
        "recall@5": soft(mean_base=None, mean_current_all=None, tolerance=None),
    }
    said = [
        (test.text or "").partition(": ")[2]
        for test in parsed({}, verdict(metrics=metrics)).iter("system-out")
    ]
    assert said == [
        "baseline 0.667, now 1.000, tolerance 0.03",
        "baseline none, now none, tolerance none",
    ]


def test_found_values_are_masked() -> None:
    text = junit_xml(
        results(case("q", **FAILED, info={"question": "Mail jane.roe@fabrikam.com?"})), verdict()
    )
    assert "fabrikam" not in text
    assert "[EMAIL]" in text


@given(st.text(), st.text())
def test_any_text_gives_xml_that_can_be_read(key: str, question: str) -> None:
    found = results(case(key, **FAILED, info={"question": question, "slices": {"category": question}}))
    root = parsed(found, verdict(summary=question))
    assert len(list(root.iter("testcase"))) == 2


HOSTILE = "]]><failure/>\x00\x0b\ufffe\ud800&amp;\u202e\x1b[31m\"'"


def test_it_is_valid_by_the_schema() -> None:
    xmlschema = pytest.importorskip("xmlschema")
    schema = xmlschema.XMLSchema(str(SCHEMA))
    mixed = [*MIXED, case(HOSTILE, **FAILED, info={"question": HOSTILE, "slices": {"category": HOSTILE}})]
    metrics = {"recall@5": soft(verdict="regressed"), "mrr": soft()}
    for overall in ("pass", "regressed", "error"):
        schema.validate(junit_xml(results(*mixed), verdict(overall, summary=HOSTILE, metrics=metrics)))
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        schema.validate("<testsuites><testsuite name='x'/></testsuites>")
