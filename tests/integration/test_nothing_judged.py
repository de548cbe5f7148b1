"""A model judge that gave no verdict at all, for whatever reason, measures nothing: no pass, no promotion."""

import json
from pathlib import Path

import pytest
from cli_runner import rag_gate
from model_faults import error
from model_server import Turn, chat
from test_judge_command import Judging, Running, project, written

SMALL = "small-2026-05-01"


def with_model(folder: Path, entry: str) -> None:
    """Let a model of the user's own judge."""
    (folder / "models.yml").write_text(
        f"schema_version: 1\nmodels:\n  {SMALL}: {{provider: openai, prompt: v1, {entry}}}\n",
        encoding="utf-8",
    )
    path = folder / "rag-gate.yml"
    text = path.read_text(encoding="utf-8").replace("model: gpt-4o-2024-11-20", f"model: {SMALL}")
    path.write_text(f"{text}  models: models.yml\n", encoding="utf-8")


def lengthen(folder: Path) -> None:
    """Give every case documents that no small model can take."""
    path = folder / "run.jsonl"
    rows = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["retrieved"] = [{"id": "d", "text": "Refunds take 5 business days. " * 1_800}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


REASONS = {
    "prompt_too_long": Turn(),
    "judge_bad_reply": Turn(body=chat("I think it is fine.")),
    "judge_truncated": Turn(body=chat("{", "length")),
    "judge_refused": error(400, "filtered", "content_filter"),
}


@pytest.mark.parametrize("reason", REASONS)
def test_a_run_without_any_verdict_does_not_pass_and_is_not_promoted(tmp_path: Path, reason: str) -> None:
    with Running(Judging(REASONS[reason])) as server:
        project(tmp_path, server)
        if reason == "prompt_too_long":
            with_model(tmp_path, "context_window: 6000, max_output: 1000")
            lengthen(tmp_path)
        ended = rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path)
        assert ended.code == 3, ended.err
        # Documents that do not fit cost faithfulness alone.
        metric = "faithfulness" if reason == "prompt_too_long" else "correctness"
        found = written(tmp_path, "eval_results/judge.json")["metrics"][metric]["reasons"]
        assert found == {reason: 4}
    verdict = written(tmp_path, "eval_results/verdict.json")
    assert verdict["overall"] == "error"
    assert "verdict" in verdict["problems"][0]
    results = tmp_path / "eval_results/results.json"
    options = ("--config", "rag-gate.yml", "--baseline", "baseline.json", "--yes", "--reason", "as it is")
    refused = rag_gate("promote", results, *options, cwd=tmp_path)
    assert refused.code == 3, refused.err
    assert "[gate_error]" in refused.err
    assert not (tmp_path / "baseline.json").exists()


def test_a_stage_without_any_verdict_ends_with_3_and_says_why(tmp_path: Path) -> None:
    with Running(Judging()) as server:
        project(tmp_path, server)
        with_model(tmp_path, "context_window: 6000, max_output: 1000")
        lengthen(tmp_path)
        ended = rag_gate("judge", "--config", "rag-gate.yml", "--output", "judge.json", cwd=tmp_path)
    assert ended.code == 3
    assert (
        "faithfulness was to be judged in 4 cases, and none got a verdict (prompt_too_long: 4)" in ended.err
    )
    assert "does not fit the model's context window" in ended.err


def test_a_shard_without_a_verdict_is_no_obstacle_where_another_has_one(tmp_path: Path) -> None:
    with Running(Judging()) as server:
        project(tmp_path, server, answers=3)
        with_model(tmp_path, "context_window: 6000, max_output: 1000")
        with (tmp_path / "rag-gate.yml").open("a", encoding="utf-8") as settings:
            settings.write("gate: {max_missing: 0.3}\n")
        golden, config = tmp_path / "golden.jsonl", ("--config", "rag-gate.yml")
        long = {
            "question_id": "long",
            "question": "How long?",
            "expected_answer": "5 days",
            "relevant_doc_ids": ["d"],
        }
        run = tmp_path / "run.jsonl"
        answered = {
            "question_id": "long",
            "answer": "Refunds take 5 business days.",
            "retrieved": [{"id": "d", "text": "Refunds take 5 business days. " * 1_800}],
        }
        golden.write_text(f"{golden.read_text(encoding='utf-8')}\n{json.dumps(long)}", encoding="utf-8")
        run.write_text(f"{run.read_text(encoding='utf-8')}\n{json.dumps(answered)}", encoding="utf-8")
        parts = []
        for index in range(1, 5):  # one case each
            part = f"judge-{index}.json"
            ended = rag_gate("judge", *config, "--shard", f"{index}/4", "--output", part, cwd=tmp_path)
            assert ended.code == 0, ended.err
            parts.append(part)
        for stage in ("retrieval", "safety"):
            assert rag_gate(stage, *config, "--output", f"{stage}.json", cwd=tmp_path).code == 0
        merged = rag_gate(
            "merge", *parts, "retrieval.json", "safety.json", *config, "--output", "r.json", cwd=tmp_path
        )
        assert merged.code == 0, merged.err
        assert written(tmp_path, "r.json")["metrics"]["faithfulness"]["n_scored"] == 3
        assert rag_gate("check", "r.json", *config, cwd=tmp_path).code == 0


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("context_window: 100, max_output: 4096", "max_output (4096) must be below context_window (100)"),
        ("context_window: 4096", "max_output (4096) must be below context_window (4096)"),
        ("context_window: 1100, max_output: 1000", "has room for prompts of 100 tokens"),
    ],
)
def test_a_window_that_no_case_fits_is_refused_before_anything_is_asked(
    tmp_path: Path, entry: str, words: str
) -> None:
    with Running(Judging()) as server:
        project(tmp_path, server)
        with_model(tmp_path, entry)
        ended = rag_gate("judge", "--config", "rag-gate.yml", "--output", "judge.json", cwd=tmp_path)
        assert (ended.code, server.requests) == (2, [])
    assert words in ended.err
    assert not (tmp_path / "judge.json").exists()
