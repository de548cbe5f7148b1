"""One HTTP exchange: bounded in size, redirects not followed, errors without addresses."""

import logging
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

_LONGEST_CONNECT_S = 15.0
#: No compression: a small reply could unpack to a huge one.
_PLAIN = {"accept": "application/json", "accept-encoding": "identity"}


class ExchangeError(Exception):
    """There is no whole reply.

    Attributes:
        unsent: whether the request cannot have reached the service.
        too_large: whether the reply is larger than is read.
    """

    def __init__(self, message: str, *, unsent: bool = False, too_large: bool = False) -> None:
        super().__init__(message)
        self.unsent = unsent
        self.too_large = too_large


@dataclass(frozen=True, slots=True)
class Received:
    """A whole reply; its headers have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """What the body is announced as; empty where it is not."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def says_json(self) -> bool:
        """Whether the body is announced as JSON, or not announced at all."""
        kind = self.media_type
        return not kind or kind == "application/json" or kind.endswith("+json")


def open_client(headers: Mapping[str, str], connections: int, timeout_s: float) -> "httpx.AsyncClient":
    """Return a client that keeps connections; it belongs to one event loop.

    Args:
        headers: of every request.
        connections: at a time, at most.
        timeout_s: longest silence of the service.
    """
    import httpx

    for name in ("httpx", "httpcore"):  # they log addresses
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx.AsyncClient(
        headers={"user-agent": "rag-gate", **_PLAIN, **headers},
        timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, _LONGEST_CONNECT_S), pool=None),
        limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        follow_redirects=False,
    )


async def exchange(client: "httpx.AsyncClient", request: "httpx.Request", largest: int) -> Received:
    """Send a request and receive the whole reply.

    Args:
        client: as ``open_client`` returns it.
        request: as the client builds it.
        largest: bytes of a body that are read.

    Raises:
        ExchangeError: if there is no whole reply, or it is larger.
    """
    import httpx

    try:
        response = await client.send(request, stream=True)
        try:
            return Received(response.status_code, dict(response.headers), await _whole(response, largest))
        finally:
            await response.aclose()
    except (httpx.HTTPError, httpx.StreamError, OSError, ssl.SSLError) as error:
        unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError))
        raise ExchangeError(_what_failed(error), unsent=unsent) from None


async def _whole(response: "httpx.Response", largest: int) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > largest:
            raise ExchangeError(f"the reply is larger than {largest:,} bytes", too_large=True)
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
