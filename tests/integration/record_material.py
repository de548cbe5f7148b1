"""Bots to record: the example, served in each way, and small ones that misbehave."""

import json
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cli_runner import ROOT

EXAMPLE = ROOT / "examples" / "support-bot"
#: A bot in a module `bot`: answers with the question, and what it found for it.
BOT = """
def answer(question):
    return {"retrieved": [{"id": "d1", "text": "about " + question, "score": 0.5}], "answer": "re: " + question}


def retrieve(question):
    return [{"id": "d1", "text": "about " + question, "score": 0.5}]


def generate(question, contexts):
    return "re: " + question + " from " + ",".join(item["id"] for item in contexts)


def with_contexts(question, contexts=None):
    if contexts is None:
        return answer(question)
    return {"answer": generate(question, contexts)}


async def later(question):
    return answer(question)


def fails(question):
    if "bad" in question:
        raise ValueError("no such document")
    return answer(question)


MANIFEST = {"model": "toy-1", "corpus_id": "c1"}
"""
#: The same bot as a program; what a question says decides how it misbehaves.
PROGRAM = """
import json, os, sys, time

log = os.environ.get("BOT_LOG")
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("manifest"):
        print(json.dumps({"manifest": {"model": os.environ.get("BOT_MODEL", "toy-1")}}), flush=True)
        continue
    question = asked["question"]
    if log:
        with open(log, "a") as out:
            out.write(asked["question_id"] + "\\n")
    if "hang" in question:
        time.sleep(60)
    if "crash" in question:
        print("out of memory", file=sys.stderr)
        sys.exit(7)
    if "half" in question:
        sys.stdout.write('{"answer": "re')
        sys.stdout.flush()
        sys.exit(0)
    if "garbage" in question:
        print("loading the model", flush=True)
        continue
    time.sleep(float(os.environ.get("BOT_S", "0")))
    said = {"retrieved": [{"id": "d1", "text": "about " + question, "score": 0.5}], "answer": "re: " + question}
    if "contexts" in asked:
        said = {"answer": "re: " + question + " from " + ",".join(item["id"] for item in asked["contexts"])}
    if "error" in question:
        said = {"error": "the index is locked"}
    if "nothing" in question:
        said = {"text": "re: " + question}
    print(json.dumps(said), flush=True)
"""


def golden(folder: Path, questions: Mapping[str, str]) -> Path:
    """Write a golden set: id -> question."""
    path = folder / "golden.jsonl"
    rows = [
        {"question_id": key, "question": text, "relevant_doc_ids": ["d1"], "expected_answer": "re"}
        for key, text in questions.items()
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def settings(folder: Path, target: str, more: str = "") -> Path:
    """Write settings with a target (YAML below the key), and the bots beside them."""
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    path = folder / "rag-gate.yml"
    block = textwrap.indent(textwrap.dedent(target).strip(), "  ")
    path.write_text(f"dataset: golden.jsonl\nrun: run.jsonl\n{more}\ntarget:\n{block}\n", encoding="utf-8")
    return path


def program(mode: str = "session", manifest: str = "false") -> str:
    """Return a target that is the program."""
    return f"command:\n  argv: [{sys.executable}, program.py]\n  mode: {mode}\n  manifest: {manifest}"


def rows(path: Path) -> dict[str, dict[str, Any]]:
    """Read a run: question id -> row."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {row["question_id"]: row for row in map(json.loads, lines)}


@contextmanager
def served_example() -> Iterator[str]:
    """Serve the example bot with uvicorn; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "support_bot.serving:app", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--log-level", "warning"], cwd=EXAMPLE, env={**os.environ, "PYTHONPATH": str(EXAMPLE)}
    ) as server:
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def wait_for(port: int, limit_s: float = 30) -> None:
    """Wait until something listens."""
    started = time.monotonic()
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() - started < limit_s, "the server does not start"
            time.sleep(0.1)
        else:
            return
