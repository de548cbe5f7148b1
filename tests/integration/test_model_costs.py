"""What a service may charge for and does not tell is not counted as free, and is bought within the limit only."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ROOT
from model_faults import NO_USAGE, error, html
from model_server import ModelServer, Turn
from model_user import backend_for, question, settings_for
from test_judge_command import MODEL, Judging, Running, judge, project, wait_until, written

from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import BackendError, Usage
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.models import ModelEntry, Price
from rag_gate.records.judging import ModelUse

pytestmark = pytest.mark.usefixtures("quick_backoff")

ENTRY = ModelEntry(prompt="v1", price=Price(input=1.0, output=10.0))
WORST = ENTRY.at_most(Usage(uncounted=1), question().most_tokens)
ATTEMPTS = 3
#: What one request ends with -> whether it may have been charged for without a word about tokens.
ENDINGS = {
    "a reply without tokens": (NO_USAGE, True),
    "no reply in time": (Turn(ending="hang"), True),
    "a reply that drips in": (Turn(ending="drip"), True),
    "a connection that closes": (Turn(ending="close"), True),
    "a body that is no JSON": (Turn(body=b"{"), True),
    "a web page": (html(), True),
    "a reply of more than 2 MB": (Turn(body=b" " * 3_000_000), True),
    "a gateway that waited in vain": (error(504), True),
    "a usable reply": (Turn(), False),
    "a wrong key": (error(401), False),
    "too many requests": (error(429), False),
    "no server": (error(500), False),
}


def spent_on(*script: Turn, max_cost_usd: float | None = None) -> tuple[ModelUse, int, str]:
    """Ask one prompt; return the account, the requests that came, and the reason of a failure."""

    async def main() -> tuple[ModelUse, int, str]:
        async with ModelServer(*script) as server:
            settings = settings_for(server, max_attempts=ATTEMPTS, timeout_s=0.3)
            async with backend_for(settings) as backend:
                budget = Budget(max_cost_usd=max_cost_usd)
                asked = ModelJudge("judge-1", ENTRY, backend, budget, None, lambda _, __: "")
                reason = ""
                try:
                    await asked.ask(question())
                except BackendError as failure:
                    reason = failure.reason
            used = asked.ledger.total()
            assert budget.spent.cost_usd == pytest.approx(used.at_most_usd)
            return used, len(server.requests), reason

    return asyncio.run(main())


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_request_whose_cost_is_not_told_is_counted_at_its_worst(ending: str) -> None:
    turn, unknown = ENDINGS[ending]
    used, requests, _ = spent_on(turn)
    assert used.requests == requests > 0
    assert used.uncounted == (requests if unknown else 0)
    assert (used.cost_usd is None) == unknown
    if unknown:
        assert used.at_most_usd == pytest.approx(requests * WORST)
    else:
        assert used.at_most_usd == used.cost_usd


@pytest.mark.parametrize("ending", [name for name, (_, unknown) in ENDINGS.items() if unknown])
@pytest.mark.parametrize("room", [1, 2])
def test_a_limit_of_costs_holds_for_repeats_too(ending: str, room: int) -> None:
    used, requests, reason = spent_on(ENDINGS[ending][0], max_cost_usd=(room + 0.5) * WORST)
    assert requests <= room
    assert used.at_most_usd is not None
    assert used.at_most_usd <= (room + 0.5) * WORST
    assert reason == "judge_over_budget" or requests < ATTEMPTS


def test_a_service_that_refuses_the_connection_has_charged_nothing() -> None:
    async def main() -> None:
        async with ModelServer() as server:
            settings = settings_for(server, max_attempts=ATTEMPTS)
        async with backend_for(settings) as backend:
            asked = ModelJudge("judge-1", ENTRY, backend, Budget(), None, lambda _, __: "")
            with pytest.raises(BackendError):
                await asked.ask(question())
        assert (asked.ledger.total().requests, asked.ledger.total().cost_usd) == (ATTEMPTS, 0)

    asyncio.run(main())


class Mute(Judging):
    """Judges, and tells no tokens."""

    async def _send(self, writer: asyncio.StreamWriter, turn: Turn, target: str) -> None:
        del turn
        reply = json.loads(json.dumps(NO_USAGE.body))
        reply["choices"][0]["message"]["content"] = self._verdict()
        await ModelServer._send(self, writer, Turn(body=reply), target)


def test_a_service_that_tells_no_tokens_is_stopped_by_the_limit_and_shown_as_not_known(
    tmp_path: Path,
) -> None:
    with Running(Mute()) as server:
        project(tmp_path, server, "  max_cost_usd: 0.6\n", answers=40)
        ended = judge(tmp_path)
        assert ended.code == 3
        assert "could not be judged within max_calls or max_cost_usd" in ended.err
        assert 0 < len(server.requests) < 15
    used = written(tmp_path)["judging"]["models"][MODEL]
    assert (used["cost_usd"], used["uncounted"]) == (None, used["calls"])
    assert 0.5 < used["at_most_usd"] <= 0.6


def test_an_interrupted_run_buys_nothing_more(tmp_path: Path) -> None:
    with Running(Judging(Turn(after_s=0.4))) as server:
        project(tmp_path, server, "  concurrency: 4\n", answers=100)
        command = [
            sys.executable,
            "-m",
            "rag_gate",
            "judge",
            "--config",
            "rag-gate.yml",
            "--output",
            "j.json",
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "eval")}
        started = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
        wait_until(lambda: len(server.requests) >= 8)
        sent = len(server.requests)
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=20)
        assert started.returncode == 130
        assert b"interrupted" in said
        assert len(server.requests) <= sent + 4  # a few may have left before the signal came
        bought = len(server.requests)
        assert judge(tmp_path).code == 0
        assert len(server.requests) == 101  # every reply that was bought is used
        assert bought < 20
