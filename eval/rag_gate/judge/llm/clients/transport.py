"""One request to a model behind HTTP."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rag_gate.calls.http import ExchangeError, Received, exchange, open_client
from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.clients.attempt import AttemptError
from rag_gate.judge.llm.clients.endpoint import Endpoint
from rag_gate.judge.llm.clients.reply_text import UNCOUNTED

if TYPE_CHECKING:
    import httpx

#: Bytes; a judgment has some thousand.
_LARGEST_REPLY = 2_000_000


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
        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        client = self.ready()
        request = client.build_request("POST", self._endpoint.url.get_secret_value(), content=content)
        try:
            return await exchange(client, request, _LARGEST_REPLY)
        except ExchangeError as error:
            if error.too_large:
                raise AttemptError(str(error), "judge_bad_reply", then="stop", usage=UNCOUNTED) from None
            usage = Usage() if error.unsent else UNCOUNTED
            raise AttemptError(str(error), "judge_unreachable", usage=usage) from None

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def ready(self) -> "httpx.AsyncClient":
        """Return the client, made on the first call: that takes time which no request's limit should count."""
        if self._client is None:
            keys = {name: value.get_secret_value() for name, value in self._endpoint.headers.items()}
            headers = {"content-type": "application/json", **keys}
            self._client = open_client(headers, self._connections, self._timeout_s)
        return self._client
