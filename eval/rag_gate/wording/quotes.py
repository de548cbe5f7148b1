"""Which stretches of a line stand inside quotes or brackets."""

import re

from rag_gate.late import Late

_CLOSER_OF = {
    "[": "]",
    "「": "」",
    "『": "』",
    "（": "）",
    "(": ")",
    "“": "”",
    "【": "】",
    "〈": "〉",
    "《": "》",
}
_OPENER_OF = {closer: opener for opener, closer in _CLOSER_OF.items()}
CLOSERS = frozenset([*_OPENER_OF, '"', "］", "'", "’", "*"])
_MARK = Late("[" + re.escape("".join([*_CLOSER_OF, *_OPENER_OF, '"'])) + "]")


def quoted_ranges(line: str) -> list[tuple[int, int]]:
    """Return the (opener, closer) positions of the outermost pairs, in order.

    A quote without its partner is an ordinary character, so it cannot swallow the rest.
    """
    if not _MARK.search(line):
        return []
    waiting: dict[str, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    for mark in _MARK.finditer(line):
        position, char = mark.start(), mark[0]
        if char in _CLOSER_OF:
            waiting.setdefault(char, []).append(position)
        elif char in _OPENER_OF:
            openers = waiting.get(_OPENER_OF[char])
            if openers:
                pairs.append((openers.pop(), position))
        else:
            openers = waiting.setdefault(char, [])
            if openers:
                pairs.append((openers.pop(), position))
            else:
                openers.append(position)
    return _outermost(pairs)


def _outermost(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(pairs):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
