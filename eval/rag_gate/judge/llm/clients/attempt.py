"""What one request to a model ends with: an answer, or an error that says what to do next."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from rag_gate.judge.llm.backend import Failure, Usage

#: After a failed request: ask again after a while; ask again at once in a simpler form; let whoever asks decide
#: about a text of the model that is no good; give this prompt up; give all prompts up, as they would fail alike.
Then = Literal["retry", "step_down", "bad_text", "stop", "stop_all"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of one usable reply.

    Attributes:
        usage: tokens; requests are counted where they are sent.
        served_model: what the service says it ran.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    served_model: str | None = None

    def named(self, quote: Callable[[str], str]) -> "Answer":
        """Return the answer with the model's name as it may be shown; one of which nothing is left is told too."""
        name = None if self.served_model is None else quote(self.served_model) or "(not printable)"
        return replace(self, served_model=name)


class AttemptError(Exception):
    """One request that brought no usable reply.

    Attributes:
        reason: what kind of failure it is, should it be the last one.
        then: what to do next.
        wait_s: how long the service asks to wait; None where it does not say.
        usage: tokens that the failed reply cost; by default the request is known to be free of charge.
    """

    def __init__(
        self,
        message: str,
        reason: Failure,
        *,
        then: Then = "retry",
        wait_s: float | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.then = then
        self.wait_s = wait_s
        self.usage = usage or Usage()
