"""Text comparison that knows Japanese: pure functions on strings.

Two texts are the same for us when they differ only in Unicode width forms, letter case or
spacing that carries no meaning (spaces next to a Japanese or Chinese character).
"""

import re
import unicodedata

from rag_gate.late import Late

_CJK = (
    "\u2e80-\u2fdf\u3001-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_SPACE_BESIDE_CJK = Late(rf"(?<=[{_CJK}]) | (?=[{_CJK}])")
_HAS_CJK = Late(rf"[{_CJK}]")
_HAS_KANA = Late(r"[\u3041-\u309f\u30a1-\u30ff]")
_CLOSING = " .。．!！?？、,;；:：…"


def normalise(text: str) -> str:
    """Return the form in which texts are compared.

    NFKC, then casefold, then runs of white space become one space, and a space next to a CJK
    character (kana, ideograph, CJK or full-width punctuation) is removed.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = " ".join(unicodedata.normalize("NFKC", folded).split())
    if not _HAS_CJK.search(folded):
        return folded
    joined = _SPACE_BESIDE_CJK.sub("", folded)
    # The free-standing voiced sound mark is a space and a combining mark, which now joins its kana.
    return joined if joined == folded else unicodedata.normalize("NFKC", joined)


def is_japanese(text: str) -> bool:
    """Tell whether the text holds kana, or ideographs and no Latin letters to speak of."""
    if _HAS_KANA.search(text):
        return True
    return bool(_HAS_CJK.search(text)) and not re.search(r"[A-Za-z]{3}", text)


def has_cjk(text: str) -> bool:
    """Tell whether the text holds a kana, ideograph or CJK punctuation character."""
    return bool(_HAS_CJK.search(text))


def answers_match(actual: str, expected: str) -> bool:
    """Tell whether two answers are equal after normalisation and without closing punctuation.

    The simplest deterministic check: a paraphrase does not match (that is a judge's work).
    """
    left, right = normalise(actual), normalise(expected)
    return left == right or (left.strip(_CLOSING) or left) == (right.strip(_CLOSING) or right)


def find_whole(needle: str, haystack: str) -> int:
    """Return where ``needle`` stands in ``haystack`` as a whole, or -1. Both are normalised.

    At an end of the needle that is an ASCII letter or digit, the neighbouring character must not
    be one of the same kind: ``5日`` is not in ``15日`` and ``cat`` is not in ``concatenate``.

    Raises:
        ValueError: if the needle is empty; an empty text is never a match.
    """
    if not needle:
        raise ValueError("an empty text is contained nowhere")
    start = haystack.find(needle)
    while start != -1:
        end = start + len(needle)
        before = haystack[start - 1] if start else ""
        after = haystack[end] if end < len(haystack) else ""
        if not _same_kind(needle[0], before) and not _same_kind(needle[-1], after):
            return start
        start = haystack.find(needle, start + 1)
    return -1


def contains(needle: str, haystack: str) -> bool:
    """Tell whether ``needle`` stands in ``haystack`` as a whole (both normalised)."""
    return find_whole(needle, haystack) != -1


def quoted(value: object, limit: int = 120) -> str:
    """Return a value for a message: whole, or only how long it is.

    Never a part of it: what is masked in messages could not be recognised in a part.
    """
    shown = repr(value)
    return shown if len(shown) <= limit else f"{len(shown)} characters"


def _same_kind(edge: str, neighbour: str) -> bool:
    """Tell whether an edge of a needle and its neighbour are both digits, or both Latin letters.

    Only an ASCII edge counts. Other scripts stand right beside Latin words (``API는``, ``ใช้API``).
    """
    if not neighbour or not edge.isascii():
        return False
    if edge.isdigit():
        return neighbour.isdigit()
    return edge.isalpha() and unicodedata.name(neighbour, "").startswith("LATIN ")


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return ``1 case`` or ``2 cases``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
