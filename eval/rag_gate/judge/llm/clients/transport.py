"""One HTTP request: bounded in size, redirects not followed, errors without addresses."""

import json
import logging
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag_gate.judge.llm.clients.attempt import AttemptError
from rag_gate.judge.llm.clients.endpoint import Endpoint

if TYPE_CHECKING:
    import httpx

#: Bytes; a judgment has some thousand.
_LARGEST_REPLY = 2_000_000
_LONGEST_CONNECT_S = 15.0


@dataclass(frozen=True, slots=True)
class Received:
    """A whole reply."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Posts JSON to one endpoint; connections are kept. Belongs to one event loop.

    Args:
        endpoint: where to.
        connections: at a time, at most.
        timeout_s: longest silence of the service.
    """

    def __init__(self, endpoint: Endpoint, connections: int, timeout_s: float) -> None:
        self._endpoint = endpoint
        self._connections = connections
        self._timeout_s = timeout_s
        self._client: httpx.AsyncClient | None = None

    async def post(self, body: Mapping[str, Any]) -> Received:
        """Send one request and receive the whole reply.

        Raises:
            AttemptError: if there is none, or it is too large.
        """
        import httpx

        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        try:
            async with self._opened().stream(
                "POST", self._endpoint.url.get_secret_value(), content=content
            ) as response:
                data = await self._whole(response)
                return Received(response.status_code, dict(response.headers), data)
        except (httpx.HTTPError, httpx.StreamError, OSError, ssl.SSLError) as error:
            raise AttemptError(_what_failed(error), "judge_unreachable") from None

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _opened(self) -> "httpx.AsyncClient":
        import httpx

        if self._client is None:
            for name in ("httpx", "httpcore"):  # they log addresses
                logging.getLogger(name).setLevel(logging.WARNING)
            keys = {name: value.get_secret_value() for name, value in self._endpoint.headers.items()}
            # No compression: a small reply could unpack to a huge one.
            plain = {
                "content-type": "application/json",
                "accept": "application/json",
                "accept-encoding": "identity",
            }
            self._client = httpx.AsyncClient(
                headers={"user-agent": "rag-gate", **plain, **keys},
                timeout=httpx.Timeout(
                    self._timeout_s, connect=min(self._timeout_s, _LONGEST_CONNECT_S), pool=None
                ),
                limits=httpx.Limits(
                    max_connections=self._connections, max_keepalive_connections=self._connections
                ),
                follow_redirects=False,
            )
        return self._client

    @staticmethod
    async def _whole(response: "httpx.Response") -> bytes:
        data = bytearray()
        async for chunk in response.aiter_bytes():
            data += chunk
            if len(data) > _LARGEST_REPLY:
                message = f"the reply is larger than {_LARGEST_REPLY:,} bytes"
                raise AttemptError(message, "judge_bad_reply", then="stop")
        return bytes(data)


def _what_failed(error: BaseException) -> str:
    """Return an error in our words: a library's own may hold the address."""
    kinds = [type(cause) for cause in _causes(error)]
    if any(issubclass(kind, ssl.SSLCertVerificationError) for kind in kinds):
        return "the service's certificate is not accepted"
    if any(issubclass(kind, socket.gaierror) for kind in kinds):
        return "the service's host name is not known"
    if any(issubclass(kind, ConnectionRefusedError) for kind in kinds):
        return "the connection is refused"
    return f"the connection failed ({kinds[0].__name__})"


def _causes(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__
