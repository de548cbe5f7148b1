"""An embedding model was changed without indexing anew: the report says what of retrieval is another."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from cli_runner import rag_gate
from material import lines

CASES = 40
SETTINGS = """
dataset: golden.jsonl
baseline: baseline.json
output: out
judge: {engine: none}
safety: {engine: none}
tolerances: {recall@5: 0.03}
"""


def golden(folder: Path) -> None:
    rows = [
        {"question_id": f"q{n:02}", "question": f"Question {n}?", "relevant_doc_ids": [f"d{n}"]}
        for n in range(CASES)
    ]
    lines(folder / "golden.jsonl", rows)


def recorded(
    folder: Path, name: str, *, empty: int = 0, score: float = 0.8, found: bool = True, **manifest: str
) -> None:
    """Write a run: the first ``empty`` cases retrieve nothing, scores lie around ``score``."""
    draw = random.Random(name)  # noqa: S311 - the same each time
    rows: list[dict[str, Any]] = [{"manifest": manifest}] if manifest else []
    for n in range(CASES):
        results = [
            {"id": f"d{n}" if found else "other", "score": score + draw.uniform(-0.1, 0.1)},
            {"id": "filler", "score": 0.1},
        ]
        rows.append({"question_id": f"q{n:02}", "retrieved": [] if n < empty else results})
    lines(folder / name, rows)


def gated(folder: Path) -> tuple[dict[str, Any], str]:
    """Promote ``before.jsonl``, gate ``after.jsonl``; return the verdict and the comment."""
    (folder / "rag-gate.yml").write_text(SETTINGS, encoding="utf-8")
    golden(folder)
    rag_gate("run", "--run", "before.jsonl", cwd=folder)
    promoted = rag_gate(
        "promote",
        "out/results.json",
        "--config",
        "rag-gate.yml",
        "--run",
        "before.jsonl",
        "--yes",
        cwd=folder,
    )
    assert promoted.code == 0, promoted.err
    rag_gate("run", "--run", "after.jsonl", cwd=folder)
    verdict = json.loads((folder / "out" / "verdict.json").read_bytes())
    return verdict, (folder / "out" / "comment.md").read_text(encoding="utf-8")


def test_empty_results_and_other_scores_are_named_as_likely_causes(tmp_path: Path) -> None:
    recorded(tmp_path, "before.jsonl", empty=1)
    recorded(
        tmp_path,
        "after.jsonl",
        empty=9,
        score=0.35,
        index_embedding_model="e5-small",
        query_embedding_model="e5-large",
    )
    verdict, comment = gated(tmp_path)

    assert verdict["overall"] == "regressed"
    mismatch, empties, scores = verdict["likely_causes"]
    assert "built with embedding model e5-small and queried with e5-large" in mismatch
    assert "nothing was retrieved for 9 of 40 cases, in the baseline's run for 1" in empties
    assert "p = 0.0039" in empties
    assert "(31 cases, Kolmogorov-Smirnov D = 1.00, p =" in scores
    assert sum("e5-small" in notice for notice in verdict["notices"]) == 1
    assert f"likely cause: {empties}" in verdict["notices"]
    provenance = comment[comment.index("Provenance") :]
    assert provenance.count("Likely cause") == 3
    assert "Kolmogorov-Smirnov D = 1.00" in provenance


def test_other_scores_alone_are_a_notice_and_no_cause(tmp_path: Path) -> None:
    recorded(tmp_path, "before.jsonl")
    recorded(tmp_path, "after.jsonl", score=0.35)
    verdict, comment = gated(tmp_path)

    assert verdict["overall"] == "pass"
    assert verdict["likely_causes"] == []
    assert any(
        notice.startswith("other similarities of the first results: median 0.")
        for notice in verdict["notices"]
    )
    assert "ikely cause" not in comment


@pytest.mark.parametrize(("empty", "score"), [(0, 0.8), (3, 0.82), (1, 0.79)])
def test_what_chance_explains_is_not_named(empty: int, score: float, tmp_path: Path) -> None:
    recorded(tmp_path, "before.jsonl")
    recorded(tmp_path, "after.jsonl", empty=empty, score=score, found=False)
    verdict, _ = gated(tmp_path)

    assert verdict["overall"] == "regressed"
    assert verdict["likely_causes"] == []


def test_a_run_without_scores_says_nothing_about_them(tmp_path: Path) -> None:
    for name in ("before.jsonl", "after.jsonl"):
        rows = [
            {"question_id": f"q{n:02}", "retrieved": [f"d{n}" if name[0] == "b" else "x"]}
            for n in range(CASES)
        ]
        lines(tmp_path / name, rows)
    verdict, _ = gated(tmp_path)
    assert verdict["overall"] == "regressed"
    assert verdict["likely_causes"] == []
