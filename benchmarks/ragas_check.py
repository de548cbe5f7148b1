"""Check the engine `ragas` with the real ragas, and time it: RAG_GATE_RAGAS_PYTHON names an interpreter that has it.

    RAG_GATE_RAGAS_PYTHON=venv/bin/python python benchmarks/ragas_check.py

Tests drive the engine with metrics of their own; this script finds out whether ragas still is what they assume.
The service is one on loopback that compares letters, so the scores say nothing about any model.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragas_service import Service, served

from rag_gate.judge.cache import EntryCache
from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.engine import RagasEngine, openings
from rag_gate.judge.ragas.settings import RAGAS_METRICS, RagasSettings

_CASES = 50
_CONTEXTS = 3
# statements, verdicts, question of the answer, each context, recall
_CALLS = 4 + _CONTEXTS
_LATENCY_S = 0.3
_WORKERS = 16
_FAULTS = {
    "prose": "judge_bad_reply",
    "wrong form": "judge_bad_reply",
    "cut off": "judge_truncated",
    "401": "judge_refused",
    "404": "judge_unreachable",
    "429": "judge_rate_limited",
    "500": "judge_unreachable",
    "close": "judge_unreachable",
    "hang": "judge_deadline",
}
# What docs/how-to/measure-with-ragas.md tells users to do once.
_ADAPT = """
import asyncio, sys, warnings
warnings.simplefilter("ignore")
from openai import AsyncOpenAI
from ragas.llms import llm_factory
from ragas.metrics import answer_relevancy, context_precision, context_recall, faithfulness

model = llm_factory("letters-1", client=AsyncOpenAI(base_url=sys.argv[2], api_key="none"), max_tokens=8192)

async def main():
    for metric in (faithfulness, answer_relevancy, context_precision, context_recall):
        metric.set_prompts(**await metric.adapt_prompts("japanese", model))
        metric.save_prompts(sys.argv[1])

