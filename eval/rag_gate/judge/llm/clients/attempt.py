"""What one request to a model ends with: an answer, or an error that says what to do next."""

from dataclasses import dataclass, field
from typing import Literal

from rag_gate.judge.llm.backend import Failure, Usage

#: After a failed request: ask again after a while; ask again at once in a simpler form; give this prompt up;
#: give all prompts up, as they would fail alike.
Then = Literal["retry", "step_down", "stop", "stop_all"]


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


class AttemptError(Exception):
    """One request that brought no usable reply.

    Attributes:
        reason: what kind of failure it is, should it be the last one.
        then: what to do next.
        wait_s: how long the service asks to wait; None where it does not say.
        usage: tokens that the failed reply cost.
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
