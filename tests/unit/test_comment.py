"""The comment as written: snapshots per scenario, and what holds for any text in any field.

RAG_GATE_UPDATE_SNAPSHOTS=1 writes the snapshots anew.
"""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from comment_material import Scenario, baseline, case, judge, results
from comment_scenarios import SCENARIOS, hostile, inconclusive, retrieval_regression, rewritten, too_many
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_gate.config_models import ReportConfig
from rag_gate.records.results import Results
from rag_gate.report import write_comment
from rag_gate.report.render import MAX_LENGTH, render_comment
from rag_gate.report.view import build_view

SNAPSHOTS = Path(__file__).parents[1] / "data" / "comments"
UPDATE = os.environ.get("RAG_GATE_UPDATE_SNAPSHOTS") == "1"
PARSER = MarkdownIt("commonmark").enable("table")
OUTCOMES = {
    "pass": "PASSED",
    "regression-retrieval": "BLOCKED",
    "regression-answer": "BLOCKED",
    "inconclusive": "INCONCLUSIVE",
    "inconclusive-that-fails": "BLOCKED",
    "not-evaluated": "NOT EVALUATED",
    "no-baseline": "PASSED WITH WARNINGS",
    "flat-results": "BLOCKED",
    "hostile-text": "NOT EVALUATED",
    "too-many-cases": "BLOCKED",
    "changed-conditions": "BLOCKED",
    "changed-golden-set": "PASSED WITH WARNINGS",
    "japanese": "BLOCKED",
    "model-judge": "PASSED",
    "model-judge-cached": "PASSED",
}


def comment(scenario: Scenario, most: int = 20) -> str:
    return render_comment(build_view(*scenario, ReportConfig(max_cases=most)))


def inline_tokens(text: str) -> list[Token]:
    return [token for token in PARSER.parse(text) if token.type == "inline"]


def assert_harmless(text: str) -> None:
    """Only our own HTML, no link, image or mention; every row as wide as its header."""
    assert len(text) <= MAX_LENGTH
    tokens = PARSER.parse(text)
    html = [line for token in tokens if token.type == "html_block" for line in token.content.splitlines()]
    ours = r"<!-- rag-gate:[A-Za-z0-9._-]+ -->|</?details>|<summary>[A-Za-z0-9 ,()-]+</summary>"
    assert [line for line in html if not re.fullmatch(ours, line)] == []
    children = [child for token in tokens for child in token.children or []]
    allowed = {"text", "text_special", "code_inline", "strong_open", "strong_close", "softbreak"}
    assert {child.type for child in children} <= allowed
    shown = "\n".join(child.content for child in children if child.type.startswith("text"))
    assert re.findall(r"@[0-9a-z]|(?<![0-9a-z])#[0-9]|://|\bwww\.", shown, re.IGNORECASE | re.ASCII) == []
    assert_tables(tokens, text)


def bars(line: str) -> int:
    return len(re.findall(r"(?<!\\)\|", line))


