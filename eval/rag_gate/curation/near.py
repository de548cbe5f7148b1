"""Pairs of texts that are alike, without comparing each with each.

Two sets whose Jaccard likeness is at least t share one of the rarest few members of each (prefix filtering, Chaudhuri,
Ganti and Kaushik, 2006; Xiao et al., PPJoin, 2008). So only texts that share a rare n-gram are compared, those that share
most of them first, and a limited number of them: a set of thousands of questions from one template stays affordable.
A text that is like an earlier one is not compared with later ones: a group of copies is reported against its first.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rag_gate.curation.grams import grams, likeness

#: Comparisons a text may cost. True copies share most of their rare n-grams, and so are among the first.
_MOST_COMPARED = 16
#: Earlier texts with a common n-gram that are looked at, from the rarest n-gram on.
_MOST_FOUND = 250


class Pair(NamedTuple):
    """A text, the first text that it is like, and how much (Jaccard of their n-grams)."""

    name: str
    first: str
    likeness: float


def near_pairs(texts: Mapping[str, str], least: float) -> Iterator[Pair]:
    """Yield each text that is like an earlier one; one pair a text, in the order of the mapping.

    Args:
        texts: plain texts (see :func:`rag_gate.curation.grams.plain`) by name.
        least: the least likeness, above 0 and at most 1.
    """
    sets = {name: grams(text) for name, text in texts.items()}
    frequency = Counter(gram for each in sets.values() for gram in each)
    index: dict[str, list[str]] = defaultdict(list)
    for name, own in sets.items():
        rarest = sorted(own, key=lambda gram: (frequency[gram], gram))
        prefix = rarest[: len(own) - math.ceil(least * len(own)) + 1]
        found = _first_like(name, own, prefix, (sets, index), least)
        if found is not None:
            yield found
            continue
        for gram in prefix:
            index[gram].append(name)


def _first_like(
    name: str,
    own: frozenset[str],
    prefix: list[str],
    known: tuple[Mapping[str, frozenset[str]], Mapping[str, list[str]]],
    least: float,
) -> Pair | None:
    """Return the most alike of the earlier texts that share a rare n-gram, None if none is alike enough."""
    sets, index = known
    found: list[str] = []
    for gram in prefix:
        found += index.get(gram, ())[:_MOST_FOUND]
        if len(found) >= _MOST_FOUND:
            break
    best: Pair | None = None
    for other, _ in Counter(found).most_common(_MOST_COMPARED):
        size = len(sets[other])
        if least * len(own) <= size <= len(own) / least:
            alike = likeness(own, sets[other])
            if alike >= least and (best is None or alike > best.likeness):
                best = Pair(name, other, alike)
    return best
