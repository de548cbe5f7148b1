"""Texts as sets of character n-grams, and how alike two of them are."""

import re
from collections.abc import Set as AbstractSet

from rag_gate.text import has_cjk, normalise

#: Signs that make another question stay: C++ and C#, 5 % and 5 $, -5 and 5.
_OUTSIDE_WORDS = re.compile(r"(?:(?!(?<!\w)[-\u2212](?=\d))[^\w+#%$€£¥°<>=]|_)+")
_ENGLISH, _JAPANESE = 3, 2


def plain(text: str) -> str:
    """Return a text without width forms, letter case, spacing and punctuation."""
    return _OUTSIDE_WORDS.sub(" ", normalise(text)).strip()


def grams(text: str) -> frozenset[str]:
    """Return the n-grams of a plain text: 2 characters where it is Japanese or Chinese, otherwise 3.

    The ends count as blanks, so that words that begin alike are alike.
    """
    length = _JAPANESE if has_cjk(text) else _ENGLISH
    padded = f" {text} "
    return frozenset(padded[start : start + length] for start in range(max(1, len(padded) - length + 1)))


def likeness(left: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Return the share of common n-grams (Jaccard), from 0 to 1."""
    common = len(left & right)
    return common / (len(left) + len(right) - common) if common else 0.0
