"""Fractions in folded text: 3分の2, 1/4, two thirds."""

import re
from math import gcd

from rag_gate.judge.forms import DIGITS, LETTERS, Form
from rag_gate.judge.numerals import amount
from rag_gate.late import Late

_NUMERALS = "0-9〇一二三四五六七八九十"
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_COUNT = Late(rf"(?<![a-z])({'|'.join(_COUNTS)})[ -]\Z")
_LOOK_BACK = 7
_MOST = 1000
UNIT = "fraction"


def _read(match: re.Match[str]) -> tuple[str, str] | None:
    """Return ``3/4`` in lowest terms; None where it is no share."""
    whole, count = int(amount(match["whole"])), int(amount(match["count"]))
    return _lowest(count, whole)


def _read_words(match: re.Match[str]) -> tuple[str, str] | None:
    before = _COUNT.search(match.string[max(0, match.start() - _LOOK_BACK) : match.start()].lower())
    return _lowest(_COUNTS[before[1]], _PARTS[match["part"]]) if before else None


def _lowest(count: int, whole: int) -> tuple[str, str] | None:
    if not 0 < count < whole <= _MOST:
        return None
    shared = gcd(count, whole)
    return f"{count // shared}/{whole // shared}", UNIT


SHARE_FORM = Form(
    "number",
    Late(rf"(?P<whole>[{_NUMERALS}]{{1,3}})分の(?P<count>[{_NUMERALS}]{{1,3}})"),
    _read,
    ("分の",),
    f"{DIGITS}.,",
)
# What may be a share, and stays what else it is.
UNSURE_SHARES = (
    Form(
        "number",
        Late(r"(?P<count>[0-9]{1,3})/(?P<whole>[0-9]{1,3})(?![0-9/])"),
        _read,
        ("9/9",),
        f"{DIGITS}/.,-",
    ),
    Form(
        "number",
        Late(rf"(?P<part>{'|'.join(_PARTS)})s?(?![a-z])"),
        _read_words,
        tuple(_PARTS),
        LETTERS,
    ),
)
