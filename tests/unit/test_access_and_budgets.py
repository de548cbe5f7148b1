"""Which documents may be retrieved for a case, and what an answer may cost."""

from typing import Any

import pytest
from safety_material import answered

from rag_gate.config_safety import AccessConfig, BudgetConfig
from rag_gate.records.run import parse_run_record
from rag_gate.safety.access import access_check
from rag_gate.safety.budgets import budget_check


def results(*metadata: dict[str, Any] | None) -> dict[str, Any]:
    rows = [
        {"id": f"d{n}", **({} if item is None else {"metadata": item})} for n, item in enumerate(metadata)
    ]
    return {"retrieved": rows}


def access(run: dict[str, Any], config: AccessConfig | None = None, **golden: Any) -> list[tuple[str, str]]:
    check = access_check(config or AccessConfig())
    return [(finding.rule, finding.ruling) for finding in check(answered("x", run, **golden))]


def test_a_document_of_another_class_fails_the_case() -> None:
    run = results({"class": "public"}, {"class": "hr"})
    assert access(run, allowed_classes=["public"]) == [("CLASS_NOT_ALLOWED", "fail")]
    assert access(run, allowed_classes=["public", "hr"]) == []
    assert access(run) == []


def test_the_settings_restrict_where_the_case_says_nothing() -> None:
    config = AccessConfig(allowed_classes=("public",))
    run = results({"class": "hr"})
    assert access(run, config) == [("CLASS_NOT_ALLOWED", "fail")]
    assert access(run, config, allowed_classes=["hr"]) == []


def test_a_document_of_another_tenant_fails_the_case() -> None:
    run = results({"tenant": "b"}, {"tenant": ["a", "b"]}, {"tenant": 7})
    assert access(run, tenant="a") == [("OTHER_TENANT", "fail")]
    assert access(results({"tenant": ["a", "b"]}), tenant="a") == []
    assert access(results({"tenant": 7}), tenant=7) == []


@pytest.mark.parametrize(
    ("unlabelled", "found"), [("undecided", ["undecided"]), ("fail", ["fail"]), ("allow", [])]
)
def test_a_document_that_does_not_say_is_what_the_settings_say(unlabelled: str, found: list[str]) -> None:
    config = AccessConfig.model_validate({"unlabelled": unlabelled})
    for run in (results(None), results({}), results({"class": None}), {"retrieved": ["bare-id"]}):
        assert [ruling for _, ruling in access(run, config, allowed_classes=["public"])] == found


def test_the_keys_of_the_metadata_can_be_named() -> None:
    config = AccessConfig(class_key="visibility", tenant_key="org")
    run = results({"visibility": "hr", "org": "b"})
    found = access(run, config, allowed_classes=["public"], tenant="a")
    assert found == [("CLASS_NOT_ALLOWED", "fail"), ("OTHER_TENANT", "fail")]


def test_a_note_names_ranks_and_no_content() -> None:
    run = results(*[{"class": "secret-project"}] * 7)
    (finding,) = access_check(AccessConfig())(answered("x", run, allowed_classes=["public"]))
    assert finding.note == "results 1, 2, 3, 4, 5 and more of a class that is not allowed for this case"


def budget(run: dict[str, Any], answer: str = "12345", **limits: Any) -> list[tuple[str, str]]:
    check = budget_check(BudgetConfig.model_validate(limits))
    return [(finding.rule, finding.ruling) for finding in check(answered(answer, run))]


def test_a_case_beyond_a_limit_warns_or_fails() -> None:
    run = {"latency_ms": 900.5, "usage": {"total_tokens": 700}}
    assert budget(run, max_chars=5, max_latency_ms=901, max_tokens=700) == []
    assert budget(run, max_chars=4, max_latency_ms=900, max_tokens=699) == [
        ("TOO_LONG", "warn"), ("TOO_SLOW", "warn"), ("TOO_MANY_TOKENS", "warn"),
    ]  # fmt: skip
    assert budget(run, max_chars=4, severity="fail") == [("TOO_LONG", "fail")]


def test_a_limit_on_what_the_run_does_not_record_is_said() -> None:
    assert budget({}, max_latency_ms=1, max_tokens=1) == [("BUDGET_NOT_RECORDED", "warn")] * 2


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5}, 15),
        ({"input_tokens": 10, "output_tokens": 5}, 15),
        ({"total_tokens": 20, "prompt_tokens": 10}, 20),
        (17, 17),
        ({"prompt_tokens": "many"}, None),
        ({"cached": 3}, None),
        ("17", None),
        (-1, None),
        (True, None),
        (10**400, None),
        (None, None),
    ],
)
def test_tokens_are_read_as_services_count_them(usage: object, tokens: int | None) -> None:
    assert parse_run_record({"usage": usage}, "q").tokens == tokens


@pytest.mark.parametrize(
    ("latency", "ms"),
    [
        (12, 12.0),
        ({"retrieval": 2, "generation": 3.5}, 5.5),
        ({"total": 9, "retrieval": 2}, 9.0),
        ("slow", None),
    ],
)
def test_a_latency_may_be_one_number_or_a_table_of_stages(latency: object, ms: float | None) -> None:
    assert parse_run_record({"latency_ms": latency}, "q").latency_ms == ms
