"""The comment as written: snapshots per scenario, and what holds for any text in any field.

RAG_GATE_UPDATE_SNAPSHOTS=1 writes the snapshots anew.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_gate.config_models import GateConfig, ReportConfig, Tolerance, Tolerances
from rag_gate.records.baseline import Baseline, BaselineCase, Provenance
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, MetricSummary, RunInfo
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.check import Rules, check
from rag_gate.report import write_comment
from rag_gate.report.render import MAX_LENGTH, render_comment
from rag_gate.report.view import build_view
from rag_gate.status import Judged, status_of

SNAPSHOTS = Path(__file__).parents[1] / "data" / "comments"
UPDATE = os.environ.get("RAG_GATE_UPDATE_SNAPSHOTS") == "1"
PARSER = MarkdownIt("commonmark").enable("table")
TOLERANCES: Tolerances = {
    "recall@5": Tolerance(tolerance=0.03),
    "mrr": Tolerance(tolerance=0.03),
    "correctness": Tolerance(tolerance=0.03),
    "safety_pass_rate": Tolerance(),
}
MANIFEST = {"commit": "4f2a9c1", "model": "gpt-4o-mini", "prompt_version": "v12", "chunking_id": "512-64"}
Subject = Results | dict[str, float | None]
Scenario = tuple[Subject, Verdict]


def case(
    key: str, *, found: bool = True, right: bool = True, safe: bool | None = None, **changed: Any
) -> CaseResult:
    """One case as the stages would write it."""
    answer = changed.pop("answer", "Refunds take 5 business days." if right else "Refunds take 14 days.")
    status = status_of(Judged(found, right, safe), retrieval_due=True, answer_due=True)
    rank = 1 if found else 7
    row: dict[str, Any] = {
        "question_id": key,
        "fingerprint": "f",
        "info": CaseInfo(question=f"How long does a refund take ({key})?", slices={"category": "refunds"}),
        "status": status,
        "retrieval_ok": found,
        "answer_ok": right,
        "safety_ok": safe,
        "answered_without_evidence": right and not found,
        "scores": {
            "recall@5": float(found), "mrr": 1 / rank, "correctness": float(right),
            "safety_pass_rate": None if safe is None else float(safe),
        },
        "reasons": {} if safe is not None else {"safety_pass_rate": "no_negative_assertions"},
        "detail": {
            "retrieval": {
                "state": "ok", "retrieval_ok": found, "gold_ranks": {"refund-policy": rank},
                "evidence_ranks": [1 if found else None],
                "retrieved": ["refund-policy" if found else "shipping", "faq", "terms", "contact", "about"],
            },
            "judge": {
                "answer": answer, "expected": ["Refunds take 5 business days."], "engine": "lexical-v1",
                "missing": [] if right else ["5 business days"], "flags": [], "claims": [],
            },
        },
    }  # fmt: skip
    return CaseResult.model_validate(row | changed)


def missing(key: str) -> CaseResult:
    names = ("recall@5", "mrr", "correctness", "safety_pass_rate")
    return case(
        key, status="unscored", retrieval_ok=None, answer_ok=None, scores=dict.fromkeys(names),
        reasons=dict.fromkeys(names, "missing_from_run"), detail={"retrieval": {"state": "missing"}},
    )  # fmt: skip


def results(cases: Sequence[CaseResult], manifest: dict[str, Any] = MANIFEST, **changed: Any) -> Results:
    metrics = {}
    for name in sorted({name for row in cases for name in row.scores}):
        values = [row.scores[name] for row in cases if row.scores[name] is not None]
        reasons = Counter(row.reasons.get(name, "unknown") for row in cases if row.scores[name] is None)
        excluded = reasons["no_negative_assertions"]
        metrics[name] = MetricSummary(
            mean=fsum(v for v in values if v is not None) / len(values) if values else None,
            n_scored=len(values),
            n_excluded=excluded,
            n_missing=sum(reasons.values()) - excluded,
        )
    absent = sum(row.status == "unscored" for row in cases)
    row: dict[str, Any] = {
        "dataset": DatasetInfo(fingerprint="d" * 32, tier="core", n_cases=len(cases), has_extended=True),
        "run": RunInfo(fingerprint="e" * 32, manifest=RunManifest.model_validate(manifest)),
        "stages": {
            "retrieval": Evaluator(
                name="ranking", version="1", settings={"success": {"k": 5}}, fingerprint="r"
            ),
            "judge": Evaluator(name="lexical-v1", version="1", fingerprint="j"),
            "safety": Evaluator(name="rules", version="1", fingerprint="s"),
        },
        "counts": {"cases": len(cases), "executed": len(cases) - absent, "missing": absent, "error": 0},
        "scores": {name: summary.mean for name, summary in metrics.items()},
        "metrics": metrics,
        "statuses": dict(Counter(row.status for row in cases)),
        "cases": list(cases),
    }
    return Results.model_validate(row | changed)


def baseline(found: Results, **changed: Any) -> Baseline:
    row: dict[str, Any] = {
        "dataset": found.dataset,
        "run": found.run,
        "stages": found.stages,
        "metrics": found.scores,
        "provenance": Provenance(
            promoted_at="2025-05-01T09:00:00Z", commit="9e8d7c6b5a", verdict="pass", tool_version="0.1.0",
            config_hash="c",
        ),
        "cases": [
            BaselineCase(
                question_id=c.question_id, fingerprint=c.fingerprint, info=c.info, status=c.status,
                scores=c.scores,
            )
            for c in found.cases
        ],
    }  # fmt: skip
    return Baseline.model_validate(row | changed)


def judge(now: Subject, then: Baseline | dict[str, float | None] | None, **changed: Any) -> Scenario:
    user = changed.pop("tolerances", TOLERANCES)
    return now, check(now, then, Rules(user=user, shipped={}, gate=GateConfig(), **changed))


def good(count: int = 60, **changed: Any) -> list[CaseResult]:
    return [case(f"q-{n:03}", safe=True if n < 5 else None, **changed) for n in range(count)]


def with_changes(changes: dict[int, dict[str, Any]], count: int = 60) -> list[CaseResult]:
    return [
        case(row.question_id, safe=row.safety_ok, **changes[n]) if n in changes else row
        for n, row in enumerate(good(count))
    ]


def passes() -> Scenario:
    return judge(results(good()), baseline(results(good())))


def retrieval_regression() -> Scenario:
    lost = {n: {"found": False, "right": n % 3 == 0} for n in range(10, 22)}
    late = {n: {"scores": {**case("x").scores, "mrr": 0.5}} for n in range(30, 36)}
    return judge(results(with_changes(lost | late)), baseline(results(good())))


def answer_regression() -> Scenario:
    wrong = with_changes({n: {"right": False} for n in range(10, 20)})
    wrong[3] = case(
        "q-003", safe=False,
        detail={"safety": {"findings": [{"status": "asserted", "quote": "refunds are instant"}]}},
    )  # fmt: skip
    return judge(results(wrong), baseline(results(with_changes({50: {"found": False}}))))


def inconclusive() -> Scenario:
    return judge(
        results(with_changes({n: {"found": False} for n in range(3)}, 30)), baseline(results(good(30)))
    )


def inconclusive_that_fails() -> Scenario:
    now = results(with_changes({n: {"right": False} for n in range(3)}, 30))
    return judge(now, baseline(results(good(30))), strict=True)


def not_evaluated() -> Scenario:
    now = [missing(row.question_id) if n % 6 == 5 else row for n, row in enumerate(good())]
    return judge(results(now), baseline(results(good())))


def no_baseline() -> Scenario:
    return judge(results(with_changes({7: {"found": False}, 8: {"right": False}})), None)


def flat() -> Scenario:
    then = {"recall@5": 0.88, "mrr": 0.75, "faithfulness": 0.91}
    now: dict[str, float | None] = {"recall@5": 0.83, "mrr": 0.72, "faithfulness": 0.91}
    user = {name: Tolerance(tolerance=0.03) for name in then}
    return judge(now, dict(then), tolerances=user)


def hostile(
    text: str = "|`<img src=x onerror=a()> @org/team #1 [x](http://e.vil) **b**\n## h\u202e",
) -> Scenario:
    rows = [
        case(
            f"{text}{n}",
            found=n > 12,
            right=n > 16,
            safe=n != 5,
            answer=text,
            info=CaseInfo(question=text, must_pass=n == 1, slices={"category": text}),
            detail=_hostile_detail(text),
        )
        for n in range(40)
    ]
    lost = missing(f"{text}lost")
    lost = lost.model_copy(update={"reasons": dict.fromkeys(lost.scores, text or "?")})
    now = results([*rows, lost], manifest=dict.fromkeys(MANIFEST, f"now {text}") | {"extra": text})
    then = results(
        [case(f"{text}{n}", safe=True, info=row.info) for n, row in enumerate(rows)],
        manifest=dict.fromkeys(MANIFEST, f"then {text}"),
    )
    gone = baseline(results([*then.cases, case(f"{text}gone")], manifest=dict.fromkeys(MANIFEST, "then")))
    own = {f"own {text}": Tolerance(direction="higher", tolerance=0.1)}
    return judge(now, gone, tolerances=TOLERANCES | own)


def _hostile_detail(text: str) -> dict[str, Any]:
    finding = {"assertion": text, "status": "asserted", "quote": text}
    claim = {"text": text, "verdict": "unsupported", "evidence": text, "flags": [text]}
    return {
        "retrieval": {"gold_ranks": {text: 7, f"{text}b": None}, "evidence_ranks": [None], "retrieved": [text, None]},
        "judge": {"answer": text, "expected": [text], "claims": [claim], "missing": [f"m{text}"], "flags": [text]},
        "safety": {"findings": [finding], "cited": [text], "unknown_citations": [text]},
    }  # fmt: skip


def too_many() -> Scenario:
    return judge(
        results(with_changes({n: {"found": False, "right": False} for n in range(3000)}, 3200)),
        baseline(results(good(3200))),
    )


def changed_conditions() -> Scenario:
    then = {**MANIFEST, "model": "gpt-4o-mini-2024-07-18", "prompt_version": "v11"}
    wrong = {n: {"right": False} for n in range(10, 20)}
    return judge(results(with_changes(wrong)), baseline(results(good(), manifest=then)))


def japanese() -> Scenario:
    question, right, wrong = "返金には何日かかりますか？", "5営業日です。", "14日ほどかかります。"
    rows = []
    for n, row in enumerate(good()):
        ok = not 10 <= n < 20
        detail = {
            "retrieval": {"gold_ranks": {"返金規定": 1 if ok else None}, "evidence_ranks": [1 if ok else None],
                          "retrieved": ["返金規定" if ok else "配送案内", "よくある質問"]},
            "judge": {"answer": right if ok else wrong, "expected": [right], "missing": [] if ok else ["5営業日"]},
        }  # fmt: skip
        info = CaseInfo(question=question, must_pass=n == 12, slices={"category": "返金"})
        rows.append(case(f"質問-{n:02}", found=ok, right=ok, safe=row.safety_ok, info=info, detail=detail))
    then = [case(row.question_id, safe=row.safety_ok, info=row.info) for row in rows]
    return judge(results(rows), baseline(results(then)))


def changed_set() -> Scenario:
    then = [
        *with_changes({4: {"found": False}, 5: {"right": False}}),
        case("old-1"),
        case("q-new", found=False),
    ]
    now = [*with_changes({4: {"found": True}, 5: {"right": False}})]
    now[7] = case("q-007", found=False, fingerprint="edited")
    return judge(results([*now, case("q-added", right=False)]), baseline(results(then)))


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "pass": passes,
    "regression-retrieval": retrieval_regression,
    "regression-answer": answer_regression,
    "inconclusive": inconclusive,
    "inconclusive-that-fails": inconclusive_that_fails,
    "not-evaluated": not_evaluated,
    "no-baseline": no_baseline,
    "flat-results": flat,
    "hostile-text": hostile,
    "too-many-cases": too_many,
    "changed-conditions": changed_conditions,
    "changed-golden-set": changed_set,
    "japanese": japanese,
}
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


def rewritten(verdict: Verdict, text: str) -> Verdict:
    """A verdict whose texts are all the same hostile one."""
    first = next(iter(verdict.metrics.values()))
    return verdict.model_copy(
        update={
            "summary": text,
            "problems": [text, text],
            "notices": [text, text],
            "metrics": {**verdict.metrics, text: first.model_copy(update={"reasons": (text,), "notes": (text,)})},
            "worsened": {text: verdict.worsened["recall@5"]} | verdict.worsened,
            "slices": [row.model_copy(update={"slice": text, "metric": text}) for row in verdict.slices],
            "conditions": {text: (text, None), f"{text}2": (None, text)},
            "cases": verdict.cases.model_copy(update={key: [text, text] for key in ("added", "removed", "edited")}),
            "baseline_commit": text,
            "baseline_promoted_at": text,
            "dataset": DatasetInfo(fingerprint=text, tier="core", n_cases=1),
            "run": RunInfo(fingerprint=text, manifest=RunManifest.model_validate({text: text, "model": text})),
        }
    )  # fmt: skip


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
