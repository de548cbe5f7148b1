"""A bot that misbehaves: each fault is recorded with its case, tried again only where nothing was heard, and never dropped."""

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Turn
from record_material import golden, program, rows, settings

from rag_gate.config import load_config
from rag_gate.dataset import load_golden
from rag_gate.errors import InputError
from rag_gate.record import asking
from rag_gate.record.job import Job, Place, Wishes
from rag_gate.record.journal import Journal
from rag_gate.record.recorder import Recorded

SECRET = "bot-token-0123456789"
GOOD = {"retrieved": [{"id": "d1", "score": 0.5}], "answer": "fine"}
TRIES = 3


@pytest.fixture(autouse=True)
def quick_and_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_FIRST_BACKOFF_S", 0.01)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "bot", raising=False)


async def record(
    folder: Path, target: str, environ: Mapping[str, str], wishes: Wishes | None = None
) -> Recorded:
    """Record in this process."""
    path = settings(folder, target)
    config = load_config(path)
    assert config.target is not None
    place = Place(folder, folder / "run.jsonl", folder / "out")
    job = Job(load_golden(str(folder / "golden.jsonl")), config.target, place, wishes or Wishes(), environ)
    return await job.record(lambda _: None)


@dataclass(frozen=True)
class Fault:
    """What the bot does, and what is recorded.

    Attributes:
        error: words of the recorded error; None where the case is answered.
        requests: that came.
        open: whether the next call asks the case again.
    """

    name: str
    script: tuple[Turn, ...]
    error: str | None
    requests: int = 1
    open: bool = False
    reply: str = ""
    fields: dict[str, Any] = field(default_factory=dict)


