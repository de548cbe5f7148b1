"""Figures that pages quote from the example bot, and the worked example, are what the code gives."""

import json
import re
import sys
from pathlib import Path

import pytest
from cli_runner import ROOT, rag_gate, start
from doc_pages import text_of

from rag_gate.records.verdict import GateOutcome
from rag_gate.regression import CaseScoreIn, GateSettings, MetricInput, MetricSpec, judge_metrics

EXAMPLE = ROOT / "examples" / "support-bot"
Scores = dict[str, float]


@pytest.fixture(scope="module")
def means(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scores]:
    """Measure the unchanged bot and two variants over the core cases; no baseline is looked at."""
    found = {}
    for name in ("bot", "changes/rewording", "changes/retriever-break"):
        folder = tmp_path_factory.mktemp("bot")
        run = folder / "run.jsonl"
        recorder = (sys.executable, EXAMPLE / "record.py", "--bot", EXAMPLE / f"{name}.yml")
        ended = start(*recorder, "--tier", "core", "--output", run)
        assert ended.code == 0, ended.err
        source = ("--config", EXAMPLE / "rag-gate.yml", "--run", run)
        parts = [folder / "retrieval.json", folder / "judge.json"]
        for part in parts:
            assert rag_gate(part.stem, *source, "--output", part).code == 0
        found[Path(name).name] = scores_of(parts)
    return found


def scores_of(parts: list[Path]) -> Scores:
    metrics: dict[str, dict[str, float]] = {}
    for part in parts:
        metrics |= json.loads(part.read_text(encoding="utf-8"))["metrics"]
    return {name: summary["mean"] for name, summary in metrics.items()}


def test_the_average_hides_what_the_page_says(means: dict[str, Scores]) -> None:
    page = text_of("docs/explanation/why-not-one-average.md")
    shown = ("recall@5", "evidence@5", "correctness")
    for name in shown:
        before, after = means["bot"][name], means["retriever-break"][name]
        assert re.search(rf"^\| `{name}`.* \| {before:.3f} \| {after:.3f} \|$", page, re.MULTILINE), name
    before, after = (sum(means[run][name] for name in shown) / 3 for run in ("bot", "retriever-break"))
    assert f"| mean of the three | {before:.3f} | {after:.3f} |" in page


def test_polite_words_move_neither_correctness_nor_support_as_the_page_says(means: dict[str, Scores]) -> None:
    page = " ".join(text_of("docs/explanation/what-the-offline-judge-can-tell.md").split())
    before, after = means["bot"], means["rewording"]
    assert before["correctness"] == after["correctness"]
    assert before["support"] == after["support"]
    assert f"`correctness` is {before['correctness']:.2f} before and after" in page
    assert f"`support` {before['support']:.2f} before and after" in page


def worked(right: int, lost: int, won: int, tolerance: float) -> MetricInput:
    """Return 25 cases of 0 and 1, so many of them right in the baseline."""
    before = [1.0] * right + [0.0] * (25 - right)
    after = [0.0] * lost + before[lost : 25 - won] + [1.0] * won
    base = {f"q{n:02}": CaseScoreIn("v1", score) for n, score in enumerate(before)}
    now = {f"q{n:02}": CaseScoreIn("v1", score) for n, score in enumerate(after)}
    return MetricInput(MetricSpec(tolerance=tolerance), base, now)


def outcome() -> GateOutcome:
    inputs = {
        "recall@5": worked(24, 7, 0, 0.03),
        "correctness": worked(22, 6, 1, 0.05),
        "citation_rate": worked(23, 1, 0, 0.05),
    }
    return judge_metrics(inputs, GateSettings(alpha=0.05))


def test_the_worked_example_is_what_the_rule_decides() -> None:
    page = text_of("docs/explanation/how-the-verdict-is-made.md")
    for name, found in outcome().metrics.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1:4] == [
            f"{found.mean_base:.2f}",
            f"{found.mean_current:.2f}",
            f"{found.losses} lost, {found.wins} won",
        ]
        assert cells[5].endswith(f"= {found.p:.4f}".rstrip("0")), row
        assert cells[6].endswith(f"= {found.p_adj:.4f}".rstrip("0")), row
        assert cells[7] == found.verdict
    assert outcome().overall == "regressed"
