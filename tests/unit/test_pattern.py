import time

import pytest

from rag_gate.records.pattern import MAX_PATTERN, SEARCH_LIMIT, compile_pattern


@pytest.mark.parametrize(
    "pattern",
    [
        r"instant\s+refund\s+within\s+\d+\s+days",
        r"即時.{0,10}返金",
        r"\[出典[:：]\s*([^\]]+)\]",
        r"\b(?:yes|no)\b.{0,20}refund",
        r"\d{2,4}-\d{2,4}-\d{4}",
        r"[]a]+]",
        r"(?:ab)+c",
        r"(?<![0-9])5日(?=以内)",
        r"a{2}b?",
        r"[a-z]++[a-z]",
        r"[\w.]+@[\w.]+\.com",
        r"\[(?:出典|参考)[:：]?\s*(.+?)\]",
        r"(\d+(?:\.\d+)?)\s*(?:%|パーセント|割)(?:引|オフ|割引)",
        "(a|b)" * 12,
    ],
)
def test_usual_patterns_are_accepted(pattern: str) -> None:
    compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "not a valid regular expression"),
        ("a" * (MAX_PATTERN + 1), "at most 300"),
        (r"(a+)+b", "repeated group"),
        (r"(a|aa)+b", "repeated group"),
        (r"((a?)b){5}", "repeated group"),
        (r"(a)\1", "not allowed"),
        (r"(?P<x>a)(?P=x)", "not allowed"),
        (r"(?i)a", "not allowed"),
        (r".*.*x", "too many ways"),
        (r".*\s+x", "too many ways"),
        (r"(?:\s|x)\s*(.+)y", "too many ways"),
        (r"\s*\s*x", "too many ways"),
        (r"(a(b|c)d|e )\s*.*z", "too many ways"),
        (r"[一-龥]+[一-龥]+返金", "too many ways"),
        ("(a|ab)" * 12, "too many ways"),
        ("a?" * 12 + "b", "too many ways"),
    ],
)
def test_patterns_that_can_be_slow_are_refused_with_a_reason(pattern: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        compile_pattern(pattern)


def test_letter_case_is_ignored_and_a_word_ends_beside_japanese() -> None:
    assert compile_pattern(r"\brefund\b").search("即時REFUNDです")


@pytest.mark.parametrize("text", ["a" * SEARCH_LIMIT, "a " * (SEARCH_LIMIT // 2), "返" * SEARCH_LIMIT])
@pytest.mark.parametrize("pattern", [r"a.{0,30}.{0,30}x", r"a+b", r"\w+\s+\w+!"])
def test_an_accepted_pattern_ends_soon_on_hostile_text(pattern: str, text: str) -> None:
    begin = time.process_time()
    assert compile_pattern(pattern).search(text) is None
    assert time.process_time() - begin < 10
