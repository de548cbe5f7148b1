"""Which core tier split proposes, and what it says about it; what stats counts."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from material import Row, lines

from rag_gate.cli import main
from rag_gate.curation.split import propose_core
from rag_gate.dataset import load_golden
from rag_gate.records.golden import GoldenCase

ROWS: list[Row] = [
    {
        "question_id": f"q{n:03}",
        "question": f"質問{n}" if n % 2 else f"question {n}",
        "gold_ids": [f"d{n}"],
        "language": "ja" if n % 2 else "en",
        "category": "rare" if n < 4 else "faq",
    }
    for n in range(100)
]


def run_of(folder: Path, name: str, lost: set[int]) -> str:
    rows = [
        {"question_id": row["question_id"], "retrieved": ["x"] if n in lost else row["gold_ids"]}
        for n, row in enumerate(ROWS)
    ]
    return lines(folder / name, rows)


def split(*args: str) -> tuple[dict[str, Any], str]:
    ended = CliRunner().invoke(main, ["split", *args])
    assert ended.exit_code == 0, ended.stderr
    return json.loads(ended.stdout), ended.stderr


def test_core_has_each_slice_in_proportion(tmp_path: Path) -> None:
    output = tmp_path / "tiers.jsonl"
    split(lines(tmp_path / "g.jsonl", ROWS), "--size", "20", "--output", str(output))
    cases = load_golden(str(output), "extended").cases
    core = [case for case in cases.values() if case.tier == "core"]
    assert (len(cases), len(core)) == (100, 20)
    assert sum(case.language == "ja" for case in core) == 10
    assert {case.category for case in core} == {"rare", "faq"}


def test_the_choice_does_not_depend_on_the_order_of_the_file(tmp_path: Path) -> None:
    one = split(lines(tmp_path / "a.jsonl", ROWS), "--size", "20")[0]["core"]
    assert split(lines(tmp_path / "b.jsonl", ROWS[::-1]), "--size", "20")[0]["core"] == one
    assert split(lines(tmp_path / "a.jsonl", ROWS), "--size", "20", "--seed", "1")[0]["core"] != one


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["", "en", "ja"]), st.booleans()),
        min_size=1,
        max_size=40,
    ),
    st.integers(1, 50),
)
def test_core_has_the_size_and_all_must_pass_cases(kinds: list[tuple[str, str, bool]], size: int) -> None:
    cases = {
        str(n): GoldenCase(
            question_id=str(n), answerable=False, category=category, language=language or None, must_pass=must
        )
        for n, (category, language, must) in enumerate(kinds)
    }
    core = propose_core(cases, size, 0)
    must_pass = {key for key, case in cases.items() if case.must_pass}
    assert must_pass <= core
    assert len(core) == min(len(cases), max(size, len(must_pass)))


def test_rows_keep_everything_but_their_tier(tmp_path: Path) -> None:
    rows = [{**row, "tags": ["t"], "own": 1} for row in ROWS]
    output = tmp_path / "tiers.jsonl"
    split(lines(tmp_path / "g.jsonl", rows), "--output", str(output))
    back = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [{key: value for key, value in row.items() if key != "tier"} for row in back] == rows


def test_what_core_tells_about_the_whole_is_measured_on_runs(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, f"r{step}.jsonl", set(range(0, 100, step))) for step in (2, 5, 10)]
    options = [item for run in runs for item in ("--run", run)]
    found, said = split(lines(tmp_path / "g.jsonl", ROWS), "--size", "20", *options)
    recall = next(each for each in found["prediction"] if each["metric"] == "recall@5")
    assert recall["whole"] == [0.5, 0.8, 0.9]
    assert recall["mean_abs_difference"] == pytest.approx(
        sum(abs(w - c) for w, c in zip(recall["whole"], recall["core"], strict=True)) / 3
    )
    assert 0 < recall["chance"] < 0.2
    assert recall["correlation"] > 0.8
    assert "recall@5: core differs from the whole by" in said
    alone = split(lines(tmp_path / "g.jsonl", ROWS), "--run", runs[0])[0]["prediction"][0]
    assert alone["correlation"] is None


def test_a_core_of_all_cases_predicts_them_exactly(tmp_path: Path) -> None:
    run = run_of(tmp_path, "r.jsonl", {1, 2, 3})
    found = split(lines(tmp_path / "g.jsonl", ROWS), "--size", "100", "--run", run)[0]["prediction"]
    assert all(each["mean_abs_difference"] == 0 and each["chance"] == 0 for each in found)


def test_stats_count_what_the_set_is_made_of(tmp_path: Path) -> None:
    more = [
        {"question_id": "u", "question": "none?", "answerable": False, "expected": "I do not know."},
        {
            "question_id": "e",
            "question": "two",
            "gold_ids": ["a", {"id": "b", "grade": 3}],
            "tier": "extended",
        },
    ]
    path = lines(tmp_path / "g.jsonl", [*ROWS, *more])
    found = json.loads(CliRunner().invoke(main, ["stats", path, "--format", "json"]).stdout)
    assert found["n_cases"] == 102
    assert found["slices"]["tier"] == {"core": 101, "extended": 1}
    assert found["slices"]["language"] == {"en": 50, "ja": 50, "(not said)": 2}
    assert found["gold_ids_per_case"] == {"0": 1, "1": 100, "2": 1}
    assert found["with"]["unanswerable"] == 1
    assert found["with"]["graded_gold_ids"] == 1
    assert found["script"] == {"other": 52, "japanese": 50}
    assert found["lengths"]["expected_answer"] == {"min": 14, "median": 14, "max": 14}
    text = CliRunner().invoke(main, ["stats", path]).stdout
    assert "tier: core 101, extended 1" in text
