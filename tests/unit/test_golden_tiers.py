"""Tiers of a golden set, and what its fingerprints cover."""

import json
from pathlib import Path
from typing import Any

import pytest
from material import Row, lines

from rag_gate.dataset import load_golden
from rag_gate.errors import InputError
from rag_gate.records.partial import TierName

TIERED: list[Row] = [
    {"id": "c", "relevant": ["a"]},
    {"id": "e", "relevant": ["a"], "tier": "extended"},
]


@pytest.mark.parametrize(("tier", "ids"), [("core", ["c"]), ("extended", ["c", "e"])])
def test_core_keeps_core_cases_and_extended_keeps_all(tmp_path: Path, tier: TierName, ids: list[str]) -> None:
    golden = load_golden(lines(tmp_path / "g.jsonl", TIERED), tier)
    assert list(golden.cases) == ids
    assert golden.all_ids == {"c", "e"}
    assert golden.info().model_dump(exclude={"fingerprint"}) == {
        "tier": tier,
        "n_cases": len(ids),
        "has_extended": True,
    }


def test_a_folder_may_hold_one_file_per_tier(tmp_path: Path) -> None:
    lines(tmp_path / "core.jsonl", [{"id": "c", "relevant": ["a"]}])
    lines(
        tmp_path / "extended.jsonl",
        [{"id": "e", "relevant": ["a"]}, {"id": "k", "relevant": ["a"], "tier": "core"}],
    )
    assert list(load_golden(str(tmp_path)).cases) == ["c", "k"]
    assert list(load_golden(str(tmp_path), "extended").cases) == ["c", "e", "k"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "ndjson", "json"])
def test_the_files_of_the_tiers_may_be_of_any_format(tmp_path: Path, ending: str) -> None:
    for tier, key in (("core", "c"), ("extended", "e")):
        content = json.dumps({"id": key, "relevant": ["a"]})
        content = f"[{content}]" if ending == "json" else content
        separator = "\t" if ending == "tsv" else ","
        content = content if "json" in ending else f"id{separator}relevant\n{key}{separator}a\n"
        (tmp_path / f"{tier}.{ending}").write_text(content, encoding="utf-8")
    assert list(load_golden(str(tmp_path)).cases) == ["c"]
    assert list(load_golden(str(tmp_path), "extended").cases) == ["c", "e"]


def test_two_files_of_one_tier_are_refused(tmp_path: Path) -> None:
    for name in ("core.jsonl", "core.csv"):
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"two files of one tier .*core\.jsonl.*keep one"):
        load_golden(str(tmp_path))


def test_an_id_in_both_files_of_a_folder_is_refused(tmp_path: Path) -> None:
    lines(tmp_path / "core.jsonl", [{"id": "q", "relevant": ["a"]}])
    lines(tmp_path / "extended.jsonl", [{"id": "q", "relevant": ["a"]}])
    with pytest.raises(
        InputError, match=r"extended\.jsonl:1: question_id 'q' was already used at .*core\.jsonl:1"
    ):
        load_golden(str(tmp_path))


def test_a_tier_without_cases_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no case of tier 'core'; mark cases with"):
        load_golden(lines(tmp_path / "g.jsonl", [TIERED[1]]))


BASE: Row = {
    "id": "q",
    "question": "いつですか",
    "expected": ["5日", "五日"],
    "relevant": ["a", {"id": "b", "grade": 2}],
    "evidence_groups": [["a", "b"], ["c"]],
    "evidence": [{"text": "5日", "doc_id": "a"}, "締め切り"],
    "expected_citations": ["a", "b"],
    "negative_assertions": ["10日", "いつでもよい"],
    "tags": ["x"],
}


def prints(folder: Path, *rows: Row) -> tuple[str, dict[str, str]]:
    golden = load_golden(lines(folder / "g.jsonl", rows))
    return golden.info().fingerprint, golden.fingerprints


@pytest.mark.parametrize(
    "same",
    [
        {"tags": ["y", "z"]},
        {"expected": ["五日", "5日"]},
        {"relevant": [{"id": "b", "grade": 2}, "a"]},
        {"relevant": [{"id": "a", "grade": 1}, {"id": "b", "grade": 2}]},
        {"evidence_groups": [["c"], ["b", "a"]]},
        {"evidence": ["締め切り", {"doc_id": "a", "text": "5日"}]},
        {"expected_citations": ["b", "a"]},
        {"negative_assertions": ["いつでもよい", {"text": "10日"}]},
        {"category": "faq"},
        {"must_pass": True},
        {"retrieved": ["a"], "actual": "5日"},
        {"answerable": True},
        {"note": "mine"},
    ],
)
def test_order_tags_and_notes_leave_the_fingerprint(tmp_path: Path, same: Row) -> None:
    turned = dict(reversed({**BASE, **same}.items()))
    assert prints(tmp_path, turned) == prints(tmp_path, BASE)


@pytest.mark.parametrize(
    "other",
    [
        {"question": "どこですか"},
        {"expected": "5日"},
        {"relevant": ["a", "b"]},
        {"relevant": ["a", {"id": "b", "grade": 2}, "d"]},
        {"evidence_groups": [["a"], ["b"], ["c"]]},
        {"evidence": ["締め切り"]},
        {"expected_citations": ["a"]},
        {"negative_assertions": ["10日"]},
        {"negative_assertions": ["10日", {"text": "いつでもよい", "severity": "warn"}]},
    ],
)
def test_whatever_changes_a_measurement_changes_the_fingerprint(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    whole, cases = prints(tmp_path, {**BASE, **other})
    assert whole != prints(tmp_path, BASE)[0]
    assert cases["q"] != prints(tmp_path, BASE)[1]["q"]


def test_the_set_has_one_fingerprint_in_any_order_and_another_with_other_cases(tmp_path: Path) -> None:
    more: Row = {"id": "p", "relevant": ["a"]}
    whole = prints(tmp_path, BASE, more)
    assert prints(tmp_path, more, BASE) == whole
    assert prints(tmp_path, BASE)[0] != whole[0]
    assert prints(tmp_path, {**BASE, "id": "renamed"}, more)[0] != whole[0]
