"""Where a service is and how it knows us. None of it is ever printed."""

import base64
import hashlib
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from pydantic import SecretStr

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.clients.settings import BackendSettings

_HOME = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
#: Where the key of a provider's own service usually is.
USUAL_VARIABLE = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_ANTHROPIC_VERSION = "2023-06-01"
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and its credentials.

    Attributes:
        url: what requests go to, with the query and without a user name.
        headers: of every request.
        identity: stands for scheme, host, port and path; tells nothing about them.
        key_variable: what to call the environment variable whose key is sent; None where none is.
        no_key: why no request can be sent, as the key is missing or cannot be one; None where one can.
        secrets: what no message may show.
    """

    url: SecretStr
    headers: Mapping[str, SecretStr]
    identity: str
    key_variable: str | None
    no_key: str | None
    secrets: tuple[SecretStr, ...]


def endpoint_of(settings: BackendSettings, environ: Mapping[str, str], path: str) -> Endpoint:
    """Return where requests of a wire format go.

    A missing key is no error yet: a run that finds all its verdicts in the cache sends none.

    Args:
        settings: of an ``openai`` or ``anthropic`` provider.
        environ: environment variables.
        path: of the requests, below the service's address.

    Raises:
        ConfigError: if the address is none, or does not say how the service knows us.
    """
    parts = _parts(settings.base_url or _HOME[settings.provider])
    variable = _key_variable(settings, environ, parts)
    key = environ.get(variable, "").strip() if variable else ""
    no_key = _problem_of(key, variable) if variable else None
    headers = _headers(settings.provider, parts, variable, "" if no_key else key)
    return Endpoint(
        url=SecretStr(_joined(parts, path)),
        headers={name: SecretStr(value) for name, value in headers.items()},
        identity=place_of(settings.provider, settings.base_url, path),
        key_variable=_called(variable) if variable else None,
        no_key=no_key,
        secrets=tuple(map(SecretStr, _secrets(parts, settings, headers, key))),
    )


def place_of(provider: str, base_url: str | None, path: str) -> str:
    """Return what stands for an address: a hash of scheme, host, port and path, which holds no secret.

    Args:
        provider: whose own address it is where none is given.
        base_url: the address.
        path: of the requests, below it.

    Raises:
        ConfigError: if the address is none.
    """
    parts = _parts(base_url or _HOME[provider])
    port = parts.port or _PORTS[parts.scheme]
    address = f"{parts.scheme}://{parts.hostname}:{port}{urlsplit(_joined(parts, path)).path}"
    return hashlib.sha256(address.encode()).hexdigest()[:16]


def _called(variable: str) -> str:
    """Name a variable; what does not look like the name of one is no name to be printed, but may be a key."""
    shown = variable if variable == variable.upper() else "that api_key_env names"
    return f"the environment variable {shown}"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in _PORTS and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
        parts = urlsplit("")
    if not usable or not url.isprintable() or " " in url or parts.fragment:
        raise ConfigError(
            "judge: base_url must be an address like https://host/path (it is not shown: a secret)"
        )
    return parts


def _joined(parts: SplitResult, path: str) -> str:
    host = parts.netloc.rpartition("@")[2]
    base = parts.path.rstrip("/")
    if base.endswith("/v1") and path.startswith("v1/"):
        path = path.removeprefix("v1/")
    return urlunsplit((parts.scheme, host, f"{base}/{path}", parts.query, ""))


def _key_variable(settings: BackendSettings, environ: Mapping[str, str], parts: SplitResult) -> str | None:
    """Return the variable to read, None where no key is to be sent."""
    if settings.api_key_env is not None:
        absent = not environ.get(settings.api_key_env, "").strip()
        return None if absent and (not settings.api_key_env or _is_loopback(parts)) else settings.api_key_env
    if settings.base_url is None:
        return USUAL_VARIABLE[settings.provider]
    if _is_loopback(parts) or parts.username:
        return None
    raise ConfigError(
        "judge: base_url is not the provider's own address, so its usual key is not sent there; name the"
        ' variable that holds the key in api_key_env, or set it to "" where none is needed'
    )


def _is_loopback(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _problem_of(key: str, variable: str) -> str | None:
    if not key:
        return f"{_called(variable)} is not set; it must hold the service's key"
    if not key.isascii() or not key.isprintable() or " " in key:
        return f"{_called(variable)} holds characters that no key has; set it to the key alone"
    return None


def _headers(provider: str, parts: SplitResult, variable: str | None, key: str) -> dict[str, str]:
    headers: dict[str, str] = {}
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    if provider == "anthropic":
        headers["anthropic-version"] = _ANTHROPIC_VERSION
        return headers | ({"x-api-key": key} if key else {})
    if variable and _is_azure(parts):
        return headers | ({"api-key": key} if key else {})
    if variable and parts.username is not None:
        raise ConfigError(
            "judge: base_url holds a user name and api_key_env names a key; keep one of the two"
        )
    return headers | ({"authorization": f"Bearer {key}"} if key else {})


def _is_azure(parts: SplitResult) -> bool:
    """Tell an Azure resource, which wants its key in a header of its own."""
    in_query = any(name == "api-version" for name, _ in parse_qsl(parts.query))
    return in_query or (parts.hostname or "").endswith((".azure.com", ".azure.us", ".azure.cn"))


def _secrets(
    parts: SplitResult, settings: BackendSettings, headers: Mapping[str, str], key: str
) -> list[str]:
    found = [key, *(value for name, value in headers.items() if name != "anthropic-version")]
    found += [value.partition(" ")[2] for value in headers.values()]
    if settings.base_url:  # the providers' own addresses are no secret
        found += [settings.base_url, parts.netloc, parts.hostname or "", parts.path, parts.query]
        found += [unquote(part or "") for part in (parts.username, parts.password)]
        found += [value for _, value in parse_qsl(parts.query)]
    return [value for value in found if value and value not in {"/", "/v1"}]
