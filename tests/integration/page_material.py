"""Reports as pages for tests: of the example bot, of hostile texts, and of very many cases."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from cli_runner import ROOT, rag_gate, start
from material import lines

from rag_gate.dataset import load_golden, open_run
from rag_gate.records.partial import DatasetInfo, RunInfo
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.html.sources import PageSources

EXAMPLE = ROOT / "examples" / "support-bot"
_UNUSED = shutil.ignore_patterns("out", "__pycache__")


def example_report(folder: Path, change: str = "retriever-break", tier: str = "core") -> Path:
    """Gate a change of the example bot against a baseline that keeps its answers; return the folder of files.

    Args:
        folder: where the bot is copied to.
        change: what is changed.
        tier: of the baseline; an extended one goes on with the example's history.
    """
    bot = folder / "support-bot"
    shutil.copytree(EXAMPLE, bot, ignore=_UNUSED)
    config = bot / "rag-gate.yml"
    if tier == "core":
        for name in ("baseline.json", "baseline.history.jsonl"):
            (bot / name).unlink()
    run, out = bot / "changed.jsonl", bot / "changed"
    record: list[str | Path] = [
        sys.executable,
        "record.py",
        "--bot",
        f"changes/{change}.yml",
        "--tier",
        "core",
        "--output",
        run,
    ]
    for ended in (
        rag_gate("run", "--config", config, "--tier", tier, "--output", bot / "out"),
        rag_gate(
            "promote", bot / "out/results.json", "--config", config, "--reason", "first release", "--yes"
        ),
        start(*record, cwd=bot, env={"PYTHONPATH": str(ROOT / "eval")}),
    ):
        if ended.code:
            raise RuntimeError(ended.err)
    ended = rag_gate("run", "--config", config, "--run", run, "--output", out)
    if not (out / "report.html").is_file():
        raise RuntimeError(ended.err)
    return out


HOSTILE = (
    "</script><script>document.title='owned'</script>"
    "<img src=x onerror=\"document.title='owned'\"><svg/onload=alert(1)>"
    "{{ 7*7 }}{% raw %}${7*7}<!--<script>-->]]>&lt;b&gt;'\"`\\ javascript:alert(1)"
    "\u202egnp.exe\u2066 \x1b]8;;https://evil.example\x07click\x1b]8;;\x07 \U000e0041\U000e0042"
    "\u2028<style>*{background:url(https://evil.example/x)}</style><base href=https://evil.example>"
)


def hostile_report(folder: Path) -> Path:
    """Gate a run in which every text is hostile; return the page."""
    gold, run = [], []
    for number in range(3):
        key, document = f"q{number}{HOSTILE}", f"d{number}{HOSTILE}"
        gold.append(
            {
                "question_id": key, "question": f"Question? {HOSTILE}", "expected_answer": f"yes {HOSTILE}",
                "relevant_doc_ids": [document], "evidence": [{"doc_id": document, "text": f"Passage {HOSTILE}"}],
                "category": f"cat {HOSTILE}", "difficulty": HOSTILE, "language": "en", "tags": [HOSTILE],
                "negative_assertions": [f"never {HOSTILE}"],
            }
        )  # fmt: skip
        chunk = {"id": document, "text": f"Passage {HOSTILE} and more."}
        run.append(
            {"question_id": key, "retrieved": [chunk], "answer": f"never {HOSTILE}. Because {HOSTILE}"}
        )
    lines(folder / "gold.jsonl", gold)
    lines(folder / "run.jsonl", run)
    manifest = {"commit": HOSTILE, "model": HOSTILE, HOSTILE: HOSTILE}
    (folder / "run.meta.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "rag-gate.yml").write_text("dataset: gold.jsonl\nrun: run.jsonl\n", encoding="utf-8")
    ended = rag_gate("run", "--config", folder / "rag-gate.yml", "--output", folder / "out")
    page = folder / "out" / "report.html"
    if not page.is_file():
        raise RuntimeError(ended.err)
    return page


_WORDS = [
    "refund",
    "parcel",
    "warranty",
    "login",
    "coupon",
    "kettle",
    "invoice",
    "member",
    "shipping",
    "return",
]
_STATUSES = ("passed", "passed", "passed", "generation_failure", "retrieval_failure")


def large_sources(folder: Path, count: int) -> PageSources:
    """Return results of so many cases, with golden set and run in files: five texts retrieved for each."""
    pool = [
        {
            "id": f"{_WORDS[at % 10]}-{at}",
            "text": f"Text {at} about {_WORDS[at % 10]}. " + "It says a bit more. " * 20,
        }
        for at in range(count // 10)
    ]
    gold, run = [], []
    for number in range(count):
        word = _WORDS[number % 10]
        gold.append(
            {
                "question_id": f"case-{number:05}", "question": f"What about {word}, as asked in letter {number}?",
                "expected_answer": f"the {word}", "relevant_doc_ids": [pool[number % len(pool)]["id"]],
                "category": word, "difficulty": ("easy", "hard")[number % 2], "language": ("en", "ja")[number % 2],
            }
        )  # fmt: skip
        found = [pool[(number + step * 7) % len(pool)] for step in range(5)]
        run.append({"question_id": f"case-{number:05}", "retrieved": found, "answer": f"It is the {word}."})
    dataset, recorded = lines(folder / "gold.jsonl", gold), lines(folder / "run.jsonl", run)
    golden = load_golden(dataset, "extended")
    joined = open_run(golden, recorded)
    cases = [_measured(at, one.fingerprint, gold[at]) for at, one in enumerate(joined)]
    results = Results(
        dataset=DatasetInfo(fingerprint="d", tier="extended", n_cases=count),
        run=RunInfo(fingerprint=joined.info().fingerprint),
        stages={}, scores={}, metrics={}, statuses={}, cases=cases,
    )  # fmt: skip
    verdict = Verdict(
        overall="pass", passed=True, exit_code=0, summary="No regression in 1 gating metric.", alpha=0.05,
        metrics={"correctness": MetricVerdict(verdict="pass", kind="soft")},
    )  # fmt: skip
    return PageSources(results, verdict, dataset=dataset, run=recorded)


def _measured(number: int, fingerprint: str, gold: dict[str, Any]) -> CaseResult:
    status = _STATUSES[number % 5]
    slices = {name: gold[name] for name in ("category", "difficulty", "language")}
    return CaseResult.model_validate(
        {
            "question_id": gold["question_id"], "fingerprint": fingerprint, "status": status,
            "info": {"question": gold["question"], "slices": slices},
            "retrieval_ok": status != "retrieval_failure", "answer_ok": status == "passed",
            "scores": {"correctness": float(status == "passed"), "recall@5": number % 4 / 4},
        }
    )  # fmt: skip
