"""`rag-gate judge` and `run` with a model behind a service on loopback."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_runner import ROOT, Ended, rag_gate
from model_server import ModelServer, Request, Turn, chat

MODEL = "gpt-4o-2024-11-20"
QUOTE = "Refunds take 5 business days."


class Requests(list[Request]):
    """Knows the last request of each connection."""

    def __init__(self) -> None:
        super().__init__()
        self._of: dict[object, Request] = {}

    def append(self, request: Request) -> None:
        super().append(request)
        self._of[asyncio.current_task()] = request

    def mine(self) -> Request:
        return self._of[asyncio.current_task()]


class Judging(ModelServer):
    """Judges every request honestly for one answer; a turn of the script that is no usable reply comes first."""

    def __init__(self, *script: Turn) -> None:
        super().__init__(*script)
        self.requests = self._known = Requests()

    async def _send(self, writer: asyncio.StreamWriter, turn: Turn, target: str) -> None:
        usable = turn.status == 200 and turn.body is None and turn.ending == "whole"
        if usable:
            turn = Turn(body=chat(self._verdict()) | {"model": self._served()})
        await super()._send(writer, turn, target)

    def _served(self) -> object:
        """Return the model that the service says it ran."""
        return self._known.mine().body["model"]

    def _verdict(self) -> str:
        body = self._known.mine().body
        schema = body["response_format"]["json_schema"]["schema"]["properties"]
        data = body["messages"][1]["content"]
        faithful = QUOTE in data and "90 days" not in data
        claim = {"text": "Refunds take 5 business days", "evidence": QUOTE, "document": 1, "supported": True}
        wrong = {"text": "within 90 days", "evidence": None, "document": None, "supported": False}
        whole: dict[str, Any] = {
            "nonce": schema["nonce"]["enum"][0],
            "claims": [claim if faithful else wrong],
            "relevance": {"missing": [], "superfluous": [], "addresses": True},
            "correctness": "correct" if faithful else "incorrect",
        }
        return json.dumps({key: whole[key] for key in schema})


class Running:
    """A server in a thread of its own, so that the command can be started as a user does."""

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.server.__aenter__(), self._loop).result(10)
        return self.server

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self.server.__aexit__(None, None, None), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with Running(Judging()) as server:
        yield server


def project(folder: Path, server: ModelServer, judge: str = "", answers: int = 4) -> None:
    golden = [
        {"question_id": f"q{n}", "question": "How long?", "expected_answer": QUOTE, "relevant_doc_ids": ["d"]}
        for n in range(answers)
    ]
    run = [
        {
            "question_id": f"q{n}",
            "retrieved": [{"id": "d", "text": QUOTE}],
            "answer": f"Case {n}: Refunds take 5 business days.",
        }
        for n in range(answers)
    ]
    for name, rows in (("golden.jsonl", golden), ("run.jsonl", run)):
        (folder / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "rag-gate.yml").write_text(
        f"dataset: golden.jsonl\nrun: run.jsonl\ntolerances: {{faithfulness: 0.02, correctness: 0.03}}\n"
        f"judge:\n  model: {MODEL}\n  base_url: {server.url}\n  cache: {{path: cache}}\n{judge}",
        encoding="utf-8",
    )


def judge(folder: Path, *options: str, env: dict[str, str] | None = None) -> Ended:
    command = ("judge", "--config", "rag-gate.yml", "--output", "judge.json", *options)
    return rag_gate(*command, cwd=folder, env=env)


def written(folder: Path, name: str = "judge.json") -> dict[str, Any]:
    document = json.loads((folder / name).read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def test_each_case_is_one_call_and_the_canary_another_and_a_second_run_asks_nothing(
    tmp_path: Path, server: ModelServer
) -> None:
    project(tmp_path, server)
    assert judge(tmp_path).code == 0
    assert len(server.requests) == 5
    found = written(tmp_path)
    assert found["metrics"]["faithfulness"]["mean"] == 1.0
    assert found["metrics"]["correctness"]["mean"] == 1.0
    assert found["judging"]["canary"] == "caught"
    assert found["judging"]["models"][MODEL]["calls"] == 5
    assert judge(tmp_path).code == 0
    assert len(server.requests) == 5
    again = written(tmp_path)
    assert again["judging"]["models"][MODEL]["cached"] == 5
    assert again["cases"] == found["cases"]
    assert again["evaluator"] == found["evaluator"]


def test_an_estimate_asks_nothing_and_writes_nothing(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server, "  cascade: {model: gpt-4o-mini-2024-07-18}\n")
    ended = judge(tmp_path, "--estimate")
    assert ended.code == 0, ended.err
    cheap, strong = json.loads(ended.out)
    assert cheap["tiers"]["core"]["calls"] == strong["tiers"]["core"]["calls"] == 4
    assert 0 < cheap["tiers"]["core"]["cost_usd"] < strong["tiers"]["core"]["cost_usd"]
    assert strong["at_most"]
    assert not cheap["at_most"]
    assert server.requests == []
    assert not (tmp_path / "judge.json").exists()


def test_a_capped_run_has_no_verdict_and_goes_on_from_the_cache(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server)
    ended = judge(tmp_path, "--max-calls", "3")
    assert ended.code == 3
    assert "max_calls" in ended.err
    assert len(server.requests) == 3
    assert judge(tmp_path).code == 0
    assert len(server.requests) == 5
    assert written(tmp_path)["metrics"]["faithfulness"]["n_scored"] == 4


def test_a_run_of_which_only_a_little_is_capped_does_not_pass(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server, "  max_calls: 40\n", answers=40)
    ended = rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path)
    assert ended.code == 3
    comment = (tmp_path / "eval_results/comment.md").read_text(encoding="utf-8").replace("\\", "")
    assert "could not be judged (the limit of 40 calls is reached)" in comment
    assert rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path).code == 0


class LosingCanary(Judging):
    """Is down for the canary."""

    async def _send(self, writer: asyncio.StreamWriter, turn: Turn, target: str) -> None:
        lost = "within 14 days of delivery" in self._known.mine().body["messages"][1]["content"]
        await super()._send(writer, Turn(status=503) if lost else turn, target)


def test_a_canary_that_an_outage_lost_is_worth_knowing(tmp_path: Path) -> None:
    with Running(LosingCanary()) as server:
        project(tmp_path, server, "  max_attempts: 1\n")
        ended = rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path)
    assert ended.code == 0, ended.err
    comment = (tmp_path / "eval_results/comment.md").read_text(encoding="utf-8").replace("\\", "")
    known = comment.split("**Worth knowing**")[1].split("<details>")[0]
    assert "the judge's canary, a wrong answer that asks to be passed, could not be judged" in known


def test_a_wrong_key_ends_the_stage_at_once_and_loses_no_verdict(tmp_path: Path) -> None:
    unauthorised = Turn(status=401, body={"error": {"message": "bad key"}})
    with Running(Judging(Turn(), Turn(), unauthorised)) as server:
        project(tmp_path, server, "  concurrency: 1\n")
        ended = judge(tmp_path)
        assert ended.code == 3
        assert "401" in ended.err
        assert len(server.requests) == 3
    found = written(tmp_path)
    assert found["metrics"]["faithfulness"]["n_scored"] == 2
    assert found["judging"]["canary"] == "unscored"
    assert found["metrics"]["faithfulness"]["reasons"] == {"judge_refused": 2}


def test_verdicts_from_the_cache_need_no_key_and_the_others_say_which_is_missing(
    tmp_path: Path, server: ModelServer
) -> None:
    project(tmp_path, server, "  api_key_env: JUDGE_KEY\n")
    settings = (tmp_path / "rag-gate.yml").read_text(encoding="utf-8")
    elsewhere = settings.replace(
        server.url, "http://judge.example/v1"
    )  # a service on this machine needs no key
    (tmp_path / "rag-gate.yml").write_text(elsewhere, encoding="utf-8")
    proxy = f"http://127.0.0.1:{server.port}"
    assert judge(tmp_path, env={"HTTP_PROXY": proxy, "NO_PROXY": "", "JUDGE_KEY": "sk-1"}).code == 0
    first = written(tmp_path)
    assert judge(tmp_path).code == 0
    assert written(tmp_path)["cases"] == first["cases"]
    estimated = judge(tmp_path, "--estimate")
    assert (estimated.code, json.loads(estimated.out)[0]["tiers"]["core"]["calls"]) == (0, 0)
    run = (tmp_path / "run.jsonl").read_text(encoding="utf-8")
    (tmp_path / "run.jsonl").write_text(run.replace("Case 2", "Edited"), encoding="utf-8")
    ended = judge(tmp_path)
    assert ended.code == 3
    assert "environment variable JUDGE_KEY is not set" in ended.err
    found = written(tmp_path)
    assert found["metrics"]["faithfulness"]["n_scored"] == 3
    assert found["cases"][2]["reasons"]["faithfulness"] == "judge_no_key"
    assert (found["judging"]["models"][MODEL]["calls"], len(server.requests)) == (0, 5)


OUTAGES = {
    "judge_unreachable": Turn(500),
    "judge_deadline": Turn(ending="hang"),
    "judge_refused": Turn(403, {"error": {"message": "no"}}),
    "judge_rate_limited": Turn(429, {"error": {"message": "slower"}}, {"Retry-After": "600"}),
}


@pytest.mark.parametrize("reason", OUTAGES)
def test_a_total_outage_ends_within_its_deadline_without_a_verdict(tmp_path: Path, reason: str) -> None:
    with Running(Judging(OUTAGES[reason])) as server:
        project(tmp_path, server, "  deadline_s: 2\n  max_attempts: 2\n", answers=20)
        begun = time.monotonic()
        ended = rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path)
        assert time.monotonic() - begun < 20  # seconds, most of them the start of a process
    assert ended.code == 3, ended.err
    found = written(tmp_path, "eval_results/judge.json")
    for metric in ("faithfulness", "relevance", "correctness"):
        assert found["metrics"][metric]["mean"] is None
        assert found["metrics"][metric]["reasons"] == {reason: 20}
    assert written(tmp_path, "eval_results/verdict.json")["overall"] == "error"


def test_another_model_parameter_or_endpoint_finds_nothing_of_the_others(
    tmp_path: Path, server: ModelServer
) -> None:
    project(tmp_path, server, "  models: models.yml\n")
    entry = "provider: openai, context_window: 60000, max_output: {}"
    (tmp_path / "models.yml").write_text(
        "schema_version: 1\nmodels:\n"
        f"  a-2026-01-01: {{{entry.format(900)}, prompt: v1}}\n  b-2026-01-01: {{{entry.format(900)}, prompt: v1}}\n"
        f"  {MODEL}: {{{entry.format(901)}, prompt: v1}}\n",
        encoding="utf-8",
    )
    settings = (tmp_path / "rag-gate.yml").read_text(encoding="utf-8")
    for number, (old, new) in enumerate(
        ((MODEL, "a-2026-01-01"), (MODEL, "b-2026-01-01"), (MODEL, MODEL), ("/v1", "/other/v1")), start=1
    ):
        (tmp_path / "rag-gate.yml").write_text(settings.replace(old, new), encoding="utf-8")
        for _ in range(2):  # the second time all is in the cache
            assert judge(tmp_path).code == 0
            assert len(server.requests) == 5 * number


def test_a_service_that_only_babbles_gives_no_verdict(tmp_path: Path) -> None:
    with Running(Judging(Turn(body=chat("I think it is fine.")))) as server:
        project(tmp_path, server, "  max_attempts: 2\n", answers=2)
        ended = judge(tmp_path)
    assert ended.code == 3
    assert "a model was asked about 2 cases, and none got a whole verdict" in ended.err
    assert written(tmp_path)["metrics"]["correctness"]["reasons"] == {"judge_bad_reply": 2}


class Gullible(Judging):
    """Passes everything, quoting what is really there."""

    def _verdict(self) -> str:
        verdict = json.loads(super()._verdict())
        return json.dumps({**verdict, "correctness": "correct"})


def test_a_judge_that_can_be_talked_into_anything_has_no_verdict(tmp_path: Path) -> None:
    with Running(Gullible()) as server:
        project(tmp_path, server)
        assert judge(tmp_path).code == 3
        ended = rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path)
    assert ended.code == 3
    comment = (tmp_path / "eval_results/comment.md").read_text(encoding="utf-8")
    assert "judge_compromised" in comment.replace("\\", "")
    assert written(tmp_path, "eval_results/verdict.json")["overall"] == "error"


def test_the_comment_shows_model_prompts_calls_cost_and_cascade(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server, "  cascade: {model: gpt-4o-mini-2024-07-18}\n")
    assert rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path).code == 0
    comment = (tmp_path / "eval_results/comment.md").read_text(encoding="utf-8").replace("\\", "")
    assert "Judge: gpt-4o-mini-2024-07-18 (prompts v1), then gpt-4o-2024-11-20 (prompts v1)" in comment
    assert "6 calls, 0 from the cache; 0.0002 USD; 0 of 4 cases judged again by the stronger model" in comment


def test_another_judge_than_the_baselines_is_named_and_not_compared(
    tmp_path: Path, server: ModelServer
) -> None:
    project(tmp_path, server)
    assert rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path).code == 0
    promoted = rag_gate(
        "promote", "eval_results/results.json", "--config", "rag-gate.yml", "--baseline", "baseline.json",
        "--reason", "first", cwd=tmp_path,
    )  # fmt: skip
    assert promoted.code == 0, promoted.err
    settings = (tmp_path / "rag-gate.yml").read_text(encoding="utf-8")
    other = settings.replace(MODEL, "gpt-4.1-2025-04-14") + "baseline: baseline.json\n"
    (tmp_path / "rag-gate.yml").write_text(other, encoding="utf-8")
    ended = rag_gate("run", "--config", "rag-gate.yml", cwd=tmp_path)
    assert ended.code == 3
    assert "model: gpt-4o-2024-11-20 -> gpt-4.1-2025-04-14" in ended.err


def test_recorded_replies_are_judged_again_without_a_service(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server, "  recording: replies.jsonl\n")
    assert judge(tmp_path, "--no-cache").code == 0
    found = written(tmp_path)
    settings = (tmp_path / "rag-gate.yml").read_text(encoding="utf-8")
    replayed = settings.replace(f"  base_url: {server.url}\n", "  provider: replay\n")
    (tmp_path / "rag-gate.yml").write_text(replayed, encoding="utf-8")
    assert judge(tmp_path).code == 0
    assert len(server.requests) == 5
    assert written(tmp_path)["metrics"] == found["metrics"]


def test_a_cached_run_imports_no_http_library(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server)
    assert judge(tmp_path).code == 0
    traced = rag_gate(
        "judge", "--config", "rag-gate.yml", "--output", "judge.json", cwd=tmp_path,
        env={"PYTHONPROFILEIMPORTTIME": "1"},
    )  # fmt: skip
    assert traced.code == 0
    assert "rag_gate.judge.llm.engine" in traced.err
    assert "httpx" not in traced.err
    assert "datasets" not in traced.err


def test_an_unmapped_model_is_refused_by_the_script(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server)
    ended = judge(tmp_path, "--judge-model", "gpt-4o")
    assert ended.code == 2
    assert "the line:   gpt-4o: {provider: openai, prompt: v1, pinned: true" in ended.err


@pytest.mark.parametrize(
    ("judge_settings", "entry"),
    [
        ("cache: {ttl_days: 1.0e+300}", ""),
        ("cache: {max_mb: .inf}", ""),
        ("deadline_s: 1.0e+300", ""),
        ("canary: 0", ""),
        ("max_cost_usd: true", ""),
        ("api_key_env: sk-live-0123", ""),
        ("engine: ragas\n  ragas: {python: /nonexist/python}", ""),
        ("ragas: {metrics: [x]}", ""),
        ("models: models.yml", "options: {temperature: .nan}"),
        ("models: models.yml", "options: {d: 2026-01-01}"),
        ("models: models.yml", "options: {max_tokens: 100000}"),
        ("models: models.yml", "context_window: 100"),
    ],
)
def test_a_wrong_setting_is_one_line_and_exit_2(
    tmp_path: Path, server: ModelServer, judge_settings: str, entry: str
) -> None:
    project(tmp_path, server, f"  {judge_settings}\n")
    if entry:
        (tmp_path / "models.yml").write_text(
            f"schema_version: 1\nmodels: {{{MODEL}: {{prompt: v1, {entry}}}}}\n", encoding="utf-8"
        )
    ended = judge(tmp_path)
    assert ended.code == 2, ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert "sk-live" not in ended.err
    assert server.requests == []


def test_a_killed_run_keeps_what_it_paid_for(tmp_path: Path) -> None:
    with Running(Judging(*[Turn()] * 3, Turn(ending="hang"), Turn())) as server:
        project(tmp_path, server, "  concurrency: 1\n")
        command = [
            sys.executable,
            "-m",
            "rag_gate",
            "judge",
            "--config",
            "rag-gate.yml",
            "--output",
            "judge.json",
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "eval")}
        started = subprocess.Popen(command, cwd=tmp_path, env=environment)
        wait_until(lambda: len(server.requests) == 4)
        started.kill()
        started.wait(10)
        assert not (tmp_path / "judge.json").exists()
        assert judge(tmp_path).code == 0
        assert len(server.requests) == 4 + 2
    assert written(tmp_path)["judging"]["models"][MODEL]["cached"] == 3


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_two_runs_at_once_share_a_cache(tmp_path: Path, server: ModelServer) -> None:
    project(tmp_path, server, answers=12)
    command = [sys.executable, "-m", "rag_gate", "judge", "--config", "rag-gate.yml", "--output"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "eval")}
    both = [subprocess.Popen([*command, f"{n}.json"], cwd=tmp_path, env=environment) for n in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    first, second = (written(tmp_path, f"{n}.json") for n in range(2))
    assert first["metrics"] == second["metrics"]
    assert 13 <= len(server.requests) <= 26


def test_ragas_that_is_not_installed_is_one_line_that_says_what_to_install(
    tmp_path: Path, server: ModelServer
) -> None:
    project(tmp_path, server)
    ended = judge(tmp_path, "--engine", "ragas")
    assert ended.code == 2
    assert ended.err.strip().splitlines()[-1].endswith('pip install "rag-gate[ragas]"')
