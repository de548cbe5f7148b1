"""Limits hold whatever the service does: requests in flight, the rate, the deadline, the end of an outage."""

import asyncio
import time

import pytest
from model_faults import error
from model_server import ModelServer, Turn
from model_user import ask, ask_all, backend_for, prompt, settings_for

from rag_gate.judge.llm.backend import BackendError, Reply
from rag_gate.judge.llm.clients import hope

pytestmark = pytest.mark.usefixtures("quick_backoff")

SOMETIMES_BUSY = [error(503) if n % 3 else Turn(after_s=0.01) for n in range(120)]


def reasons(outcomes: list[Reply | BackendError]) -> set[str]:
    return {outcome.reason if isinstance(outcome, BackendError) else "answered" for outcome in outcomes}


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_requests_in_flight_never_exceed_the_limit_retries_included(concurrency: int) -> None:
    async def main() -> None:
        async with ModelServer(*SOMETIMES_BUSY, Turn(after_s=0.01)) as server:
            settings = settings_for(server, concurrency=concurrency, max_attempts=50)
            async with backend_for(settings) as backend:
                outcomes = await ask_all(backend, 60)
            assert reasons(outcomes) == {"answered"}
            assert server.peak == concurrency
            assert len(server.requests) == sum(outcome.usage.requests for outcome in outcomes) > 60

    asyncio.run(main())


def test_a_prompt_that_waits_for_its_next_attempt_holds_no_slot() -> None:
    async def main() -> None:
        told_to_wait = [error(429, retry_after="1")] * 4
        async with ModelServer(*told_to_wait, Turn()) as server:
            async with backend_for(settings_for(server, concurrency=2)) as backend:
                waiting = [asyncio.create_task(ask(backend, prompt(f"w{n}"))) for n in range(4)]
                await server.arrived(4)
                start = time.monotonic()
                assert reasons(await ask_all(backend, 20)) == {"answered"}
                assert time.monotonic() - start < 0.9
                assert not any(task.done() for task in waiting)
                assert reasons(await asyncio.gather(*waiting)) == {"answered"}
            assert server.peak == 2

    asyncio.run(main())


def test_the_rate_of_requests_is_kept() -> None:
    async def main() -> None:
        async with ModelServer() as server:
            settings = settings_for(server, requests_per_minute=5, deadline_s=0.5)
            async with backend_for(settings) as backend:
                outcomes = await ask_all(backend, 8)
            assert len(server.requests) == 5
            assert [isinstance(o, BackendError) and o.reason for o in outcomes].count("judge_deadline") == 3

    asyncio.run(main())


OUTAGES = {
    "500": Turn(500),
    "hang": Turn(ending="hang"),
    "close": Turn(ending="close"),
    "drip": Turn(ending="drip"),
    "503 with Retry-After": error(503, retry_after="1"),
}


@pytest.mark.parametrize("outage", OUTAGES)
def test_a_total_outage_ends_for_all_prompts_within_the_deadline(outage: str) -> None:
    async def main() -> None:
        async with ModelServer(OUTAGES[outage]) as server:
            settings = settings_for(server, timeout_s=0.3, deadline_s=2, concurrency=8)
            async with backend_for(settings) as backend:
                start = time.monotonic()
                outcomes = await ask_all(backend, 50)
                took = time.monotonic() - start
            assert reasons(outcomes) <= {"judge_unreachable", "judge_deadline"}
            assert took < 2.5
            assert len(server.requests) == sum(o.usage.requests for o in outcomes)

    asyncio.run(main())


@pytest.mark.parametrize("outage", ["500", "hang"])
def test_an_outage_is_noticed_before_all_prompts_have_used_up_their_attempts(
    outage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hope, "_SECONDS_OF_AN_OUTAGE", 0.5)

    async def main() -> None:
        async with ModelServer(OUTAGES[outage]) as server:
            settings = settings_for(server, timeout_s=0.3, concurrency=8, max_attempts=100)
            async with backend_for(settings) as backend:
                start = time.monotonic()
                outcomes = await ask_all(backend, 50)
                assert time.monotonic() - start < 10
                assert reasons(outcomes) == {"judge_unreachable"}
                assert all(isinstance(o, BackendError) and o.fatal for o in outcomes)
                sent = len(server.requests)
                assert reasons([await ask(backend, prompt("later"))]) == {"judge_unreachable"}
                assert len(server.requests) == sent

    asyncio.run(main())


def test_a_service_that_restarts_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hope, "_SECONDS_OF_AN_OUTAGE", 0.2)

    async def main() -> None:
        away = [Turn(503, after_s=0.02)] * 9
        async with (
            ModelServer(*away, Turn(), *away, Turn()) as server,
            backend_for(settings_for(server, concurrency=1, max_attempts=20)) as backend,
        ):
            assert reasons([await ask(backend), await ask(backend)]) == {"answered"}

    asyncio.run(main())


def test_a_refused_connection_ends_50_prompts_long_before_the_deadline() -> None:
    async def main() -> None:
        async with ModelServer() as server:
            settings = settings_for(server, deadline_s=60)
        async with backend_for(settings) as backend:
            start = time.monotonic()
            outcomes = await ask_all(backend, 50)
            assert time.monotonic() - start < 10
        assert reasons(outcomes) == {"judge_unreachable"}

    asyncio.run(main())


def test_a_wrong_key_is_tried_once_by_each_of_those_in_flight() -> None:
    async def main() -> None:
        async with (
            ModelServer(error(401)) as server,
            backend_for(settings_for(server, concurrency=4)) as backend,
        ):
            assert reasons(await ask_all(backend, 50)) == {"judge_refused"}
            assert len(server.requests) == 4

    asyncio.run(main())


def test_bad_replies_in_a_row_are_no_outage() -> None:
    async def main() -> None:
        bad = [Turn(body=b"{")] * 20
        async with (
            ModelServer(*bad, Turn()) as server,
            backend_for(settings_for(server, max_attempts=2, concurrency=1)) as backend,
        ):
            outcomes = [await ask(backend, prompt(f"q{n}")) for n in range(11)]
        assert [isinstance(o, BackendError) for o in outcomes] == [True] * 10 + [False]

    asyncio.run(main())


def test_after_the_deadline_prompts_fail_at_once_and_keep_what_they_cost() -> None:
    async def main() -> None:
        async with ModelServer(Turn(), Turn(ending="hang")) as server:
            settings = settings_for(server, deadline_s=0.4, timeout_s=30)
            async with backend_for(settings) as backend:
                assert reasons([await ask(backend)]) == {"answered"}
                late = await ask(backend)
                assert isinstance(late, BackendError)
                assert (late.reason, late.fatal, late.usage.requests) == ("judge_deadline", True, 1)
                start = time.monotonic()
                assert reasons(await ask_all(backend, 50)) == {"judge_deadline"}
                assert time.monotonic() - start < 0.5
            assert len(server.requests) == 2

    asyncio.run(main())


def test_a_cancelled_prompt_gives_its_slot_back() -> None:
    async def main() -> None:
        async with (
            ModelServer(Turn(ending="hang"), Turn()) as server,
            backend_for(settings_for(server, concurrency=1)) as backend,
        ):
            task = asyncio.create_task(ask(backend))
            await server.arrived(1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert reasons([await ask(backend)]) == {"answered"}

    asyncio.run(main())
