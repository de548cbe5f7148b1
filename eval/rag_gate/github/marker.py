"""The hidden first lines of the comment: whose gate it is, and which run wrote it."""

import re
from typing import NamedTuple

_STAMP = re.compile(
    r"<!-- rag-gate-run head=([0-9a-f]{40,64}|unknown) run=([0-9]{1,18}) attempt=([0-9]{1,9}) -->"
)
_MARKER = re.compile(r"<!-- rag-gate:([A-Za-z0-9._-]{1,40}) -->")


class Stamp(NamedTuple):
    """Which run wrote a comment.

    Attributes:
        head: the commit that was judged.
        run, attempt: of the workflow; a later run of the same commit has larger ones.
    """

    head: str
    run: int
    attempt: int

    def line(self) -> str:
        """Return the hidden line."""
        return f"<!-- rag-gate-run head={self.head} run={self.run} attempt={self.attempt} -->"

    def is_older_than(self, other: "Stamp | None", current_head: str | None) -> bool:
        """Tell whether a comment with the other stamp must not be written over.

        Args:
            other: of the comment that is there; None = it has none.
            current_head: the pull request's newest commit, None where it is not known.
        """
        if other is None:
            return False
        if self.head != other.head:
            return other.head == current_head
        return (self.run, self.attempt) < (other.run, other.attempt)


def marker_of(gate_id: str) -> str:
    """Return the first line of a gate's comment."""
    return f"<!-- rag-gate:{gate_id} -->"


def gate_of(text: str) -> str | None:
    """Return whose comment a text is, by its first line."""
    match = _MARKER.fullmatch(text.split("\n", 1)[0].strip())
    return match[1] if match else None


def stamp_of(text: str) -> Stamp | None:
    """Return which run wrote a comment; it stands in the second line and nowhere else."""
    lines = text.split("\n", 2)
    match = _STAMP.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    return Stamp(match[1], int(match[2]), int(match[3])) if match else None


def without_head(text: str) -> str:
    """Return a comment without marker and stamp, if it begins with them."""
    lines = text.split("\n")
    while lines and (_MARKER.fullmatch(lines[0].strip()) or _STAMP.fullmatch(lines[0].strip())):
        lines.pop(0)
    return "\n".join(lines)
