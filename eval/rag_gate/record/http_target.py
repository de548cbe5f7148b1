"""A bot behind HTTP."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from rag_gate.calls.http import ExchangeError, Received, exchange, open_client
from rag_gate.calls.retry_after import retry_after
from rag_gate.config_target import CREDENTIAL, HttpTarget
from rag_gate.errors import ConfigError, InputError
from rag_gate.files import fingerprint, parse_json
from rag_gate.record.question import Question
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import LARGEST_REPLY, Answered, TargetError
from rag_gate.record.template import as_text, fill, places

if TYPE_CHECKING:
    import httpx

_OK = range(200, 300)
_REDIRECTS = range(300, 400)
#: Said by what stands before a bot, or by one that is too busy: not about this question.
_PASSING = frozenset({425, 429, 502, 503, 504})


class HttpBot:
    """Asks a bot behind HTTP; connections are kept.

    Args:
        config: address and form of the request.
        secrets: fills in environment variables.
        connections: at a time, at most.
        timeout_s: longest silence of the bot.

    Raises:
        ConfigError: if the address is none, or a variable is not set.
    """

    def __init__(self, config: HttpTarget, secrets: Secrets, connections: int, timeout_s: float) -> None:
        self._method = config.method
        self._secrets = secrets
        self._url = _address(config.url, "http.url", secrets)
        self._manifest_url = (
            _address(config.manifest_url, "http.manifest_url", secrets) if config.manifest_url else None
        )
        self._headers = {
            name: secrets.expand(text, f"http.headers.{name}", is_credential=bool(CREDENTIAL.search(name)))
            for name, text in config.headers.items()
        }
        self._query = secrets.expand_tree(dict(config.query), "http.query")
        self._body = secrets.expand_tree(config.body, "http.body") if config.method != "GET" else None
        self._limits = (connections, timeout_s)
        self._client: httpx.AsyncClient | None = None
        if "question" not in {*places(self._query), *places(self._body)}:
            raise ConfigError("target.http: neither query nor body holds {question}; say where it goes")

    @property
    def identity(self) -> str:
        """What stands for scheme, host, port and path; it tells nothing about them."""
        parts = urlsplit(self._url)
        return fingerprint([parts.scheme, parts.hostname, parts.port, parts.path])[:16]

    @property
    def takes_contexts(self) -> bool:
        """Whether the request says where recorded results go."""
        return "contexts" in {*places(self._query), *places(self._body)}

    async def ask(self, question: Question) -> Answered:
        """Ask one question.

        Raises:
            TargetError: if there is no usable reply.
        """
        fields = question.fields()
        client = self._ready()
        body = fill(self._body, fields)
        request = client.build_request(
            self._method,
            self._asked(fill(self._query, fields)),
            content=None if body is None else _json(body),
            headers={} if body is None else {"content-type": "application/json"},
        )
        return Answered(self._content(await self._received(client, request)))

    async def manifest(self) -> Mapping[str, Any]:
        """Return what the bot's own address says; empty where none is named.

        Raises:
            TargetError: if it says no table.
        """
        if self._manifest_url is None:
            return {}
        client = self._ready()
        found = self._content(await self._received(client, client.build_request("GET", self._manifest_url)))
        if not isinstance(found, dict):
            raise TargetError("http.manifest_url must return a JSON object")
        return found

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _asked(self, query: Mapping[str, Any]) -> "httpx.URL":
        """Return the address with further parameters; those it has stay."""
        import httpx

        url = httpx.URL(self._url)
        return (
            url.copy_merge_params({name: as_text(value) for name, value in query.items()}) if query else url
        )

    def _ready(self) -> "httpx.AsyncClient":
        if self._client is None:
            self._client = open_client(self._headers, *self._limits)
        return self._client

    async def _received(self, client: "httpx.AsyncClient", request: "httpx.Request") -> Received:
        try:
            return await exchange(client, request, LARGEST_REPLY)
        except ExchangeError as error:
            raise TargetError(str(error), passing=not error.too_large) from None

    def _content(self, received: Received) -> Any:  # noqa: ANN401 - any JSON value
        if received.status in _REDIRECTS:
            raise TargetError(
                f"the bot answers {received.status}, a redirect, which is not followed; url must be the final address"
            )
        if received.status not in _OK:
            said = self._secrets.quote(received.body[:4000].decode("utf-8", "replace"))
            raise TargetError(
                f"the bot answers {received.status}{f': {said}' if said else ''}",
                passing=received.status in _PASSING,
                wait_s=retry_after(received.headers),
            )
        if not received.says_json:
            kind = self._secrets.quote(received.media_type)
            raise TargetError(f"the reply is announced as {kind}, and must be application/json")
        try:
            return parse_json(received.body, "the reply")
        except InputError as error:
            raise TargetError(self._secrets.quote(error.problems[0].removesuffix("; fix the file"))) from None


def _json(body: Any) -> bytes:  # noqa: ANN401 - any JSON value
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _address(text: str, key: str, secrets: Secrets) -> str:
    """Return an address with its variables filled in; what it is made of is hidden in messages."""
    url = secrets.expand(text, key)
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        usable, parts = False, urlsplit("")
    if not usable or not url.isprintable() or " " in url or parts.fragment:
        raise ConfigError(
            f"target.{key}: must be an address like https://host/path (it is not shown: a secret)"
        )
    if any(places(url)):
        raise ConfigError(f"target.{key}: a question does not go into the address; use query or body")
    secrets.hide(url, parts.netloc, parts.hostname or "", unquote(parts.username or ""))
    secrets.hide(unquote(parts.password or ""), *(value for _, value in parse_qsl(parts.query)))
    return url