def assert_tables(tokens: list[Token], text: str) -> None:
    """No row holds more or fewer bars than its header, and each is parsed as one row of cells."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    width = rows = cells = tables = 0
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if following.startswith("| ---"):
            width, tables = bars(line), tables + 1
        assert bars(line) == width
        if not line.startswith("| ---"):
            rows, cells = rows + 1, cells + width - 1
    count = Counter(token.type for token in tokens)
    assert count["table_open"] == tables
    assert count["tr_open"] == rows
    assert count["td_open"] + count["th_open"] == cells


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_comment_is_as_agreed(name: str) -> None:
    path, text = SNAPSHOTS / f"{name}.md", comment(SCENARIOS[name]())
    if UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCENARIOS)
def test_first_lines_say_what_happened(name: str) -> None:
    lines = comment(SCENARIOS[name]()).splitlines()
    assert lines[0] == "<!-- rag-gate:default -->"
    assert lines[1].startswith(f"## rag-gate: {OUTCOMES[name]} ")


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_comment_is_harmless_and_readable_markdown(name: str) -> None:
    text = comment(SCENARIOS[name]())
    assert_harmless(text)
    assert "None" not in text
    assert "\n\n\n" not in text
    assert text.endswith("\n")


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        write_comment(*retrieval_regression(), ReportConfig(gate_id="docs-bot"), tmp_path / name)
    written = (tmp_path / "a.md").read_bytes()
    assert written == (tmp_path / "b.md").read_bytes()
    assert written.startswith(b"<!-- rag-gate:docs-bot -->\n")


SNIPPETS = [
    "|", "\\", "`", "``", "*", "_", "[", "](", ")", "![", "<", ">", "<!--", "-->", "&lt;", "<b>", "</details>", "#",
    "- ", "1. ", "===", "---", "\n", "\n\n", "\t", "    ", "@", "@team", "#1", "a/b#1", "https://x.y", "www.x.y",
    "a@b.cd", ":smile:", "$", "{{ 7*7 }}", "{% raw %}", "\u202e", "\x00", "\x1b[31m", "返金", "。", "a", " ",
]  # fmt: skip
anything = st.lists(st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=4)), max_size=9).map("".join)
slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(anything)
@slow
def test_any_text_in_any_field_stays_text(text: str) -> None:
    assert_harmless(comment(hostile(text), most=3))


@given(anything)
@slow
def test_any_text_in_the_verdict_itself_stays_text(text: str) -> None:
    now, verdict = retrieval_regression()
    assert isinstance(now, Results)
    assert_harmless(comment((now, rewritten(verdict, text)), most=3))
    assert_harmless(comment(({text: 0.5}, rewritten(verdict, text)), most=3))


@given(anything.filter(bool), st.integers(1, 2000), st.integers(0, 60))
@settings(max_examples=8, deadline=None)
def test_no_comment_is_longer_than_the_limit(text: str, most: int, repeats: int) -> None:
    scenario = judge(
        results([case(f"{n}{text * repeats}", found=False, right=False) for n in range(300)]),
        baseline(results([case(f"{n}{text * repeats}") for n in range(300)])),
    )
    assert_harmless(comment(scenario, most))


def test_a_long_comment_loses_rows_and_says_how_many() -> None:
    text = comment(too_many(), most=3000)
    shown = len(re.findall(r"^\| `q-[0-9]+` How", text, re.MULTILINE))
    assert 100 < shown < 3000
    assert f"\n{3000 - shown} omitted, see results.json\n" in text
    assert MAX_LENGTH * 0.7 < len(text) <= MAX_LENGTH
    assert "| `recall@5` retrieval |" in text


def test_the_longest_possible_texts_leave_verdict_and_metrics() -> None:
    now, verdict = retrieval_regression()
    text = "<|" * 2000
    metrics = {f"{n}{text}": verdict.metrics["recall@5"] for n in range(130)}
    conditions = {f"{n}{text}": (text, text) for n in range(99)}
    long = rewritten(verdict, text).model_copy(
        update={"notices": [text] * 99, "problems": [text] * 99, "metrics": metrics, "conditions": conditions}
    )
    shown = comment((now, long), most=500)
    assert_harmless(shown)
    assert shown.splitlines()[1] == "## rag-gate: BLOCKED ❌"
    assert shown.count("❌ regressed") == 130
    assert "Left out because the comment would be too long: " in shown
    assert "\n- 89 omitted" not in shown


def test_thousands_of_metrics_lose_the_harmless_ones_first() -> None:
    now, verdict = inconclusive()
    fine, doubtful = verdict.metrics["correctness"], verdict.metrics["recall@5"]
    metrics = {f"own_{n}": fine for n in range(3000)} | {"own_last": doubtful}
    shown = comment((now, verdict.model_copy(update={"metrics": metrics})))
    assert_harmless(shown)
    assert "| `own_last` own metric |" in shown
    assert re.search(r"\n[0-9]+ omitted, see verdict.json\n", shown)
