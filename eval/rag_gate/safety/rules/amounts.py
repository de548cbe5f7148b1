"""Numbers in Japanese and English text, as far as limits need them."""

import re
import unicodedata
from collections.abc import Iterator

from rag_gate.detectors.readings import shown
from rag_gate.folding import fold

_DIGITS = {char: digit for digit, char in enumerate("〇一二三四五六七八九")}
_TENS = {"十": 10, "百": 100, "千": 1000}
_UNIT = "割|分|%|パーセント|円|日|回|個|年|月|時間|点|人|枚|件|倍|万|億"
_KANJI = re.compile(rf"(?<![0-9])[〇一二三四五六七八九十百千]{{1,9}}(?={_UNIT})")
_NUMBER = r"([0-9][0-9,]{0,20}(?:\.[0-9]{1,9})?)"
_LARGE = re.compile(rf"(?:{_NUMBER}億)?(?:{_NUMBER}万)?(?:{_NUMBER}千)?([0-9][0-9,]{{0,20}})?")
_RUN = re.compile(r"[0-9,.]{25,}|\s{3,}")
#: A line end beside Japanese stands for nothing.
_BREAK = re.compile(r"\s{0,2}\n\s{0,2}(?=[ぁ-んァ-ヺ一-鿿])|(?<=[ぁ-んァ-ヺ一-鿿])\s{0,2}\n\s{0,2}")
_TENTHS = re.compile(r"([0-9])\s?割\s?([0-9])\s?分")
_SHARES = (1e8, 1e4, 1e3, 1.0)
_PARTS = re.compile(r"\s?割(?:([0-9])分)?")


def numbers_of(pattern: re.Pattern[str], answer: str) -> Iterator[float]:
    """Yield the numbers that the first group of a pattern finds in an answer.

    ``三割`` and ``３割`` are 3 tenths: 30 where the pattern also takes per cent. ``3万5千円`` is 35000 where the
    pattern takes digits alone, and is read as written where it asks for ``万``.
    """
    # No amount has so many digits; long runs would only keep the pattern busy.
    readable = shown(fold(answer, case=False, verbatim=True)).text
    plain = _BREAK.sub("", _RUN.sub(" ", unicodedata.normalize("NFKC", readable)))
    written = _KANJI.sub(lambda found: str(_of_kanji(found.group())), plain)
    if in_percent := "%" in pattern.pattern or "パーセント" in pattern.pattern:
        written = _TENTHS.sub(lambda found: f"{10 * int(found[1]) + int(found[2])}%", written)
    expanded = _LARGE.sub(_expanded, written)
    for text in (expanded, written):
        found = list(_found(pattern, text, in_percent=in_percent))
        if found:
            yield from found
            return


def _found(pattern: re.Pattern[str], text: str, *, in_percent: bool) -> Iterator[float]:
    for match in pattern.finditer(text):
        value = _value(match[1] or "")
        if value is None:
            continue
        tenths = _PARTS.match(text, match.end(1)) if in_percent else None
        yield value * 10 + float(tenths[1] or 0) if tenths else value


def _value(digits: str) -> float | None:
    try:
        return float(re.sub(r"[,\s_]", "", digits))
    except ValueError:
        return None


def _of_kanji(text: str) -> int:
    total, digit = 0, 0
    if not set(text) & _TENS.keys():
        return int("".join(str(_DIGITS[char]) for char in text))
    for char in text:
        if char in _TENS:
            total, digit = total + (digit or 1) * _TENS[char], 0
        else:
            digit = _DIGITS[char]
    return total + digit


def _expanded(match: re.Match[str]) -> str:
    parts = [_value(part) if part else None for part in match.groups()]
    if all(part is None for part in parts[:3]):
        return match.group()
    total = sum(part * share for part, share in zip(parts, _SHARES, strict=True) if part is not None)
    return f"{total:.0f}" if total == int(total) else str(total)
