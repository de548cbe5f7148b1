"""How long recording takes beside the ideal: 500 cases, 100 ms each, 16 at a time, for each kind of bot.

The ideal is 32 rounds of 100 ms. Whole processes are timed beside such that record one round, which is what starting
and warming up take; the fastest of three of each counts. Exit 1 if one takes more than 1.2 times the ideal beyond its start.
"""

import json
import math
import os
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

from processes import once

CASES, SECONDS, WORKERS, LIMIT, ROUNDS = 500, 0.1, 16, 1.2, 3
IDEAL = math.ceil(CASES / WORKERS) * SECONDS
BOT = f"""
import asyncio, json, sys, time

REPLY = {{"retrieved": [{{"id": f"d{{n}}", "text": "text " * 40, "score": 0.5}} for n in range(5)], "answer": "x" * 400}}


async def later(question):
    await asyncio.sleep({SECONDS})
    return REPLY


def answer(question):
    time.sleep({SECONDS})
    return REPLY


async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            length = next(int(line[15:]) for line in head.lower().split(b"\\r\\n") if line.startswith(b"content-length:"))
            await reader.readexactly(length)
            body = json.dumps(await later("")).encode()
            writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\n")
            writer.write(b"content-length: %d\\r\\n\\r\\n" % len(body) + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def listen():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["http"]:
        asyncio.run(listen())
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)
"""
TARGETS = {
    "python, async": "python: {answer: 'bot:later'}",
    "python": "python: {answer: 'bot:answer'}",
    "http": "http: {url: '${BOT_URL}'}",
    "command": f"command: {{argv: [{sys.executable}, bot.py]}}",
}


def main() -> int:
    """Measure each kind of bot; 0 if all keep the limit."""
    slow = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        with served(folder) as url:
            os.environ["BOT_URL"] = url
            for kind, target in TARGETS.items():
                walls = {cases: record(folder, kind, target, cases) for cases in (WORKERS, CASES)}
                asking = walls[CASES] - walls[WORKERS] + SECONDS
                print(
                    f"{kind:14} {walls[CASES]:5.2f} s, of which {asking:.2f} s asking: "
                    f"{asking / IDEAL:.2f} x the ideal of {IDEAL:.1f} s"
                )
                slow += [kind] if asking > LIMIT * IDEAL else []
    for kind in slow:
        print(f"TOO SLOW: {kind}", file=sys.stderr)
    return 1 if slow else 0


def prepare(folder: Path) -> None:
    """Write the bot and the golden sets."""
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    for cases in (WORKERS, CASES):
        rows = [
            {"question_id": f"q{n}", "question": f"Question {n}?", "relevant_doc_ids": ["d1"]}
            for n in range(cases)
        ]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"golden-{cases}.jsonl").write_text(lines, encoding="utf-8")


def record(folder: Path, kind: str, target: str, cases: int) -> float:
    """Record with one kind of bot; return the seconds of the fastest process."""
    block = textwrap.indent(f"{target}\nconcurrency: {WORKERS}\nwarmup: {WORKERS}", "  ")
    config = folder / "rag-gate.yml"
    config.write_text(f"dataset: golden-{cases}.jsonl\nrun: run.jsonl\ntarget:\n{block}\n", encoding="utf-8")
    command = [sys.executable, "-m", "rag_gate", "record", "--config", str(config)]
    return min(once(kind, command).wall for _ in range(ROUNDS))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the bot; yield its address."""
    with Popen([sys.executable, str(folder / "bot.py"), "http"], stdout=PIPE, stdin=DEVNULL) as server:
        try:
            port = server.stdout.readline().decode().strip() if server.stdout else ""
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.kill()


if __name__ == "__main__":
    sys.exit(main())
