"""What every kind of bot looks like to the recorder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rag_gate.record.question import Question

#: Bytes of a reply that are read.
LARGEST_REPLY = 10_000_000


class TargetError(Exception):
    """The bot gave no usable reply; the message is for the record.

    Attributes:
        passing: the request never reached the bot, or broke off, or was told to come later: it may be tried again.
        wait_s: how long the bot asks to wait before that.
    """

    def __init__(self, message: str, *, passing: bool = False, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.passing = passing
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot's reply.

    Attributes:
        content: any JSON value.
        stages: milliseconds by stage, where they were measured apart.
    """

    content: Any
    stages: Mapping[str, float] = field(default_factory=dict)


class Target(Protocol):
    """A bot."""

    async def ask(self, question: Question) -> Answered:
        """Ask one question.

        Raises:
            TargetError: if there is no usable reply.
        """

    async def manifest(self) -> Mapping[str, Any]:
        """Return what the bot says about itself; empty where it says nothing.

        Raises:
            TargetError: if it should and does not.
        """

    async def aclose(self) -> None:
        """Give back what is held."""
