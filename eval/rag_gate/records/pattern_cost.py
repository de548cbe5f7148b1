"""How much work a regular expression can make at most, told from its parts."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

#: How a user's pattern is compiled: letter case ignored; classes and word edges know ASCII
#: only, so that a word edge is also seen between a Latin word and Japanese.
FLAGS = re.IGNORECASE | re.ASCII

_UNBOUNDED = 500
# Enough characters to see whether two classes meet; those of the pattern itself are added.
_PROBES = "".join(map(chr, range(128))) + "éあがアー々漢、「　🙂"


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


def cost(parts: list[Part], pattern: str) -> int:
    """Return the most work per start, where an open-ended repeat counts 500.

    Alternatives of the whole pattern add; inner alternatives and repeats that share text with what follows multiply. A repeat whose next
    character cannot belong to it has one way: it is read once for each way of those before it.
    Repeats just after a fixed character that they cannot take are free: over all starts they
    see no more than the text.
    """
    probes = _PROBES + pattern
    depth, total, begin = 0, 0, 0
    for index, part in enumerate(parts):
        depth += {"open": 1, "close": -1}.get(part.kind, 0)
        if part.kind == "or" and not depth:
            total += _branch_cost(parts[begin:index], probes)
            begin = index + 1
    return total + _branch_cost(parts[begin:], probes)


def _branch_cost(parts: list[Part], probes: str) -> int:
    free = _free(parts, probes)
    ways, most, branches, open_branches = 1, 1, 1, [1]
    for index, part in enumerate(parts):
        if part.kind == "open":
            open_branches.append(1)
        elif part.kind == "or":
            open_branches[-1] += 1
        elif part.kind == "close":
            branches *= open_branches.pop()
        if not part.varies or index in free:
            continue
        if _is_separated(parts, index, probes):
            most = max(most, ways * part.ways)
        else:
            ways *= part.ways
    return max(most, ways) * branches


def _is_separated(parts: list[Part], index: int, probes: str) -> bool:
    """Tell whether what must follow a repeat can never be taken for one more repetition."""
    if not parts[index].consumes:
        return False
    for following in parts[index + 1 :]:
        if following.passes and following.kind != "open":
            continue
        if not following.consumes or following.least == 0:
            return False
        return _are_disjoint(parts[index], [following], probes)
    return True


def _free(parts: list[Part], probes: str) -> set[int]:
    """Return the places of the first repeats, if a fixed character outside them stands before."""
    before: list[Part] = []
    other_branches: list[Part] = []
    chain: list[int] = []
    for index, part in enumerate(parts):
        if part.consumes and part.varies:
            if not before or not _are_disjoint(part, before, probes):
                break
            chain.append(index)
            before = [*before, part]
        elif (
            part.kind == "or" or (part.kind == "open" and other_branches) or not part.most == 1 == part.least
        ):
            if chain or not before or part.kind != "or":
                break
            other_branches, before = other_branches + before, []
        elif part.kind == "close":
            if not before:
                break
            before, other_branches = before + other_branches, []
        elif part.consumes:
            if chain:
                break
            before = [part]
    return set(chain)


def _are_disjoint(part: Part, others: Iterable[Part], probes: str) -> bool:
    own = re.compile(part.source, FLAGS)
    taken = [char for char in probes if own.fullmatch(char)]
    return not any(re.compile(other.source, FLAGS).fullmatch(char) for other in others for char in taken)
