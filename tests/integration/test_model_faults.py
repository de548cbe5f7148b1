"""A model service that misbehaves on loopback: each fault has its outcome, its number of requests and its end."""

import asyncio
import time

import pytest
from model_faults import ATTEMPTS, DEADLINE_S, FAULTS, PAID, TIMEOUT_S, Fault, date, error
from model_server import VERDICT, ModelServer, Turn
from model_user import KEY, ask, backend_for, prompt, settings_for

from rag_gate.judge.llm.backend import BackendError
from rag_gate.judge.llm.clients.settings import BackendSettings

pytestmark = pytest.mark.usefixtures("quick_backoff")


def short(server: ModelServer) -> BackendSettings:
    return settings_for(server, max_attempts=ATTEMPTS, timeout_s=TIMEOUT_S, deadline_s=DEADLINE_S)


def check_failure(failure: BackendError, fault: Fault, server: ModelServer) -> None:
    assert failure.reason == fault.outcome
    assert failure.fatal is fault.fatal
    message = str(failure)
    assert 0 < len(message) < 400
    assert "\n" not in message
    for secret in (KEY, "127.0.0.1", str(server.port)):
        assert secret not in message


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_its_outcome(fault: Fault) -> None:
    async def main() -> None:
        async with ModelServer(*fault.script) as server, backend_for(short(server)) as backend:
            start = time.monotonic()
            outcome = await ask(backend)
            took = time.monotonic() - start
            if isinstance(outcome, BackendError):
                check_failure(outcome, fault, server)
            else:
                assert (outcome.text, fault.outcome) == (VERDICT, "answered")
            assert len(server.requests) == outcome.usage.requests == fault.requests
            assert (outcome.usage.prompt_tokens, outcome.usage.completion_tokens) == fault.tokens
            assert fault.at_least_s <= took <= fault.at_most_s

    asyncio.run(main())


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.fatal], ids=lambda fault: fault.name)
def test_after_a_fatal_fault_no_other_prompt_is_sent(fault: Fault) -> None:
    async def main() -> None:
        async with ModelServer(*fault.script, Turn()) as server, backend_for(short(server)) as backend:
            await ask(backend)
            sent = len(server.requests)
            later = await ask(backend, prompt("q2"))
            assert isinstance(later, BackendError)
            assert (later.reason, later.fatal, later.usage.requests) == (fault.outcome, True, 0)
            assert len(server.requests) == sent

    asyncio.run(main())


def test_a_retry_after_that_is_a_date_is_waited_for() -> None:
    async def main() -> None:
        wait = error(429, retry_after=date(2))  # a date has whole seconds
        async with ModelServer(wait, Turn()) as server, backend_for(short(server)) as backend:
            start = time.monotonic()
            outcome = await ask(backend)
            assert 0.9 <= time.monotonic() - start <= 5
            assert not isinstance(outcome, BackendError)
            assert (outcome.usage.requests, outcome.usage.prompt_tokens) == (2, PAID[0])

    asyncio.run(main())


def test_a_refused_connection_is_retried_and_then_unreachable() -> None:
    async def main() -> None:
        async with ModelServer() as server:
            settings = short(server)
        async with backend_for(settings) as backend:
            outcome = await ask(backend)
        assert isinstance(outcome, BackendError)
        assert (outcome.reason, outcome.fatal, outcome.usage.requests) == (
            "judge_unreachable",
            False,
            ATTEMPTS,
        )
        assert "connection is refused" in str(outcome)

    asyncio.run(main())


def test_a_redirect_is_not_followed() -> None:
    async def main() -> None:
        async with ModelServer() as elsewhere:
            moved = Turn(308, b"", {"Location": f"{elsewhere.url}/chat/completions"})
            async with ModelServer(moved) as server, backend_for(short(server)) as backend:
                assert isinstance(await ask(backend), BackendError)
            assert elsewhere.requests == []

    asyncio.run(main())
