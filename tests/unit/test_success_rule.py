"""When retrieval counts as successful, apart from the recall value."""

from pathlib import Path
from typing import Any

import pytest
from material import Row, scored

ONE_OF_TWO = ["a", "x", "x2"]
BOTH = ["a", "b", "x"]
LATE = ["x", "x2", "x3", "x4", "x5", "a", "b"]


def ok(folder: Path, gold: Row, retrieved: list[Any], **success: Any) -> bool | None:
    found = scored(folder, [{"id": "q", **gold}], [{"id": "q", "retrieved": retrieved}], success=success)
    held = found.cases[0].detail["retrieval_ok"]
    assert held is None or isinstance(held, bool)
    return held


@pytest.mark.parametrize(
    ("rule", "retrieved", "wanted"),
    [
        ("all", BOTH, True),
        ("all", ONE_OF_TWO, False),
        ("all", LATE, False),
        ("any", ONE_OF_TWO, True),
        ("any", LATE, False),
        ("any", [], False),
        ("all", [], False),
    ],
)
def test_all_or_any_gold_id_among_the_first_k(
    tmp_path: Path, rule: str, retrieved: list[str], *, wanted: bool
) -> None:
    assert ok(tmp_path, {"relevant": ["a", "b"]}, retrieved, rule=rule) is wanted


def test_the_k_of_the_rule_may_be_one_that_is_not_evaluated(tmp_path: Path) -> None:
    assert ok(tmp_path, {"relevant": ["a", "b"]}, LATE, k=7) is True
    assert ok(tmp_path, {"relevant": ["a", "b"]}, LATE, k=6) is False


def test_without_k_five_or_the_largest_k_counts(tmp_path: Path) -> None:
    gold, run = [{"id": "q", "relevant": ["a"]}], [{"id": "q", "retrieved": ["x", "x2", "a"]}]
    assert scored(tmp_path, gold, run, k_values=(1, 2)).evaluator.settings["success"]["k"] == 2
    assert scored(tmp_path, gold, run, k_values=(5, 10)).evaluator.settings["success"]["k"] == 5


@pytest.mark.parametrize("rule", ["all", "groups"])
def test_each_evidence_group_needs_one_member(tmp_path: Path, rule: str) -> None:
    gold: Row = {"evidence_groups": [["a", "b"], ["c"]]}
    assert ok(tmp_path, gold, ["b", "c"], rule=rule) is True
    assert ok(tmp_path, gold, ["a", "b"], rule=rule) is False
    assert ok(tmp_path, gold, ["a", "b"], rule="any") is True


def test_the_rule_and_complete_agree_where_a_group_member_is_below_the_relevance_level(
    tmp_path: Path,
) -> None:
    gold = [{"id": "q", "relevant": [{"id": "g", "grade": 2}], "evidence_groups": [["m"], ["g"]]}]
    found = scored(tmp_path, gold, [{"id": "q", "retrieved": ["m", "g"]}], min_grade=2)
    assert found.cases[0].scores["complete@5"] == 1.0
    assert found.cases[0].detail["retrieval_ok"] is True


NEEDLE: Row = {"relevant": ["a"], "evidence": ["締め切りは5日"]}
HOLDS: list[Any] = [{"id": "a", "text": "精算の締め切りは ５日 です。"}]
CUT: list[Any] = [{"id": "a", "text": "精算の締め切りは"}, {"id": "b", "text": "15日です"}]


def test_required_evidence_must_stand_inside_a_chunk_besides_the_id(tmp_path: Path) -> None:
    assert ok(tmp_path, NEEDLE, HOLDS) is True
    assert ok(tmp_path, NEEDLE, CUT) is False
    assert ok(tmp_path, NEEDLE, CUT, evidence="reported") is True
    assert ok(tmp_path, NEEDLE, [{"id": "x", "text": "締め切りは5日"}]) is False


def test_evidence_that_could_not_be_looked_for_leaves_the_rule_open(tmp_path: Path) -> None:
    assert ok(tmp_path, NEEDLE, ["a"]) is None
    assert ok(tmp_path, NEEDLE, ["x"]) is False
    assert ok(tmp_path, NEEDLE, ["a"], evidence="reported") is True


def test_evidence_alone_decides_where_no_gold_id_is_given(tmp_path: Path) -> None:
    gold: Row = {"evidence": ["締め切りは5日"]}
    assert ok(tmp_path, gold, [{"text": "締め切りは5日"}]) is True
    assert ok(tmp_path, gold, [{"text": "なし"}]) is False
    assert ok(tmp_path, gold, [{"text": "締め切りは5日"}], evidence="reported") is None


@pytest.mark.parametrize(
    ("gold", "run"),
    [
        ({"answerable": False}, {"retrieved": ["a"]}),
        ({"relevant": [{"id": "a", "grade": 0}]}, {"retrieved": ["a"]}),
        ({"relevant": ["a"]}, {"error": "timeout"}),
        ({"relevant": ["a"]}, {"answer": "x"}),
    ],
)
def test_what_was_not_measured_is_neither_success_nor_failure(tmp_path: Path, gold: Row, run: Row) -> None:
    found = scored(tmp_path, [{"id": "q", **gold}], [{"id": "q", **run}])
    assert found.cases[0].detail["retrieval_ok"] is None
