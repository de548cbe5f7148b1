"""NFKC folding that remembers where each character came from."""

import re
import unicodedata
from dataclasses import dataclass

from rag_gate.late import Late

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
# NFKC would turn these list markers into numbers.
_ENCLOSED = dict.fromkeys(range(0x2460, 0x24EA), 0x20) | dict.fromkeys(range(0x3200, 0x3248), 0x20)
_ONE_TO_ONE = {**_FULL_WIDTH, **_ENCLOSED}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
# Hyphens, dashes, minus signs and the long mark of kana, where they stand between digits: one sign.
_DASH = Late("(?<=[0-9])[\u2010-\u2015\u2212ー](?=[0-9])")
_MARKS = "[\u0300-\u036f\u3099\u309a\uff9e\uff9f]"
# A run of ASCII without the character that a mark belongs to, or one character with its marks.
_CLUSTER = Late(rf"[\x00-\x7f]{{2,}}(?!{_MARKS})|.{_MARKS}*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text with the way back to the original.

    Attributes:
        text: NFKC form with ASCII digits; enclosed numbers such as ① are blank, dashes between digits ``-``.
        starts: for each folded character, where its original begins; empty when nothing moved.
        ends: likewise, where its original ends.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original that the non-empty folded stretch came from."""
        if not self.starts:
            return start, end
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Fold a text to NFKC. A text whose length does not change keeps its positions."""
    if not unicodedata.is_normalized("NFKC", text):
        text = text.translate(_ONE_TO_ONE)
    if unicodedata.is_normalized("NFKC", text):
        return Folded(_DASH.sub("-", text), (), ())
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        start, end = cluster.span()
        if end - start > 1 and cluster[0].isascii():
            pieces.append(cluster[0])
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
            continue
        piece = _fold_cluster(cluster[0])
        pieces.append(piece)
        starts.extend([start] * len(piece))
        ends.extend([end] * len(piece))
    return Folded(_DASH.sub("-", "".join(pieces)), tuple(starts), tuple(ends))


def _fold_cluster(cluster: str) -> str:
    if cluster in _RAISED:
        return "^" + _RAISED[cluster]
    if cluster.isascii():
        return cluster
    return unicodedata.normalize("NFKC", cluster)
