"""Words that say a number is rounded, and which exact numbers such a number can stand for."""

import re
from fractions import Fraction
from typing import Literal

from rag_gate.late import Late

Rounding = Literal["", "about", "over", "under"]

_BEFORE = Late(
    r"(?:(?P<about>約|およそ|ほぼ|概ね|おおむね|ざっと|(?<![a-z])(?:about|around|approximately|roughly|some|approx\.|circa))|"
    r"(?P<over>(?<![a-z])(?:over|more than|exceeding|upwards of))|"
    r"(?P<under>(?<![a-z])(?:nearly|almost|just under|close to|less than|under))) ?\Z",
    re.IGNORECASE,
)
_AFTER = Late(r" ?(?:(?P<about>程度|ほど|前後|くらい|ぐらい|弱|or so)|(?P<over>超|余り|強|あまり))")
_LOOK_BACK = 18
_DECIMAL = Late(r"[0-9]{1,24}(?:\.[0-9]{1,12})?\Z")
_NEAR = Fraction(1, 20)
_REACH = Fraction(1, 10)


def rounding_of(text: str, start: int, end: int) -> Rounding:
    """Return what is said about the number at ``start`` to ``end``: about, over, under, or nothing."""
    found = _BEFORE.search(text[max(0, start - _LOOK_BACK) : start]) or _AFTER.match(text, end)
    if found is None:
        return ""
    named = found.groupdict()
    return "about" if named["about"] else "over" if named["over"] else "under"


def may_stand_for(rounded: str, how: Rounding, exact: str) -> bool:
    """Tell whether a rounded number can be said of an exact one: about 1,200 of 1,187, over 181 of 181.4.

    The exact number must have more significant digits, so that 約10日 is never said of another round
    number such as 9日. ``about`` reaches 5 % to both sides, ``over`` and ``under`` 10 % to theirs.
    """
    if not how or not (_DECIMAL.match(rounded) and _DECIMAL.match(exact)):
        return False
    if _significant(exact) <= _significant(rounded):
        return False
    said, true = Fraction(rounded), Fraction(exact)
    if how == "about":
        return abs(true - said) <= _NEAR * said
    if how == "over":
        return said < true <= said * (1 + _REACH)
    return said * (1 - _REACH) <= true < said


def _significant(number: str) -> int:
    return len(number.replace(".", "").strip("0"))
