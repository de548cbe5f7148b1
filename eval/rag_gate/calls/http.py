"""One HTTP exchange: bounded in size, redirects not followed, errors without addresses."""

import logging
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_gate.errors import ConfigError

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


class Clients:
    """One client per request in work, each with one connection, so that hundreds of them cost no more than one each.

    A client that has many connections looks at all of them before each request.

    Args:
        headers: of every request.
        timeout_s: longest silence of the service.

    Raises:
        ConfigError: if the environment names a proxy or certificates that cannot be used.
    """

    def __init__(self, headers: Mapping[str, str], timeout_s: float) -> None:
        self._headers = headers
        self._timeout_s = timeout_s
        self._certificates = _certificates()
        self._free = [self._opened()]
        self._all = list(self._free)

    @contextmanager
    def one(self) -> Iterator["httpx.AsyncClient"]:
        """Lend a client; it belongs to the event loop of its first request."""
        if not self._free:
            self._free.append(self._opened())
            self._all.append(self._free[-1])
        client = self._free.pop()
        try:
            yield client
        finally:
            self._free.append(client)

    async def aclose(self) -> None:
        """Close all connections."""
        for client in self._all:
            await client.aclose()

    def _opened(self) -> "httpx.AsyncClient":
        return open_client(self._headers, 1, self._timeout_s, self._certificates)


def open_client(
    headers: Mapping[str, str], connections: int, timeout_s: float, certificates: ssl.SSLContext | None = None
) -> "httpx.AsyncClient":
    """Return a client that keeps connections; it belongs to one event loop.

    Args:
        headers: of every request.
        connections: at a time, at most.
        timeout_s: longest silence of the service.
        certificates: that are trusted; by default they are read, which takes a third of a second.

    Raises:
        ConfigError: if the environment names a proxy or certificates that cannot be used.
    """
    from http.cookiejar import DefaultCookiePolicy

    import httpx

    for name in ("httpx", "httpcore"):  # they log addresses
        logging.getLogger(name).setLevel(logging.WARNING)
    trusted = certificates or _certificates()
    try:
        client = httpx.AsyncClient(
            headers={"user-agent": "rag-gate", **_PLAIN, **headers},
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, _LONGEST_CONNECT_S), pool=None),
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            follow_redirects=False,
            verify=trusted,
        )
    except (httpx.InvalidURL, ImportError, ValueError) as error:
        raise ConfigError(
            f"the environment's proxy cannot be used ({type(error).__name__}); check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and "
            "NO_PROXY (a SOCKS proxy needs the package socksio)"
        ) from None
    # No request knows of an earlier one: a session that a cookie stands for would join them.
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
    return client


def _certificates() -> ssl.SSLContext:
    import httpx

    try:
        return httpx.create_ssl_context()
    except OSError as error:
        raise ConfigError(
            f"the environment's certificates cannot be read ({type(error).__name__}); check SSL_CERT_FILE and SSL_CERT_DIR"
        ) from None


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
