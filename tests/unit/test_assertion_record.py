import pytest
from pydantic import ValidationError

from rag_gate.records.assertion import NegativeAssertion


def test_a_plain_string_is_a_phrase_that_understands_negation() -> None:
    assertion = NegativeAssertion.model_validate("即時返金")
    assert (assertion.text, assertion.mode, assertion.negation, assertion.severity) == (
        "即時返金",
        "phrase",
        "aware",
        "fail",
    )
    assert assertion.wording == "即時返金"


def test_a_regex_implies_its_mode() -> None:
    assertion = NegativeAssertion.model_validate({"regex": "即時.{0,5}返金", "negation": "ignore"})
    assert assertion.mode == "regex"
    assert assertion.wording == "即時.{0,5}返金"


def test_an_assertion_survives_json() -> None:
    for value in ({"regex": "a+b"}, {"text": "a", "mode": "exact", "severity": "warn"}):
        assertion = NegativeAssertion.model_validate(value)
        assert NegativeAssertion.model_validate_json(assertion.model_dump_json()) == assertion


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("", "empty"),
        (" \u200b\u3000", "empty"),
        ({}, "exactly one"),
        ({"text": "a", "regex": "b"}, "exactly one"),
        ({"text": "a", "mode": "regex"}, "mode regex"),
        ({"regex": "a", "mode": "exact"}, "mode regex"),
        ({"text": "a", "model": "never"}, "Extra inputs"),
        ({"text": "a", "mode": "fuzzy"}, "phrase"),
        ({"regex": "a*"}, "empty text"),
        ({"regex": "(a+)+"}, "repeated group"),
        ({"text": "a" * 501}, "at most 500"),
        (3, "valid dict"),
    ],
)
def test_an_entry_that_cannot_be_checked_is_refused(value: object, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        NegativeAssertion.model_validate(value)
