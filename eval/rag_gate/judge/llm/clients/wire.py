"""What distinguishes one wire format from another."""

from collections.abc import Mapping
from typing import Any, Protocol

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import Prompt
from rag_gate.judge.llm.clients.attempt import Answer

_OURS = frozenset(
    {
        "model",
        "messages",
        "system",
        "n",
        "stream",
        "stream_options",
        "response_format",
        "tools",
        "tool_choice",
        "functions",
        "function_call",
    }
)


class Wire(Protocol):
    """A wire format for one model.

    Attributes:
        path: of its requests.
        forms: ways to ask for JSON, the strictest first.
    """

    path: str
    forms: tuple[str, ...]

    def body(self, prompt: Prompt, form: str) -> dict[str, Any]:
        """Return the request."""
        ...

    def answer(self, reply: Mapping[str, Any], form: str) -> Answer:
        """Return what a reply says.

        Raises:
            AttemptError: if it is not usable.
        """
        ...


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request options, which may not say what the judge decides itself.

    Raises:
        ConfigError: naming the key.
    """
    for key in options:
        if key in _OURS:
            raise ConfigError(f"judge: request option '{key}' is set by the judge itself; remove it")
    return dict(options)
