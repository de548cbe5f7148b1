from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rag_gate.errors import ConfigError

Provider = Literal["openai", "anthropic", "command", "replay"]

_AT_LEAST_ONE = (
    "max_output_tokens",
    "concurrency",
    "requests_per_minute",
    "tokens_per_minute",
    "max_attempts",
)


@dataclass(frozen=True, slots=True)
class BackendSettings:
    """How one model is asked.

    Attributes:
        provider: ``openai`` and ``anthropic`` name a wire format, which many services speak; ``command`` runs
            a program for each prompt; ``replay`` reads recorded replies.
        model: as the service calls it.
        base_url: where the service is; None for the provider's own. Treated as a secret.
        api_key_env: name of the environment variable that holds the key; None for the provider's usual one,
            which is sent to the provider's own address only; empty for a service without keys.
        request_options: further fields of each request, as the model map says (temperature, seed). The key
            ``max_completion_tokens`` or ``max_tokens`` names the field of the token limit; its value is sent, or
            ``max_output_tokens`` where it is null.
        max_output_tokens: a longer reply is truncated, which is an error.
        concurrency: requests in flight at a time, at most.
        requests_per_minute: in any 60 seconds, at most; None for no limit.
        tokens_per_minute: estimated before a request, counted by the service after it; None for no limit.
        timeout_s: limit of one request, from connecting to the reply's last byte.
        deadline_s: limit of everything, from the first request.
        max_attempts: requests for one prompt, at most.
        command: program and arguments of a ``command``; no shell is involved.
        recording: file of a ``replay``.
    """

    provider: Provider
    model: str
    base_url: str | None = field(default=None, repr=False)
    api_key_env: str | None = None
    request_options: Mapping[str, Any] = field(default_factory=dict)
    max_output_tokens: int = 2048
    concurrency: int = 16
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout_s: float = 60
    deadline_s: float = 600
    max_attempts: int = 4
    command: tuple[str, ...] = field(default=(), repr=False)
    recording: Path | None = None

    def __post_init__(self) -> None:
        """Refuse limits that let nothing through."""
        for name in _AT_LEAST_ONE:
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"judge: {name} must be at least 1 (found {value})")
        for name in ("timeout_s", "deadline_s"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"judge: {name} must be above 0 (found {getattr(self, name)})")
