"""What can be said of one occurrence of a negative assertion."""

from typing import Literal, NamedTuple

Status = Literal["absent", "asserted", "negated", "uncertain"]
_CUE = 40


class Finding(NamedTuple):
    """A status, and the words or the rule that decided it (None: nothing speaks against the claim)."""

    status: Status
    cue: str | None


ASSERTED = Finding("asserted", None)


def negated(cue: str) -> Finding:
    """Return the finding that the statement is denied."""
    return Finding("negated", cue[:_CUE])


def uncertain(cue: str) -> Finding:
    """Return the finding that rules cannot tell."""
    return Finding("uncertain", cue[:_CUE])
