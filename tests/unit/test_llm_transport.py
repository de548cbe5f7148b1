import asyncio
import socket
import ssl

import httpx
import pytest
from pydantic import SecretStr

from rag_gate.judge.llm.clients.attempt import AttemptError
from rag_gate.judge.llm.clients.endpoint import Endpoint
from rag_gate.judge.llm.clients.transport import Transport

ENDPOINT = Endpoint(SecretStr("https://judge.example/v1"), {}, "", None, ())


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (ssl.SSLCertVerificationError(1, "not valid for 'judge.example'"), "certificate is not accepted"),
        (socket.gaierror(-2, "judge.example is not known"), "host name is not known"),
        (ConnectionRefusedError(111, "judge.example"), "connection is refused"),
        (OSError(101, "no route to judge.example"), r"connection failed \(ConnectError\)"),
    ],
)
def test_a_failed_connection_is_told_in_our_words(
    cause: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> httpx.Response:
        raise httpx.ConnectError("judge.example") from cause

    async def main() -> None:
        transport = Transport(ENDPOINT, 1, 1)
        try:
            await transport.post({})
        finally:
            await transport.aclose()

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", fail)
    with pytest.raises(AttemptError, match=words) as caught:
        asyncio.run(main())
    assert "judge.example" not in str(caught.value)
    assert caught.value.reason == "judge_unreachable"
