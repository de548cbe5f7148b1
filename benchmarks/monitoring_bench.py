"""What monitoring costs: microseconds of a request, seconds and memory of a million log lines. Exit 1 beyond a limit.

    python benchmarks/monitoring_bench.py [--lines N] [--requests N]

The middleware and both decorators are timed around an application that answers at once with the example bot's recorded answers,
so that the whole time of a request is theirs, but for what the same application takes without them. Each answer is given
many times; the limit is on the 99th percentile over the answers of their median CPU time. The raw 99th percentiles are printed, too: on a busy
machine they tell how often the neighbours took their turn.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "eval")]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "eval"), os.environ.get("PYTHONPATH", "")])

from processes import once  # noqa: E402

_RUN = ROOT / "examples" / "support-bot" / "runs" / "current.jsonl"
_SHARED = "PROMETHEUS_MULTIPROC_DIR"
_MOST_MICROSECONDS, _MOST_SECONDS, _MOST_MB = 100.0, 60.0, 200.0
_SCOPE = {"type": "http", "path": "/ask", "headers": [(b"host", b"bot")]}
#: Two rounds of the 250 answers.
_WARM_UP = 500
#: CPU and wall seconds of each request.
_Times = list[tuple[float, float]]


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--lines", type=int, default=1_000_000)
    options.add_argument("--requests", type=int, default=20_000)
    options.add_argument("--middleware-only", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.middleware_only:
        return 0 if _middleware(given.requests) else 1
    kept = [_middleware(given.requests)]
    with tempfile.TemporaryDirectory() as folder:
        shared = {**os.environ, _SHARED: folder}
        command = [sys.executable, __file__, "--middleware-only", "--requests", str(given.requests)]
        kept.append(subprocess.run(command, env=shared, check=False).returncode == 0)
    kept += [_log(kind, lines, given.lines) for kind, lines in (("signals", _signals), ("texts", _texts))]
    return 0 if all(kept) else 1


def _middleware(requests: int) -> bool:
    """Time requests with and without monitoring, in turn."""
    from rag_gate.monitoring import Monitor, QualityMiddleware

    monitor = Monitor()
    rows = [json.loads(line) for line in _RUN.read_text(encoding="utf-8").splitlines()]
    at_hand = (row for row in cycle(rows) for _ in range(2))  # each once without monitoring, once with it

    def application(retrieve: Callable[[Any], Any], generate: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - ASGI
        async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401, ARG001 - as ASGI calls it
            row = next(at_hand)
            retrieve(row)
            generate(row)
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"{}"})

        return app

    plain = application(_retrieve, _generate)
    watched = QualityMiddleware(
        application(monitor.retriever(_retrieve), monitor.generator(_generate)), monitor
    )
    bare, whole = asyncio.run(_timed(plain, watched, requests - requests % len(rows)))
    where = "shared by processes" if os.environ.get(_SHARED) else "one process"
    base = statistics.median(cpu for cpu, _ in bare)
    typical = [statistics.median(cpu for cpu, _ in whole[first :: len(rows)]) for first in range(len(rows))]
    high = (_quantile(typical, 0.99) - base) * 1e6
    print(
        f"middleware, {where}: median {(_quantile(typical, 0.5) - base) * 1e6:.0f} us, 99th percentile {high:.0f} us CPU"
    )
    for part, clock in enumerate(("CPU", "wall")):
        beside = statistics.median(times[part] for times in bare)
        raw = (_quantile([times[part] for times in whole], 0.99) - beside) * 1e6
        print(f"  with what the machine's other work adds, 99th percentile {raw:.0f} us {clock}")
    return high < _MOST_MICROSECONDS


def _retrieve(row: dict[str, Any]) -> list[Any]:
    found: list[Any] = row["retrieved"]
    return found


def _generate(row: dict[str, Any]) -> str:
    answer: str = row["answer"]
    return answer


async def _timed(plain: Any, watched: Any, requests: int) -> tuple[_Times, _Times]:  # noqa: ANN401 - ASGI
    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:  # noqa: ANN401 - as ASGI calls it
        del message

    taken: tuple[_Times, _Times] = ([], [])
    for number in range(requests + _WARM_UP):
        for app, times in zip((plain, watched), taken, strict=True):
            began, worked = time.perf_counter(), time.thread_time()
            await app(dict(_SCOPE), receive, send)
            if number >= _WARM_UP:
                times.append((time.thread_time() - worked, time.perf_counter() - began))
    return taken


def _quantile(values: list[float], q: float) -> float:
    return sorted(values)[int(q * (len(values) - 1))]


def _log(kind: str, lines: Callable[[], Iterator[str]], count: int) -> bool:
    """Time the command on a log, as a whole process."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        with log.open("w", encoding="utf-8") as handle:
            handle.writelines(islice(lines(), count))
        size = log.stat().st_size / 1e6
        command = [sys.executable, "-m", "rag_gate", "monitor", str(log), "--baseline", str(_RUN)]
        command += ["--output", str(Path(folder) / "monitor.json"), "--config", str(_config(Path(folder)))]
        wall, cpu, peak = once(f"monitor of {kind}", command)
    print(
        f"monitor, {count:,} lines of {kind} ({size:.0f} MB): {wall:.1f} s ({cpu:.1f} s CPU), {peak:.0f} MB peak"
    )
    # One process that reads a file: on an idle machine the CPU time is the wall time.
    return cpu < _MOST_SECONDS * count / 1_000_000 + 1 and peak < _MOST_MB


def _config(folder: Path) -> Path:
    """Allow any drift: the verdict is not what is timed."""
    path = folder / "rag-gate.yml"
    path.write_text(
        "monitoring: {drift: {empty_rate: 1, citation_rate: 1, hedging_rate: 1, similarity: 1, latency: 1000}}\n",
        encoding="utf-8",
    )
    return path


def _signals() -> Iterator[str]:
    """Yield lines as ``SignalLog`` writes them."""
    draw = Random(20)  # noqa: S311 - the same lines each time
    number = 0
    while True:
        number += 1
        retrieval, generation = draw.lognormvariate(4, 0.5), draw.lognormvariate(7, 0.5)
        line = {
            "timestamp": "2026-11-30T10:00:00.000+00:00",
            "request_id": f"{number:032x}",
            "retrieval_count": draw.choice((0, 5, 5, 5, 5, 5, 5, 5)),
            "retrieval_latency_ms": retrieval,
            "top_similarity_score": draw.uniform(2, 30),
            "generation_latency_ms": generation,
            "response_length_chars": draw.randrange(400),
            "has_citation": draw.random() < 0.8,  # noqa: PLR2004 - any share
            "language_detected": draw.choice(("ja", "en")),
            "contains_hedging": draw.random() < 0.1,  # noqa: PLR2004 - any share
            "total_latency_ms": retrieval + generation,
        }
        yield json.dumps(line) + "\n"


def _texts() -> Iterator[str]:
    """Yield requests with answers and five scored ids, of which everything is still to be measured."""
    rows = [json.loads(line) for line in _RUN.read_text(encoding="utf-8").splitlines()]
    short = [
        {
            "request_id": row["question_id"],
            "retrieved": [{"id": item["id"], "score": item["score"]} for item in row["retrieved"]],
            "answer": row["answer"],
            "latency_ms": {"retrieval": 12.5, "generation": 801.25},
        }
        for row in rows
    ]
    return cycle([json.dumps(row, ensure_ascii=False) + "\n" for row in short])


if __name__ == "__main__":
    sys.exit(main())
