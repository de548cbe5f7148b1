"""Business rules: what answers must say, must not say, and the numbers they may name."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from safety_material import answered

from rag_gate.config import load_config
from rag_gate.config_rules import BusinessRule
from rag_gate.config_safety import SafetyConfig
from rag_gate.errors import ConfigError
from rag_gate.safety.rules.check import rules_check

DISCOUNT = r"(\d+(?:\.\d+)?)\s*(?:%|パーセント|割)\s?(?:引|オフ|割引|off)"


def rulings(answer: str, rule: dict[str, Any], **golden: Any) -> list[str]:
    found = rules_check([BusinessRule.model_validate({"id": "r", **rule})])(answered(answer, **golden))
    return [finding.ruling for finding in found]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("今なら30%オフ", ["fail"]),
        ("最大20%オフ", []),
        ("２５％引です", ["fail"]),
        ("３割引", ["fail"]),
        ("２割引", []),
        ("三割引", ["fail"]),
        ("二十五パーセントオフ", ["fail"]),
        ("up to 30 % off", ["fail"]),
        ("消費税は10%、満足度は95%", []),
        ("10%オフ、最大で50%オフ", ["fail"]),
        ("2割5分引き", ["fail"]),
        ("二割五分引き", ["fail"]),
        ("1割5分引き", []),
        ("**30**%オフ", ["fail"]),
        ("30&#37;オフ", ["fail"]),
        ("30%\nオフ", ["fail"]),
    ],
)
def test_a_limit_on_percentages_knows_tenths_and_kanji(answer: str, expected: list[str]) -> None:
    assert rulings(answer, {"kind": "number_max", "pattern": DISCOUNT, "max": 20}) == expected


@pytest.mark.parametrize(
    ("answer", "pattern", "expected"),
    [
        ("3万5千円です", r"([\d,]+)円", ["fail"]),
        ("12,000円です", r"([\d,]+)円", []),
        ("3万円です", r"(\d+)万円", []),
        ("1億2000万円です", r"(\d+)円", ["fail"]),
        ("2万5千円です", r"([\d,]+)円", []),
        ("２万９千円です", r"([\d,]+)円", []),
    ],
)
def test_a_limit_on_amounts_reads_large_units(answer: str, pattern: str, expected: list[str]) -> None:
    assert rulings(answer, {"kind": "number_max", "pattern": pattern, "max": 30000}) == expected


def test_a_smallest_number() -> None:
    rule = {"kind": "number_min", "pattern": r"within (\d+) days", "min": 3}
    assert rulings("within 2 days", rule) == ["fail"]
    assert rulings("within 3 days", rule) == []


def test_forbidden_words_may_be_denied_and_a_mention_is_open() -> None:
    rule = {"kind": "must_not_mention", "terms": ["guarantee you will win", "必ず勝てます"]}
    assert rulings("We guarantee you will win.", rule) == ["fail"]
    assert rulings("We cannot guarantee you will win.", rule) == []
    assert rulings("「必ず勝てます」とのご質問ですが、", rule) == ["undecided"]


def test_a_deny_list_forbids_words_even_when_denied_but_not_inside_longer_ones() -> None:
    rule = {"kind": "deny_list", "terms": ["馬鹿", "idiot"], "except_terms": ["馬鹿貝"]}
    assert rulings("馬鹿ではありません", rule) == ["fail"]
    assert rulings("You idiot", rule) == ["fail"]
    assert rulings("馬鹿貝の図鑑、idiotic", rule) == []


def test_what_must_be_mentioned_is_not_asked_of_an_answer_that_declines() -> None:
    rule = {"kind": "must_mention", "pattern": r"\[(?:出典|source): ?[^\]]+\]"}
    assert rulings("返金は3-5日です。", rule) == ["fail"]
    assert rulings("返金は3-5日です。[出典: refunds]", rule) == []
    assert rulings("該当する情報が見つかりません。", rule) == []


def test_a_disclaimer_is_due_when_its_subject_is_mentioned() -> None:
    rule = {"kind": "required_disclaimer", "when": ["投資", "invest"], "terms": ["元本保証ではありません"]}
    assert rulings("この投資信託は年5%です。", rule) == ["fail"]
    assert rulings("この投資信託は年5%です。元本保証ではありません。", rule) == []
    assert rulings("預金は年1%です。", rule) == []
    assert rulings("Our investment fund yields 5%.", rule) == ["fail"]
    assert rulings("Reinvestigate the case.", rule) == []


def test_links_of_a_rule_lead_to_its_hosts_only() -> None:
    rule = {"kind": "allowed_hosts", "hosts": ["fabrikam.com"]}
    assert rulings("[a](https://docs.fabrikam.com) and /help", rule) == []
    assert rulings("see https://attacker.example", rule) == ["fail"]


def test_a_rule_for_a_judge_is_open_and_a_mild_rule_warns() -> None:
    assert rulings("x", {"kind": "judge", "statement": "The answer is friendly."}) == ["undecided"]
    assert rulings("no", {"kind": "must_mention", "terms": ["yes"], "severity": "warn"}) == ["warn"]


@pytest.mark.parametrize(
    ("only", "golden", "expected"),
    [
        ({"categories": ["faq"]}, {"category": "faq"}, ["fail"]),
        ({"categories": ["faq"]}, {"category": "policy"}, []),
        ({"categories": ["faq"]}, {}, []),
        ({"tags": ["money"]}, {"tags": ["other", "money"]}, ["fail"]),
        ({"tags": ["money"]}, {"tags": []}, []),
        ({"languages": ["ja"]}, {"language": "en"}, []),
        ({"answerable": False}, {}, []),
        ({"answerable": False}, {"answerable": False}, ["fail"]),
    ],
)
def test_a_rule_is_meant_for_some_cases_only(
    only: dict[str, Any], golden: dict[str, Any], expected: list[str]
) -> None:
    rule = {"kind": "deny_list", "terms": ["bad"], **only}
    assert rulings("bad", rule, **golden) == expected


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ({"kind": "must_mention"}, "needs terms or pattern"),
        ({"kind": "number_max", "pattern": r"(\d+)"}, "needs max"),
        ({"kind": "number_max", "pattern": r"\d+", "max": 2}, "group in parentheses"),
        ({"kind": "must_mention", "pattern": "(a+)+"}, "repeated group"),
        ({"kind": "must_mention", "pattern": "a*"}, "matches the empty text"),
        ({"kind": "deny_list", "terms": [" "]}, "is empty"),
        ({"kind": "judge", "statement": " "}, "is empty"),
        ({"kind": "deny_list", "terms": ["a"], "max": 3}, "does not use max"),
        ({"kind": "allowed_hosts", "hosts": ["https://a.com"]}, "must be a host"),
        ({"kind": "forbid", "terms": ["a"]}, "must_mention"),
        ({"kind": "deny_list", "terms": ["a"], "id": "no spaces"}, "pattern"),
    ],
)
def test_a_rule_that_cannot_work_is_refused(rule: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        BusinessRule.model_validate({"id": "r", **rule})


def test_two_rules_of_one_name_are_refused() -> None:
    rule = {"id": "r", "kind": "deny_list", "terms": ["a"]}
    with pytest.raises(ValidationError, match="'r' is given twice"):
        SafetyConfig.model_validate({"rules": [rule, rule]})


RULES = "rules:\n  - {id: r, kind: deny_list, terms: [bad]}\n"


def test_rules_may_stand_in_a_file_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "policy.yml").write_text(RULES, encoding="utf-8")
    (tmp_path / "rag-gate.yml").write_text("safety: {rules: policy.yml}\n", encoding="utf-8")
    rules = load_config(tmp_path / "rag-gate.yml").safety.rules
    assert isinstance(rules, tuple)
    assert [rule.id for rule in rules] == ["r"]


def test_a_wrong_rule_is_named_with_file_and_key(tmp_path: Path) -> None:
    (tmp_path / "policy.yml").write_text(RULES.replace("terms", "words"), encoding="utf-8")
    (tmp_path / "rag-gate.yml").write_text("safety: {rules: policy.yml}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"policy\.yml: rules\.0\.words: unknown key"):
        load_config(tmp_path / "rag-gate.yml")
    (tmp_path / "rag-gate.yml").write_text(
        'safety: {rules: [{id: r, kind: must_mention, pattern: "("}]}\n', encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=r"rag-gate\.yml: safety\.rules\.0\.pattern: not a valid"):
        load_config(tmp_path / "rag-gate.yml")