LATER = {"Retry-After": "0"}
FAULTS = [
    Fault("500", (Turn(500, {"error": "index is locked"}),), 'answers 500: {"error": "index is locked"}'),
    Fault(
        "500 that repeats the credential",
        (Turn(500, f"no access for {SECRET}".encode()),),
        "no access for ***",
    ),
    Fault("404", (Turn(404, b""),), "answers 404"),
    Fault("401", (Turn(401, b"who are you?"),), "answers 401: who are you?"),
    Fault("503 once", (Turn(503, b"", LATER), Turn(200, GOOD)), None, 2),
    Fault(
        "429 always", (Turn(429, b"slow down", LATER),), "answers 429: slow down (3 tries)", TRIES, open=True
    ),
    Fault(
        "429, to wait for an hour", (Turn(429, b"", {"Retry-After": "3600"}),), "answers 429", 1, open=True
    ),
    Fault(
        "redirect",
        (Turn(307, b"", {"Location": "http://127.0.0.1:9/"}),),
        "a redirect, which is not followed",
    ),
    Fault("slow, within the limit", (Turn(200, GOOD, after_s=0.3),), None),
    Fault("hang", (Turn(ending="hang"),), "no whole reply within 1 s"),
    Fault("drip", (Turn(200, GOOD, ending="drip"),), "no whole reply within 1 s"),
    Fault("closed without a word", (Turn(ending="close"),), "the connection failed", TRIES, open=True),
    Fault("closed once", (Turn(ending="close"), Turn(200, GOOD)), None, 2),
    Fault("half a body", (Turn(200, GOOD, ending="half"),), "the connection failed", TRIES, open=True),
    Fault("invalid JSON", (Turn(200, b'{"answer": '),), "is not valid JSON"),
    Fault(
        "NaN", (Turn(200, b'{"answer": "x", "retrieved": [{"id": "d", "score": NaN}]}'),), "is not valid JSON"
    ),
    Fault(
        "HTML",
        (Turn(200, b"<html>", {"Content-Type": "text/html; charset=utf-8"}),),
        "announced as text/html",
    ),
    Fault("a list", (Turn(200, [GOOD]),), "must be a JSON object, found list"),
    Fault("empty", (Turn(200, b""),), "the reply is empty"),
    Fault("a byte order mark", (Turn(200, b"\xef\xbb\xbf" + json.dumps(GOOD).encode()),), None),
    Fault("UTF-16", (Turn(200, json.dumps(GOOD).encode("utf-16")),), "is not UTF-8"),
    Fault("half a surrogate", (Turn(200, b'{"answer": "\\ud800"}'),), "is not valid JSON"),
    Fault(
        "a number beyond all floats",
        (Turn(200, b'{"answer": "x", "usage": 1e999}'),),
        "must be a finite number",
    ),
    Fault(
        "a score of 400 digits",
        (Turn(200, b'{"retrieved": [{"id": "d", "score": ' + b"9" * 400 + b"}]}"),),
        "score must be a finite number",
    ),
    Fault(
        "a mapping that makes no number",
        (Turn(200, GOOD),),
        "cannot be recorded",
        reply="usage: \"to_number('nan')\"",
    ),
    Fault(
        "a mapping that makes no JSON value",
        (Turn(200, GOOD),),
        "cannot be recorded",
        reply="id: id, metadata: '{a: &b}'",
    ),
    Fault(
        "a projection that leaves out a result",
        (Turn(200, {"answer": "x", "hits": [{"id": "d1"}, {"key": "d2"}]}),),
        "in 1 of 2 entries",
        reply="retrieved: 'hits[].id'",
    ),
    Fault("too large", (Turn(200, b'"' + b"x" * 10_000_001 + b'"'),), "larger than 10,000,000 bytes"),
    Fault(
        "neither answer nor results",
        (Turn(200, {"text": "hm"}),),
        "neither an answer nor results (its keys: text)",
    ),
    Fault(
        "wrong mapping",
        (Turn(200, GOOD),),
        "reply.answer ('data.text') finds nothing",
        reply="answer: data.text",
    ),
    Fault(
        "a mapping that does not fit",
        (Turn(200, {"answer": 3}),),
        "does not fit the reply",
        reply="answer: length(answer)",
    ),
    Fault("results that are no list", (Turn(200, {"retrieved": "d1"}),), "must be a list in rank order"),
    Fault(
        "a score that is a text",
        (Turn(200, {"retrieved": [{"id": "d", "score": "0.5"}]}),),
        "score must be a finite number",
    ),
    Fault(
        "a result without an id",
        (Turn(200, GOOD),),
        "reply.id ('key') finds nothing in result 1",
        reply="id: key",
    ),
    Fault(
        "the bot says that it failed",
        (Turn(200, {"error": "no index", "answer": None}),),
        "the bot says: no index",
    ),
    Fault(
        "the credential in the answer",
        (Turn(200, {"answer": f"it is {SECRET}"}),),
        "holds the value of BOT_TOKEN",
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_over_http_has_its_record(fault: Fault, tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a question"})

    async def main() -> tuple[Recorded, ModelServer]:
        async with ModelServer(*fault.script) as server:
            target = f"""
            http:
              url: ${{BOT_URL}}
              headers: {{Authorization: 'Bearer ${{BOT_TOKEN}}'}}
            reply: {{{fault.reply}}}
            timeout_s: 1
            max_attempts: {TRIES}
            """
            started = time.monotonic()
            found = await record(tmp_path, target, {"BOT_URL": server.url, "BOT_TOKEN": SECRET})
            assert time.monotonic() - started < 10
            return found, server

    found, server = asyncio.run(main())
    row = rows(tmp_path / "run.jsonl")["q1"]
    assert len(server.requests) == fault.requests
    assert all(request.headers["authorization"] == f"Bearer {SECRET}" for request in server.requests)
    assert (found.open == {"q1"}) == fault.open
    if fault.error is None:
        assert row["answer"] == "fine"
    else:
        assert fault.error in row["error"]
        assert len(row["error"]) < 400
    everything = b"".join(path.read_bytes() for path in tmp_path.glob("run.*"))
    for secret in (SECRET, str(server.port)):
        assert secret.encode() not in everything


def test_a_refused_connection_is_left_to_the_next_call_which_may_ask_at_another_address(
    tmp_path: Path,
) -> None:
    golden(tmp_path, {"q1": "a", "q2": "b"})

    async def main() -> tuple[Recorded, Recorded]:
        async with ModelServer(Turn(200, GOOD)) as server:
            url = server.url
        target = "http: {url: '${BOT_URL}'}\nlatency: false"
        first = await record(tmp_path, target, {"BOT_URL": url})
        assert all("connection is refused (3 tries)" in error for _, error in first.errors)
        async with ModelServer(Turn(200, GOOD)) as server:
            return first, await record(tmp_path, target, {"BOT_URL": server.url})

    first, second = asyncio.run(main())
    assert first.open == {"q1", "q2"}
    assert second.errors == []
    assert not (tmp_path / "run.jsonl.journal").exists()


PROGRAM_FAULTS = {
    "crash": "the command ended with exit code 7 (it wrote: out of memory)",
    "half": "ended with exit code 0, in the middle of a line",
    "hang": "no whole reply within 1 s",
    "garbage": "is not valid JSON",
    "error": "the bot says: the index is locked",
    "nothing": "neither an answer nor results (its keys: text)",
}


@pytest.mark.parametrize("mode", ["session", "per_case"])
def test_faults_of_a_program_stay_with_their_case(mode: str, tmp_path: Path) -> None:
    golden(
        tmp_path, {**{f"{name}-1": f"please {name}" for name in PROGRAM_FAULTS}, "a": "well", "z": "well too"}
    )
    target = f"{program(mode)}\nconcurrency: 1\ntimeout_s: 1"
    found = asyncio.run(record(tmp_path, target, {"PATH": "/usr/bin:/bin"}))

    got = rows(tmp_path / "run.jsonl")
    assert found.open == set()
    assert (got["a"]["answer"], got["z"]["answer"]) == ("re: well", "re: well too")
    for name, words in PROGRAM_FAULTS.items():
        said = got[f"{name}-1"]["error"]
        if mode == "per_case" and name == "half":
            assert "is not valid JSON" in said
        else:
            assert words in said


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("python: {answer: 'bot:fails'}", "ValueError: no such document"),
        ("python: {retriever: 'bot:retrieve', generator: 'bot:fails'}", "TypeError"),
    ],
)
def test_what_a_python_bot_raises_stays_with_its_case(target: str, words: str, tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "bad", "q2": "good"})
    asyncio.run(record(tmp_path, target, {}))
    assert words in rows(tmp_path / "run.jsonl")["q1"]["error"]


