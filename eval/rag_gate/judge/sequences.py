"""Order and closeness of words: common subsequences, gaps, stretches. Pure functions of token lists."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

_STRETCH = 6


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    Bit-parallel (Hyyrö 2004): one addition of whole numbers with as many bits as ``first`` has tokens
    for each token of ``second``.
    """
    places: dict[str, int] = {}
    for at, token in enumerate(first):
        places[token] = places.get(token, 0) | (1 << at)
    every = (1 << len(first)) - 1
    rows = every
    for token in second:
        hits = rows & places.get(token, 0)
        rows = ((rows + hits) | (rows - hits)) & every
    return len(first) - rows.bit_count()


def longest_gap(keys: Sequence[str], held: Collection[str]) -> int:
    """Return the length of the longest run of keys that are not held."""
    runs = groupby(key in held for key in keys)
    return max((sum(1 for _ in run) for is_held, run in runs if not is_held), default=0)


def weakest_stretch(keys: Sequence[str], pieces: Iterable[Collection[str]]) -> float:
    """Return how well the least covered stretch of six neighbouring keys is covered, 0 to 1.

    A stretch is covered by the piece that holds most of it; keys fewer than six are one stretch.

    Args:
        keys: at least one.
        pieces: for each piece of evidence, the keys that it holds.
    """
    places: dict[str, int] = {}
    for at, key in enumerate(keys):
        places[key] = places.get(key, 0) | (1 << at)
    masks = {_mask(piece, places) for piece in pieces}
    ordered = sorted(((mask.bit_count(), mask) for mask in masks), reverse=True)
    width = min(_STRETCH, len(keys))
    window = (1 << width) - 1
    weakest = width
    for start in range(len(keys) - width + 1):
        best = 0
        for most, mask in ordered:
            if most <= best or best >= weakest:
                break
            best = max(best, ((mask >> start) & window).bit_count())
        weakest = min(weakest, best)
        if not weakest:
            break
    return weakest / width


def _mask(piece: Iterable[str], places: Mapping[str, int]) -> int:
    mask = 0
    for key in piece:
        mask |= places[key]
    return mask
