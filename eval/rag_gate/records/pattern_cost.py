"""How much work a regular expression can make at most, told from its parts."""

import re
from collections.abc import Iterable

from rag_gate.records.pattern_parts import Part, followers, group_starts

#: How a user's pattern is compiled: letter case ignored; classes and word edges know ASCII
#: only, so that a word edge is also seen between a Latin word and Japanese.
FLAGS = re.IGNORECASE | re.ASCII

# Enough characters to see whether two classes meet; those of the pattern itself are added.
_PROBES = "".join(map(chr, range(128))) + "éあがアー々漢、「　🙂"


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
    ways, once, branches, open_branches = 1, 0, 1, [1]
    for index, part in enumerate(parts):
        if part.kind == "open":
            open_branches.append(1)
        elif part.kind == "or":
            open_branches[-1] += 1
        elif part.kind == "close":
            alternatives = open_branches.pop()
            branches *= 1 if _start_apart(parts, index, probes) else alternatives
        if not part.varies or index in free:
            continue
        if _is_separated(parts, index, probes):
            once += ways * part.ways
        else:
            ways *= part.ways
    return max(once, ways) * branches


def _is_separated(parts: list[Part], index: int, probes: str) -> bool:
    """Tell whether what can follow a repeat can never be taken for one more repetition."""
    if not parts[index].consumes:
        return False
    following = followers(parts, index)
    return following is not None and _are_disjoint(parts[index], following, probes)


def _start_apart(parts: list[Part], close: int, probes: str) -> bool:
    """Tell whether no two alternatives of a group can begin with the same character: one at most is tried."""
    starts = group_starts(parts, close)
    firsts = [parts[start] for start in starts if parts[start].consumes and parts[start].least > 0]
    return len(firsts) == len(starts) and all(
        _are_disjoint(first, firsts[:number], probes) for number, first in enumerate(firsts)
    )


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
