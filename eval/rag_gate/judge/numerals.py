"""Reading amounts: digits, thousands separators, kanji numerals, chains such as 1億2000万."""

import re

from rag_gate.late import Late

SEPARATED = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
PLAIN = r"[0-9]+(?:\.[0-9]+)?"
DIGITS = rf"(?:{SEPARATED}|{PLAIN})"
AMOUNT = rf"{DIGITS}(?:[十百千万億兆]+(?:{DIGITS})?)*"
KANJI_RUN = "[〇一二三四五六七八九十百千万億兆]+"

_KANJI_DIGITS = {char: value for value, char in enumerate("〇一二三四五六七八九")}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "億": 10**8, "兆": 10**12}
_TOKEN = Late(r"[0-9]+(?:\.[0-9]+)?|.", re.DOTALL)
_DECIMALS = 12
_UNIT = 10**_DECIMALS
LONGEST = 24

ENGLISH_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}


def plain_number(digits: str) -> str:
    """Return the one form of a plain decimal: no separators, no useless zeros (``1,200.50`` -> ``1200.5``)."""
    whole, _, fraction = digits.replace(",", "").partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def amount(text: str, factor: int = 1) -> str:
    """Return the plain decimal that an amount stands for, times ``factor``.

    ``text`` matches `AMOUNT` or `KANJI_RUN`: ``1万2千`` -> ``12000``, ``150百万`` -> ``150000000``,
    ``二十五`` -> ``25``, ``二〇二四`` -> ``2024``. An amount too long to compute with (more than 24
    digits, or more than 12 decimals) is returned as its text.
    """
    if factor == 1 and text[0] != "0" and text.isascii() and text.isdigit():
        return text
    text = text.replace(",", "")
    if _is_plain(text) and factor == 1:
        return plain_number(text)
    if len(text) > LONGEST or len(text.partition(".")[2]) > _DECIMALS:
        return text
    if all(char in _KANJI_DIGITS for char in text):
        text = "".join(str(_KANJI_DIGITS[char]) for char in text)
    scaled = _add_up(text) * factor
    whole, fraction = divmod(scaled, _UNIT)
    return plain_number(f"{whole}.{fraction:0{_DECIMALS}d}")


def _is_plain(text: str) -> bool:
    return text.isascii()


def _add_up(text: str) -> int:
    """Return the amount in units of 10^-12, so that ``1.5万`` stays exact."""
    total = section = 0
    number: int | None = None
    for token in _TOKEN.findall(text):
        if token in _SMALL:
            section += (_UNIT if number is None else number) * _SMALL[token]
            number = None
        elif token in _LARGE:
            section += number or 0
            total += (section or _UNIT) * _LARGE[token]
            section, number = 0, None
        elif token in _KANJI_DIGITS:
            number = _KANJI_DIGITS[token] * _UNIT
        else:
            whole, _, fraction = token.partition(".")
            number = int(whole) * _UNIT + int(fraction.ljust(_DECIMALS, "0"))
    return total + section + (number or 0)
