"""Amounts with their units in folded text."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from rag_gate.judge.counters import COUNTER, CURRENCIES, KANJI_COUNTER, unit_name
from rag_gate.judge.numerals import DIGITS, ENGLISH_SCALES, ENGLISH_WORDS, KANJI_RUN, LONGEST, amount

_SCALE = "|".join(ENGLISH_SCALES)
# Lower-case patterns on a text with lower-case Latin letters compile five times faster than IGNORECASE.
_LOWER = str.maketrans({chr(code): chr(code).lower() for code in range(ord("A"), ord("Z") + 1)})
_MONEY_SCALES = {"k": 10**3, "m": 10**6, "bn": 10**9, "b": 10**9}
WESTERN = re.compile(
    rf"""
    (?P<amount>[0-9](?<![0-9].)(?<![0-9][.,].)
        (?:[0-9]{{0,2}}(?:,[0-9]{{3}})+(?![0-9])(?:\.[0-9]+)?|[0-9]*(?:\.[0-9]+)?)
        (?:[十百千万億兆]+(?:{DIGITS})?)*)
    (?:[ ](?P<scale>{_SCALE})(?![a-z]))?
    (?:[ -]?余?(?P<unit>{COUNTER.lower()}))?
    """,
    re.VERBOSE,
)
_BEFORE = re.compile(
    r"(?:(?P<sign>(?:\A|(?<=[\s(:=,、は約]))[-\u2212]|マイナス ?|▲)|"
    r"(?P<currency>US\$|[$¥€£]|(?<![A-Za-z])(?:USD|JPY|EUR|GBP)) ?)\Z",
    re.IGNORECASE,
)
_SHORT_SCALE = re.compile(r"(bn|[kmb])(?![A-Za-z0-9])", re.IGNORECASE)
_LONGEST_BEFORE = 6
KANJI = re.compile(
    rf"(?<![〇一二三四五六七八九十百千万億兆0-9数何幾])(?P<amount>{KANJI_RUN}) ?(?P<unit>{KANJI_COUNTER})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[efnostzEFNOSTZ](?<![A-Za-z-].)[A-Za-z]{2,8}(?![A-Za-z])")


@lru_cache(maxsize=1)
def _after_word() -> re.Pattern[str]:
    return re.compile(rf"(?: (?P<scale>{_SCALE})(?![a-z]))?(?:[ -](?P<unit>{COUNTER.lower()}))?")


_RANGE = re.compile(
    r"[ ]{0,3}(?:[~〜\u2010-\u2015\u2212ー-]|to|から|or|または|もしくは|か)[ ]{0,3}", re.IGNORECASE
)
_LARGE = re.compile(r"[万億兆]+\Z")
_IDIOMS = frozenset(["十分", "万人"])
_MINUTES = {"hour": 60, "minute": 1}


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount with its unit, at a place of the folded text.

    Attributes:
        start: where it begins.
        end: where it ends.
        amount: as written, without unit.
        factor: what the amount is multiplied with.
        unit: the unit's name, or "".
        firm: False when it may be no quantity.
        extra: the minutes to add when it is an hour ("1時間30分").
    """

    start: int
    end: int
    amount: str
    factor: int
    unit: str
    firm: bool = True
    sign: str = ""
    extra: str = ""

    @property
    def canonical(self) -> tuple[str, str]:
        """The number and its unit; hours become minutes, 割 per cent."""
        factor, unit = self.factor, self.unit
        if unit == "wari":
            factor, unit = factor * 10, "percent"
        elif unit in _MINUTES:
            factor, unit = factor * _MINUTES[unit], "minute"
        number = amount(self.amount, factor)
        if self.extra:
            number = _sum(number, amount(self.extra))
        return self.sign + number, unit

    @property
    def parts(self) -> tuple[str, ...]:
        """The plain numbers that it is written with."""
        return tuple(amount(text) for text in (self.amount, self.extra) if text)


def _sum(first: str, second: str) -> str:
    """Add whole numbers; a fraction or an endless amount stays as it is."""
    if first.isdigit() and second.isdigit() and max(len(first), len(second)) <= LONGEST:
        return str(int(first) + int(second))
    return f"{first}+{second}"


def western_quantities(text: str) -> list[Quantity]:
    """Return the amounts that are written with digits."""
    return [_western(match, text) for match in WESTERN.finditer(text.translate(_LOWER))]


def _western(match: re.Match[str], text: str) -> Quantity:
    start, end = match.span()
    factor = ENGLISH_SCALES[match["scale"].lower()] if match["scale"] else 1
    unit, sign = unit_name(match["unit"]), ""
    before = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    if before:
        start -= len(before[0])
        sign = "-" if before["sign"] else ""
    if before and before["currency"]:
        unit = CURRENCIES[before["currency"].upper()]
        short = _SHORT_SCALE.match(text, match.end("amount"))
        if short:
            factor, end = _MONEY_SCALES[short[1].lower()], short.end()
    return Quantity(start, end, match["amount"], factor, unit, sign=sign)


def kanji_quantities(text: str) -> list[Quantity]:
    """Return the kanji numerals with a counter; of these 一人, 一つ and 二つ are not firm."""
    if text.isascii():
        return []
    return [
        Quantity(
            match.start(),
            match.end(),
            match["amount"],
            1,
            unit_name(match["unit"]),
            firm=match["amount"] != "一" and match["unit"] != "つ",
        )
        for match in KANJI.finditer(text)
        if match[0] not in _IDIOMS
    ]


def english_quantities(text: str) -> list[Quantity]:
    """Return the number words; without a unit, and "one", they are not firm."""
    found: list[Quantity] = []
    lowered = text.translate(_LOWER)
    for word in _WORD.finditer(text):
        number = ENGLISH_WORDS.get(word[0].lower())
        after = _after_word().match(lowered, word.end()) if number else None
        if number and after:
            scale, unit = after["scale"], unit_name(after["unit"])
            factor = ENGLISH_SCALES[scale.lower()] if scale else 1
            firm = bool(unit) and number != "1"
            found.append(Quantity(word.start(), after.end(), number, factor, unit, firm))
    return found


def linked(found: list[Quantity], text: str) -> list[Quantity]:
    """Let the ends of ranges share their unit (3〜5日), and join hours with their minutes (1時間30分).

    ``found`` is in the order of the text.
    """
    result: list[Quantity] = []
    for item in found:
        last = result[-1] if result else None
        if last is None:
            result.append(item)
        elif (last.unit, item.unit, last.extra) == ("hour", "minute", "") and text[
            last.end : item.start
        ].strip() in ("", "and"):
            result[-1] = replace(last, end=item.end, extra=item.amount)
        elif _RANGE.fullmatch(text, last.end, item.start):
            result[-1:] = _range(last, item)
        else:
            result.append(item)
    return result


def _range(low: Quantity, high: Quantity) -> list[Quantity]:
    if low.unit and not high.unit:
        return [low, replace(high, unit=low.unit, factor=max(high.factor, 1))]
    if low.unit or not high.unit:
        return [low, high]
    multiplier = _LARGE.search(high.amount)
    shares = multiplier and low.amount.isascii() and low.factor == 1
    amount_text = low.amount + multiplier[0] if multiplier and shares else low.amount
    factor = high.factor if low.factor == 1 else low.factor
    return [replace(low, amount=amount_text, unit=high.unit, factor=factor, firm=low.firm or high.firm), high]
