"""The comment as written: snapshots per scenario, and what holds for any text in any field.

GitHub's own parser (cmark-gfm) confirms the structure. RAG_GATE_UPDATE_SNAPSHOTS=1 writes the snapshots anew.
"""

import os
import re
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from comment_material import Scenario, baseline, case, judge, results
from comment_more import IN_JAPANESE, MORE
from comment_scenarios import SCENARIOS, hostile, inconclusive, retrieval_regression, rewritten, too_many
from gfm import Page, assert_harmless
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_gate.config_models import Language, ReportConfig
from rag_gate.records.results import Results
from rag_gate.report import render
from rag_gate.report.origin import Origin
from rag_gate.report.render import MAX_LENGTH, render_comment
from rag_gate.report.reporter import Reporter
from rag_gate.report.view import build_view

SNAPSHOTS = Path(__file__).parents[1] / "data" / "comments"
UPDATE = os.environ.get("RAG_GATE_UPDATE_SNAPSHOTS") == "1"
ORIGIN = Origin(today=date(2025, 6, 7))
ALL = {**SCENARIOS, **MORE}
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
    "aggregate-baseline": "INCONCLUSIVE",
    "judge-skipped": "NEUTRAL",
    "nothing-measured": "NEUTRAL",
    "regression-that-passes": "REGRESSED",
    "style-shift": "PASSED WITH WARNINGS",
    "unsupported-claims": "BLOCKED",
    "trend": "BLOCKED",
    "changed-rules": "PASSED WITH WARNINGS",
    "missing-passages": "BLOCKED",
    "must-pass-unmeasured": "NOT EVALUATED",
}


def comment(scenario: Scenario, most: int = 20, language: Language = "en") -> str:
    return render_comment(build_view(*scenario, ReportConfig(max_cases=most, language=language), ORIGIN))


@cache
def told(name: str, language: Language = "en") -> str:
    """Return the comment of a scenario, written once for all tests that look at it."""
    return comment(ALL[name](), language=language)


def assert_is(name: str, text: str) -> None:
    path = SNAPSHOTS / f"{name}.md"
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALL)
def test_the_comment_is_as_agreed(name: str) -> None:
    assert_is(name, told(name))


@pytest.mark.parametrize("name", IN_JAPANESE)
def test_the_japanese_comment_is_as_agreed(name: str) -> None:
    assert_is(f"ja/{name}", told(name, "ja"))


def test_a_comment_that_had_to_be_cut_is_as_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "MAX_LENGTH", 5_000)
    for language in ("en", "ja"):
        text = comment(too_many(), most=3000, language=language)
        assert_is(f"truncated-{language}", text)
        assert_harmless(text, limit=5_000)


def test_every_stored_comment_belongs_to_a_scenario() -> None:
    known = {*ALL, *(f"ja/{name}" for name in IN_JAPANESE), "truncated-en", "truncated-ja"}
    stored = {path.relative_to(SNAPSHOTS).with_suffix("").as_posix() for path in SNAPSHOTS.rglob("*.md")}
    assert stored == known


@pytest.mark.parametrize("name", ALL)
def test_first_lines_say_what_happened(name: str) -> None:
    lines = told(name).splitlines()
    assert lines[0] == "<!-- rag-gate:default -->"
    assert lines[1].startswith(f"## rag-gate: {OUTCOMES[name]} ")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", ALL)
def test_every_comment_is_harmless_and_readable_markdown(name: str, language: Language) -> None:
    text = told(name, language)
    assert_harmless(text)
    assert "None" not in text
    assert "\n\n\n" not in text
    assert not re.search(r"[^\S\n\u3000]\n", text)
    assert text.endswith("\n")


@pytest.mark.parametrize("name", ALL)
def test_no_meaning_hangs_on_a_sign_alone(name: str) -> None:
    """Read aloud, or shown without its signs, the comment says the same."""
    for line in told(name).splitlines():
        for cell in re.split(r"(?<!\\)\|", line):
            assert not re.fullmatch(r"\s*(?:[❌✅⚠⚪]\ufe0f?\s*)+", cell)


def test_what_failed_is_unfolded_and_the_rest_is_not() -> None:
    page = Page(comment(retrieval_regression()))
    unfolded = re.findall(r"<details open>\s*<summary>(.*?)</summary>", page.html)
    assert unfolded == ["<strong>Newly failing cases (12)</strong>"]
    assert page.tags["details"] > 5
    text = told("not-evaluated")
    assert "<details open>\n<summary>Unscored cases (10)</summary>" in text


def test_the_same_input_gives_the_same_bytes() -> None:
    reporter = Reporter(ReportConfig(gate_id="docs-bot"), origin=ORIGIN)
    first, second = (reporter.text(*retrieval_regression()) for _ in range(2))
    assert first == second
    assert first.startswith("<!-- rag-gate:docs-bot -->\n")


SNIPPETS = [
    "|", "\\", "`", "``", "```", "\n```\n", "~~~", "*", "_", "[", "](", ")", "![", "<", ">", "<!--", "-->", "&lt;", "<b>",
    "</details>", "<details>", "</summary>", "#", "- ", "1. ", "===", "---", "\n", "\n\n", "\t", "    ", "@", "@team",
    "@org/team", "#1", "GH-1", "a/b#1", "https://x.y", "www.x.y", "a@b.cd", ":smile:", "$", "{{ 7*7 }}", "{% raw %}",
    "\u202e", "\x00", "\x1b[31m", "返金", "。", "a", " ", "~", "~~",
]  # fmt: skip
anything = st.lists(st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=4)), max_size=9).map("".join)
slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
languages = st.sampled_from(["en", "ja"])


@cache
def usual_page(language: Language) -> Page:
    return Page(comment(hostile("x"), most=3, language=language))


@given(anything, languages)
@slow
def test_any_text_in_any_field_stays_text(text: str, language: Language) -> None:
    page = assert_harmless(comment(hostile(text), most=3, language=language))
    usual = usual_page(language)
    assert len(page.tables) == len(usual.tables)
    assert page.tags["details"] == usual.tags["details"]


@given(anything, languages)
@slow
def test_any_text_in_the_verdict_itself_stays_text(text: str, language: Language) -> None:
    now, verdict = retrieval_regression()
    assert isinstance(now, Results)
    assert_harmless(comment((now, rewritten(verdict, text)), most=3, language=language))
    assert_harmless(comment(({text: 0.5}, rewritten(verdict, text)), most=3, language=language))


@given(anything)
@slow
def test_any_text_in_the_names_of_files_and_commits_stays_text(text: str) -> None:
    now, verdict = ALL["trend"]()
    origin = Origin(config=text, results=text, today=date(2025, 6, 7), head=text, run_url=text)
    named = verdict.model_copy(update={"trend": {text: verdict.trend["mrr"], **verdict.trend}})
    assert_harmless(render_comment(build_view(now, named, ReportConfig(max_cases=2), origin)))


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
