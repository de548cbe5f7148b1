"""The parts of a regular expression, and which of them can follow which."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_UNBOUNDED = 500


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pattern: a character class, a bracket, an alternative or an edge."""

    kind: str
    source: str
    least: int = 1
    most: float = 1
    possessive: bool = False

    @property
    def varies(self) -> bool:
        """Whether the part can take more or less of the text."""
        return self.least != self.most and not self.possessive

    @property
    def consumes(self) -> bool:
        """Whether the part stands for characters (and is not a bracket or an edge)."""
        return self.kind in ("set", "atom")

    @property
    def passes(self) -> bool:
        """Whether the part is a bracket or edge that is not itself repeated."""
        return self.kind in ("open", "close", "edge") and self.most == 1 == self.least

    @property
    def ways(self) -> int:
        """How many lengths a repeat can have."""
        return _UNBOUNDED if math.isinf(self.most) else int(self.most) - self.least + 1


def followers(parts: Sequence[Part], index: int) -> list[Part] | None:
    """Return the parts that can consume the next character after a part, None where that cannot be told.

    At the end of the pattern nothing follows: the match is complete.
    """
    found: list[Part] = []
    seen: set[int] = set()
    waiting = [index + 1]
    while waiting:
        place = waiting.pop()
        if place in seen or place == len(parts):
            continue
        seen.add(place)
        part = parts[place]
        if part.kind == "open" and part.source not in _PLAIN_GROUPS and not part.source.startswith("(?P"):
            return None  # a look-around asks about the text without consuming it
        if part.kind == "open":
            close = _close_of(parts, place)
            waiting += group_starts(parts, close)
            waiting += [close + 1] if parts[close].least == 0 else []
        elif part.kind in ("close", "or"):
            close = place if part.kind == "close" else _close_of(parts, place)
            waiting += [close + 1] if close < len(parts) else []
            if close < len(parts) and parts[close].most > 1:
                waiting += group_starts(parts, close)
        elif part.kind == "edge":
            waiting.append(place + 1)
        else:
            found.append(part)
            waiting += [place + 1] if part.least == 0 else []
    return found


def group_starts(parts: Sequence[Part], close: int) -> list[int]:
    """Return the places where the alternatives of a group begin, given the place of its closing bracket."""
    starts: list[int] = []
    depth = 0
    for place in range(close - 1, -1, -1):
        kind = parts[place].kind
        if kind == "close":
            depth += 1
        elif kind == "open":
            if not depth:
                return [*starts, place + 1]
            depth -= 1
        elif kind == "or" and not depth:
            starts.append(place + 1)
    return [*starts, 0]


def _close_of(parts: Sequence[Part], place: int) -> int:
    """Return the closing bracket of the group that a part opens or divides, or the pattern's end."""
    depth = 0
    for index in range(place + 1, len(parts)):
        kind = parts[index].kind
        if kind == "open":
            depth += 1
        elif kind == "close":
            if not depth:
                return index
            depth -= 1
    return len(parts)


_PLAIN_GROUPS = ("(", "(?:")