asyncio.run(main())
"""


def main() -> int:
    python = os.environ.get("RAG_GATE_RAGAS_PYTHON")
    if not python:
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    with served() as service:
        for check in (speed, cached, faults, edges, japanese, without_network):
            try:
                check(service, Path(python))
            except AssertionError as error:
                failed += 1
                print(f"FAILED {check.__name__}: {error}")
            service.fault, service.latency_s = "none", 0.0
    return 1 if failed else 0


def expect(found: object, wanted: object) -> None:
    if found != wanted:
        raise AssertionError(f"found {found}, wanted {wanted}")


def require(*, met: bool, what: str) -> None:
    if not met:
        raise AssertionError(what)


def engine(service: Service, python: Path, cache: EntryCache | None = None, **changes: Any) -> RagasEngine:  # noqa: ANN401
    limits = {
        "deadline_s": 60.0,
        "max_attempts": 2,
        **{k: changes.pop(k) for k in ("deadline_s",) if k in changes},
    }
    judge = BackendSettings("openai", "letters-1", base_url=service.url, concurrency=_WORKERS, **limits)
    settings = RagasSettings(judge, judge, python=python, **changes)
    return RagasEngine(settings, *openings(settings, os.environ), cache)


def request(number: int) -> JudgeRequest:
    japanese = number % 2 == 0
    question = f"返金{number}には何日かかりますか。" if japanese else f"How long does refund {number} take?"
    answer = (
        "返金は5営業日以内です。週末は含みません。"
        if japanese
        else "It takes five days. Weekends do not count."
    )
    source = "返金は5営業日以内に処理されます。" if japanese else "A refund takes five business days."
    expected = "返金は5営業日以内です。" if japanese else "It takes five days."
    others = tuple(f"会社の沿革 {number}-{place}" for place in range(_CONTEXTS - 1))
    return JudgeRequest(f"q{number}", question, answer, (source, *others), (expected,))


def speed(service: Service, python: Path) -> None:
    service.latency_s = _LATENCY_S
    one, many = (timed(service, python, count) for count in (1, _CASES))
    ideal = _CASES * _CALLS * _LATENCY_S / _WORKERS
    print(
        f"{_CASES} cases x {_CONTEXTS} contexts: {many:.2f} s, of which {one:.2f} s for one case (ragas starts);"
        f" ideal {ideal:.2f} s; peak {service.peak}; {sum(service.forms.values())} requests {dict(service.forms)}"
    )
    expect(sum(service.forms.values()), _CASES * (_CALLS + 1))
    require(met=service.peak <= 2 * _WORKERS, what=f"{service.peak} requests at a time")


def timed(service: Service, python: Path, count: int) -> float:
    service.reset()
    started = time.perf_counter()
    found = list(engine(service, python).judge_many(request(number) for number in range(count)))
    taken = time.perf_counter() - started
    expect([item.reasons for item in found], [{}] * count)
    scores = [item.scores[name] for item in found for name in RAGAS_METRICS]
    require(met=all(score is not None and 0 <= score <= 1 for score in scores), what="a score beyond 0 to 1")
    return taken


def cached(service: Service, python: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scores, seconds = [], []
        for _ in range(2):
            service.reset()
            started = time.perf_counter()
            run = engine(service, python, EntryCache(Path(folder), "ragas"))
            scores.append([item.scores for item in run.judge_many(map(request, range(_CASES)))])
            seconds.append(time.perf_counter() - started)
    print(f"second run: {seconds[1]:.3f} s after {seconds[0]:.2f} s; {sum(service.forms.values())} requests")
    expect(sum(service.forms.values()), 0)
    expect(scores[0], scores[1])


def faults(service: Service, python: Path) -> None:
    for fault, reason in _FAULTS.items():
        service.reset()
        service.fault = fault
        started = time.perf_counter()
        found = list(engine(service, python, deadline_s=5).judge_many(map(request, range(3))))
        taken = time.perf_counter() - started
        reasons = {item.reasons[name] for item in found for name in ("faithfulness", "context_recall")}
        print(f"{fault:10} -> {', '.join(sorted(reasons))} in {taken:.1f} s")
        expect(reasons, {reason})
        expect(
            {score for item in found for name, score in item.scores.items() if name != "answer_relevancy"},
            {None},
        )
    service.fault = "none"


def edges(service: Service, python: Path) -> None:
    """Judge answers that ragas itself gives NaN, or that need care."""
    cases: dict[str, Callable[[CaseJudgment], object]] = {
        "。": lambda found: found.reasons.get("faithfulness"),
        "句点のない日本語の回答": lambda found: found.scores["faithfulness"],
        "🙂 \u202eمرحبا\u202c": lambda found: found.scores["faithfulness"],
        "長い。" * 30_000: lambda found: found.scores["faithfulness"],
    }
    asked = [JudgeRequest("q", "質問", answer, ("文書",), ("期待",)) for answer in cases]
    found = list(engine(service, python).judge_many(asked))
    for (answer, shown), item in zip(cases.items(), found, strict=True):
        print(f"{answer[:12]!r}: {shown(item)}")
        expect(item.scores["faithfulness"] is None, "faithfulness" in item.reasons)


def japanese(service: Service, python: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-c", _ADAPT, folder, service.url], check=True, stdout=subprocess.DEVNULL)
        names = sorted(path.name for path in Path(folder).iterdir())
        service.reset()
        run = engine(service, python, japanese_prompts=Path(folder))
        found = list(run.judge_many([request(0), request(1)]))
    expect([item.reasons for item in found], [{}, {}])
    adapted = [prompt for prompt in service.prompts if "訳:" in prompt]
    expect((len(adapted), len(service.prompts)), (_CALLS, 2 * _CALLS))
    require(met=not any("Weekends" in prompt for prompt in adapted), what="English with prompts in Japanese")
    print(f"prompts in Japanese for the case in Japanese: {', '.join(names)}")


def without_network(service: Service, python: Path) -> None:
    """Run the process of ragas where nothing can be reached at all."""
    unshare = shutil.which("unshare")
    if (
        unshare is None
        or subprocess.run([unshare, "-rn", "true"], check=False, capture_output=True).returncode
    ):
        print("without a network: not checked, unshare does not work here")
        return
    run = engine(service, python)
    run.command = [unshare, "-rn", *run.command]
    found = list(run.judge_many([request(0)]))
    expect(found[0].reasons, {})
    print(f"without a network: {dict(found[0].scores)}")


if __name__ == "__main__":
    sys.exit(main())
