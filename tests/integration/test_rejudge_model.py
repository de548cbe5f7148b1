"""Another model as judge: the baseline's answers are put to it too, or nothing is compared."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runner import Ended, rag_gate
from test_judge_command import MODEL, Judging, Running, project

OTHER = "gpt-4.1-2025-04-14"


class Failing(Judging):
    """Judges, but no answer of the baseline's run once it is told to fail on them."""

    fails = False

    def _verdict(self) -> str:
        told = self._known.mine().body["messages"][1]["content"]
        return "No." if self.fails and "Case" in told and "90 days" not in told else super()._verdict()


@pytest.fixture
def server() -> Iterator[Failing]:
    failing = Failing()
    with Running(failing):
        yield failing


def gate(folder: Path, *options: str) -> tuple[Ended, dict[str, Any]]:
    ended = rag_gate("run", *options, cwd=folder)
    return ended, json.loads((folder / "eval_results/verdict.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path, server: Failing) -> Path:
    """A baseline that MODEL judged; from now on OTHER judges, and the answers are wrong."""
    project(tmp_path, server, answers=12)
    settings = tmp_path / "rag-gate.yml"
    settings.write_text(settings.read_text("utf-8") + "baseline: baseline.json\n", encoding="utf-8")
    assert gate(tmp_path)[0].code == 0
    results = "eval_results/results.json"
    assert rag_gate("promote", results, "--config", "rag-gate.yml", "--reason", "1", cwd=tmp_path).code == 0
    settings.write_text(settings.read_text("utf-8").replace(MODEL, OTHER), encoding="utf-8")
    run = (tmp_path / "run.jsonl").read_text("utf-8")
    (tmp_path / "run.jsonl").write_text(
        run.replace("within", "in").replace("take 5 business", "take 90"), "utf-8"
    )
    return tmp_path


def test_the_same_judge_for_both_sides_finds_the_loss(folder: Path) -> None:
    assert gate(folder)[0].code == 3
    ended, verdict = gate(folder, "--rejudge")
    assert ended.code == 1, ended.err
    assert verdict["metrics"]["faithfulness"]["delta"] == -1.0
    assert f"judging the baseline's answers took 12 calls to {OTHER}" in " ".join(verdict["notices"])


def test_a_baseline_that_cannot_be_judged_again_is_not_passed_over(folder: Path, server: Failing) -> None:
    server.fails = True
    ended = rag_gate("run", "--rejudge", cwd=folder)
    assert ended.code == 3
    assert "the baseline's stored answers could not be judged again" in ended.err


def test_a_limit_of_calls_holds_for_both_sides_together(folder: Path, server: Failing) -> None:
    settings = folder / "rag-gate.yml"
    settings.write_text(settings.read_text("utf-8").replace("judge:\n", "judge:\n  max_calls: 20\n"), "utf-8")
    before = len(server.requests)
    ended = rag_gate("run", "--rejudge", cwd=folder)
    assert ended.code == 3
    assert "could not be judged again" in ended.err
    assert len(server.requests) - before <= 20


def test_a_model_can_follow_the_offline_judge_and_the_anchor_stays(tmp_path: Path, server: Failing) -> None:
    """What only the offline judge measures ends with it, and is no reason to refuse the new baseline."""
    project(tmp_path, server, answers=12)
    settings = tmp_path / "rag-gate.yml"
    document = yaml.safe_load(settings.read_text("utf-8")) | {"baseline": "baseline.json"}
    del document["tolerances"]  # a table of one's own names what is measured
    settings.write_text(yaml.safe_dump(document | {"judge": {"engine": "lexical"}}), encoding="utf-8")
    results = "eval_results/results.json"
    assert gate(tmp_path)[0].code == 0
    assert rag_gate("promote", results, "--config", "rag-gate.yml", "--reason", "1", cwd=tmp_path).code == 0
    before = json.loads((tmp_path / "baseline.json").read_text(encoding="utf-8"))
    assert before["metrics"]["number_match"] is not None
    settings.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert gate(tmp_path)[0].code == 3
    ended, verdict = gate(tmp_path, "--rejudge")
    assert ended.code == 0
    assert re.search(r"number_match [01][.][0-9]+ -> none", " ".join(verdict["notices"]))
    words = ("promote", results, "--config", "rag-gate.yml", "--rejudge", "--reason", "a model judges")
    ended = rag_gate(*words, cwd=tmp_path)
    assert ended.code == 0, ended.err
    after = json.loads((tmp_path / "baseline.json").read_text(encoding="utf-8"))
    assert after["stages"]["judge"]["name"] == "llm"
    assert after["metrics"].get("number_match") is None
    assert after["anchor"]["promoted_at"] == before["anchor"]["promoted_at"]
    assert after["anchor"]["reason"] == "1"