ODD = """
import asyncio, sys


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no words")

    def model_dump(self):
        raise RuntimeError("no contents")


async def later_exit():
    sys.exit(0)


async def later_cancelled():
    raise asyncio.CancelledError
"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return object()", "no JSON value"),
        ("return {'answer': float('nan')}", "no JSON value"),
        ("return {'answer': '\\ud800'}", "no JSON value"),
        ("return {'answer': 3}", "answer must be text"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise StopIteration", "StopIteration"),
        ("raise Silent", "Silent"),
        ("return Silent()", "no JSON value (no contents)"),
        ("return later_exit()", "SystemExit: 0"),
        ("return later_cancelled()", "CancelledError"),
        ("import time; time.sleep(30)", "no whole reply within 0.5 s"),
    ],
)
def test_what_a_python_bot_returns_is_checked(body: str, words: str, tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a"})
    module = f"odd_{abs(hash(body))}"
    (tmp_path / f"{module}.py").write_text(f"{ODD}\n\ndef answer(question):\n    {body}\n", encoding="utf-8")
    started = time.monotonic()
    asyncio.run(record(tmp_path, f"python: {{answer: '{module}:answer'}}\ntimeout_s: 0.5", {}))
    assert time.monotonic() - started < 5
    assert words in rows(tmp_path / "run.jsonl")["q1"]["error"]


def test_a_bot_that_always_fails_is_not_asked_five_hundred_times(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{number:03}": "bad" for number in range(500)})
    found = asyncio.run(record(tmp_path, "python: {answer: 'bot:fails'}\nconcurrency: 4", {}))

    assert found.stopped == "the first 20 cases all failed"
    assert 20 <= len(found.rows) <= 24
    assert len(found.open) == 500 - len(found.rows)
    assert "not asked: the first 20 cases all failed" in rows(tmp_path / "run.jsonl")["q499"]["error"]


def test_the_deadline_leaves_the_rest_to_the_next_call(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{number:02}": "well" for number in range(20)})
    target = f"{program()}\nconcurrency: 1\ndeadline_s: 2\nlatency: false"
    environ = {"PATH": "/usr/bin:/bin", "BOT_S": "0.25"}
    first = asyncio.run(record(tmp_path, target, environ))

    assert first.stopped == "the deadline of 2 s has passed"
    assert 0 < len(first.rows) < 20
    assert "not asked: the deadline" in rows(tmp_path / "run.jsonl")["q19"]["error"]
    second = asyncio.run(record(tmp_path, target.replace("deadline_s: 2", "deadline_s: 60"), environ))
    assert second.before == len(first.rows)
    assert second.errors == []


def test_a_rate_limit_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int | None, int | None]] = []
    entered: list[int] = []

    class Limiter:
        def __init__(self, requests: int | None, tokens: int | None) -> None:
            seen.append((requests, tokens))

        async def enter(self, tokens: int) -> None:
            entered.append(tokens)

    monkeypatch.setattr(asking, "RateLimiter", Limiter)
    golden(tmp_path, {"q1": "a", "q2": "b"})
    asyncio.run(record(tmp_path, "python: {answer: 'bot:answer'}\nrequests_per_minute: 30", {}))
    assert seen == [(30, None)]
    assert entered == [0, 0]


def test_a_journal_that_cannot_be_written_ends_the_recording_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(journal: Journal, row: Mapping[str, Any]) -> None:
        del row
        raise InputError(f"{journal}: cannot be written (No space left on device)")

    golden(tmp_path, {f"q{number}": "a" for number in range(9)})
    monkeypatch.setattr(Journal, "append", full)
    with pytest.raises(InputError, match="No space left"):
        asyncio.run(record(tmp_path, "python: {answer: 'bot:answer'}", {}))
    assert not (tmp_path / "run.jsonl").exists()


def test_what_a_bot_says_about_its_stages_is_recorded_beside_the_whole(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a"})
    reply = {
        **GOOD,
        "timing": {"retrieval": 12.34, "generation": 80, "odd": "x"},
        "usage": {"total_tokens": 9},
    }

    async def main() -> None:
        async with ModelServer(Turn(200, reply)) as server:
            target = "http: {url: '${BOT_URL}'}\nreply: {latency_ms: timing}"
            await record(tmp_path, target, {"BOT_URL": server.url})

    asyncio.run(main())
    row = rows(tmp_path / "run.jsonl")["q1"]
    assert row["usage"] == {"total_tokens": 9}
    assert list(row["latency_ms"]) == ["retrieval", "generation", "total"]
    assert row["latency_ms"]["retrieval"] == 12.3


def test_parameters_of_the_address_stay_beside_those_of_the_question(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a&b=c 返品"})

    async def main() -> str:
        async with ModelServer(Turn(200, GOOD)) as server:
            target = "http: {url: '${BOT_URL}?version=2', method: GET, query: {q: '{question}'}}"
            await record(tmp_path, target, {"BOT_URL": server.url})
            return server.requests[0].target

    assert asyncio.run(main()) == "/v1?version=2&q=a%26b%3Dc+%E8%BF%94%E5%93%81"
