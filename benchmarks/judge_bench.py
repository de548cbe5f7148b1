"""What the model judge asks, costs and takes, beside ragas and deepeval on the same rows and the same service.

    RAG_GATE_RAGAS_PYTHON=a/bin/python RAG_GATE_DEEPEVAL_PYTHON=b/bin/python python benchmarks/judge_bench.py

A peer whose interpreter is not named is left out. With --server another model service is started in place of the own
one: a command with {port} and {latency_ms} in it, that answers GET /__stats with chat, prompt_tokens, peak and span_s,
and POST /__reset.
"""

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from model_counts import Counted, Counts, foreign, own
from processes import Measured, once

ROWS, CONTEXTS, EDITS = 50, 3, 5
LATENCY_S, WORKERS, ROUNDS = 0.3, 16, 5
MODEL = "gpt-4o-2024-11-20"
PEERS = {"ragas": "RAG_GATE_RAGAS_PYTHON", "deepeval": "RAG_GATE_DEEPEVAL_PYTHON"}
#: What is promised: calls, stage by the ideal, share of ragas' prompt tokens, seconds of a first and a second process.
MOST_CALLS, MOST_STAGE, MOST_TOKENS, MOST_FIRST_S, MOST_SECOND_S = ROWS + 2, 1.25, 0.1, 2.5, 0.6


@dataclass(frozen=True, slots=True)
class Seen:
    """One process, and what the service saw of it."""

    process: Measured
    counts: Counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", metavar="COMMAND", help="another model service")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of our own runs; the quickest counts")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    with _service(given.server) as service, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        first, second, edited = _ours(service, folder, given.rounds)
        peers = {name: _peer(service, folder, name, python) for name, python in _pythons()}
    for name, seen in {"rag-gate": first, "second run": second, f"{EDITS} edits": edited, **peers}.items():
        print(_line(name, seen))
    missed = list(_missed(first, second, edited, peers))
    print("\n".join(f"MISSED: {line}" for line in missed) or "every promise is kept")
    return 1 if missed else 0


def _service(command: str | None) -> AbstractContextManager[Counted]:
    return foreign(command, LATENCY_S) if command else own(LATENCY_S)


def _pythons() -> Iterator[tuple[str, str]]:
    for name, variable in PEERS.items():
        if python := os.environ.get(variable):
            yield name, python
        else:
            print(f"{name}: left out, {variable} is not set")


def rows() -> list[dict[str, str | list[str]]]:
    """Return the cases, in Japanese: half of the answers are right."""
    found: list[dict[str, str | list[str]]] = []
    for number in range(ROWS):
        days = 5 if number % 2 else 9
        found.append(
            {
                "question": f"注文{number}番の返金には何日かかりますか。",
                "answer": f"注文{number}番の返金は申請から{days}営業日以内に処理されます。週末は営業日に含まれません。",
                "contexts": [
                    f"注文{number}番の返金は申請から5営業日以内に処理されます。週末と祝日は営業日に含まれません。",
                    *(f"当社の沿革 {number}-{place}。創業以来、全国に店舗を展開しています。" for place in range(1, CONTEXTS)),
                ],
                "expected": f"注文{number}番の返金は申請から5営業日以内に処理されます。",
            }
        )  # fmt: skip
    return found


def _write(folder: Path, url: str, edits: int) -> None:
    golden, run = [], []
    for number, row in enumerate(rows()):
        case = {"question_id": f"q{number}", "question": row["question"], "expected_answer": row["expected"]}
        golden.append({**case, "relevant_doc_ids": ["d0"], "language": "ja"})
        found = [{"id": f"d{place}", "text": text} for place, text in enumerate(row["contexts"])]
        answer = f"{'改訂: ' if number < edits else ''}{row['answer']}"
        run.append({"question_id": f"q{number}", "retrieved": found, "answer": answer})
    for name, lines in (("golden.jsonl", golden), ("run.jsonl", run)):
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "rag-gate.yml").write_text(
        "dataset: golden.jsonl\nrun: run.jsonl\n"
        f"judge: {{model: {MODEL}, base_url: '{url}', concurrency: {WORKERS}, cache: {{path: cache}}}}\n",
        encoding="utf-8",
    )


def _ours(service: Counted, folder: Path, rounds: int) -> tuple[Seen, Seen, Seen]:
    """Return the quickest first run, the quickest second run, and a run after edits."""
    firsts, seconds = [], []
    for number in range(rounds):
        place = folder / str(number)
        place.mkdir()
        _write(place, service.url, edits=0)
        firsts.append(_judged(service, place))
        seconds.append(_judged(service, place))
    place = folder / "0"
    _write(place, service.url, edits=EDITS)
    edited = _judged(service, place)
    return min(firsts, key=_wall), min(seconds, key=_wall), edited


def _wall(seen: Seen) -> float:
    return seen.process.wall


def _judged(service: Counted, folder: Path) -> Seen:
    command = [sys.executable, "-m", "rag_gate", "judge", "--config", str(folder / "rag-gate.yml")]
    return _seen(service, "rag-gate", [*command, "--output", str(folder / "judge.json")], folder)


def _peer(service: Counted, folder: Path, name: str, python: str) -> Seen:
    path = folder / "rows.json"
    path.write_text(json.dumps(rows()), encoding="utf-8")
    script = str(Path(__file__).with_name("judge_peers.py"))
    return _seen(service, name, [python, script, name, service.url, str(path), str(WORKERS)], folder)


def _seen(service: Counted, name: str, command: Sequence[str], folder: Path) -> Seen:
    service.reset()
    return Seen(once(name, command, folder), service.counts())


def _line(name: str, seen: Seen) -> str:
    counts, process = seen.counts, seen.process
    return (
        f"{name:12} {counts.calls:4} calls {counts.prompt_tokens:8} prompt tokens  peak {counts.peak:3}  "
        f"first to last request {counts.span_s:6.2f} s (ideal {_ideal(counts.calls):5.2f} s)  "
        f"process {process.wall:6.2f} s wall {process.cpu:6.2f} s CPU"
    )


def _ideal(calls: int) -> float:
    return math.ceil(calls / WORKERS) * LATENCY_S


def _missed(first: Seen, second: Seen, edited: Seen, peers: Mapping[str, Seen]) -> Iterator[str]:
    counts = first.counts
    if counts.calls > MOST_CALLS:
        yield f"{counts.calls} calls, at most {MOST_CALLS}"
    if counts.peak > WORKERS:
        yield f"{counts.peak} requests at a time, at most {WORKERS}"
    if counts.span_s > MOST_STAGE * _ideal(counts.calls):
        yield f"first to last request {counts.span_s:.2f} s, at most {MOST_STAGE} x {_ideal(counts.calls):.2f} s"
    if first.process.wall > MOST_FIRST_S:
        yield f"a first run takes {first.process.wall:.2f} s, at most {MOST_FIRST_S} s"
    if second.counts.calls or second.process.wall > MOST_SECOND_S:
        yield f"a second run: {second.counts.calls} calls, {second.process.wall:.2f} s, at most {MOST_SECOND_S} s"
    if edited.counts.calls != EDITS:
        yield f"{EDITS} edited answers cost {edited.counts.calls} calls"
    if "ragas" in peers and counts.prompt_tokens > MOST_TOKENS * peers["ragas"].counts.prompt_tokens:
        yield f"{counts.prompt_tokens} prompt tokens, and ragas {peers['ragas'].counts.prompt_tokens}"


if __name__ == "__main__":
    sys.exit(main())
