"""What a model is to the judge: something that answers one prompt with text, or says why it cannot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from rag_gate.judge.engine import JudgeError

#: Why no usable reply came; stands beside the null score of the case.
Failure = Literal[
    "judge_unreachable",
    "judge_no_key",
    "judge_refused",
    "judge_rate_limited",
    "judge_deadline",
    "judge_truncated",
    "judge_bad_reply",
    "judge_over_budget",
    "judge_not_recorded",
]


class BackendError(JudgeError):
    """No usable reply to one prompt, after all retries.

    Attributes:
        reason: what kind of failure.
        fatal: the next prompt would fail alike (wrong key, unknown model), so no more is asked.
        bad_text: the model replied, and with anything but one JSON object; asked again it may do better.
        usage: what the failed replies cost.
    """

    def __init__(
        self,
        message: str,
        reason: Failure,
        *,
        fatal: bool = False,
        bad_text: bool = False,
        usage: "Usage | None" = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.fatal = fatal
        self.bad_text = bad_text
        self.usage = usage or Usage()


@dataclass(frozen=True, slots=True)
class Usage:
    """What requests cost.

    Attributes:
        requests: sent.
        prompt_tokens: as the service counted them.
        completion_tokens: as the service counted them.
        uncounted: requests that may have been charged for, and whose tokens the service did not tell.
    """

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.uncounted + other.uncounted,
        )


def _unlimited(uncounted: int) -> None:
    """Let every request be sent."""
    del uncounted


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to a model.

    Attributes:
        system: instructions.
        user: the fenced data, and the instructions once more.
        schema: JSON schema that the reply must follow.
        schema_name: ASCII letters, digits and ``_``; names the schema to the service.
        key: what identifies this prompt across runs, such as for recorded replies: it does not hold the nonce.
        admit: is called before each request with how many were sent for this prompt whose cost is not known; raises
            BackendError where no more may be sent.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    schema_name: str
    key: str
    admit: Callable[[int], None] = field(default=_unlimited, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply; a truncated one, or one that is not a JSON object, is a BackendError.

    Attributes:
        text: as received, one fence of markdown around it removed where the service needed the text form.
        usage: over all attempts at this prompt.
        served_model: what the service says it ran; None where it does not say.
    """

    text: str
    usage: Usage
    served_model: str | None = None


class Backend(Protocol):
    """A model service.

    Attributes:
        identity: everything about the service that can change a reply: provider, endpoint (a hash),
            model, request parameters. Part of the cache's key and of the fingerprint.
    """

    identity: Mapping[str, Any]

    async def complete(self, prompt: Prompt) -> Reply:
        """Ask one prompt.

        Rate limits, deadlines, and retries of what brought no reply are the backend's business; what the model
        replied is not, so at most one reply is paid for.

        Raises:
            BackendError: if no whole reply came.
        """
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...
