"""Amounts with their units in folded text."""

import re
from dataclasses import dataclass, replace

from rag_gate.judge.counters import COUNTER, CURRENCIES, KANJI_COUNTER, unit_name
from rag_gate.judge.numerals import AMOUNT, ENGLISH_SCALES, ENGLISH_WORDS, KANJI_RUN, LONGEST, amount

_SCALE = "|".join(ENGLISH_SCALES)
_MONEY_SCALES = {"k": 10**3, "m": 10**6, "bn": 10**9, "b": 10**9}
_WORDS = "|".join(sorted(ENGLISH_WORDS, key=lambda word: (-len(word), word)))
WESTERN = re.compile(
    rf"""
    (?<![0-9])(?<![0-9][.,])
    (?:(?P<sign>(?<![^\s(:=,、は約])-(?=[0-9])|マイナス[ ]?|▲)|(?P<currency>US\$|[$¥€£]|(?<![A-Za-z])(?:USD|JPY|EUR|GBP))[ ]?)?
    (?P<amount>{AMOUNT})
    (?:[ ](?P<scale>{_SCALE})(?![A-Za-z])|(?(currency)(?P<short>bn|[kmb])(?![A-Za-z0-9])|(?!)))?
    (?:[ -]?余?(?P<unit>{COUNTER}))?
    """,
    re.IGNORECASE | re.VERBOSE,
)
KANJI = re.compile(
    rf"(?<![〇一二三四五六七八九十百千万億兆0-9数何幾])(?P<amount>{KANJI_RUN})[ ]?(?P<unit>{KANJI_COUNTER})",
    re.IGNORECASE,
)
ENGLISH = re.compile(
    rf"(?<![A-Za-z-])(?P<amount>{_WORDS})(?![A-Za-z])(?:[ ](?P<scale>{_SCALE})(?![A-Za-z]))?(?:[ -](?P<unit>{COUNTER}))?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"[ ]{0,3}(?:[~\u2010-\u2015ー-]|to|から|or|または|もしくは|か)[ ]{0,3}", re.IGNORECASE)
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


def western(match: re.Match[str]) -> Quantity:
    """Read a match of `WESTERN`."""
    currency, scale, short = match["currency"], match["scale"], match["short"]
    unit = CURRENCIES[currency.upper()] if currency else unit_name(match["unit"])
    factor = ENGLISH_SCALES[scale.lower()] if scale else _MONEY_SCALES[short.lower()] if short else 1
    sign = "-" if match["sign"] else ""
    return Quantity(match.start(), match.end(), match["amount"], factor, unit, sign=sign)


def kanji(match: re.Match[str]) -> Quantity | None:
    """Read a match of `KANJI`; None when it is an ordinary word (十分); 一つ, 一人, 二つ are not firm."""
    if match[0] in _IDIOMS:
        return None
    firm = match["amount"] != "一" and match["unit"] != "つ"
    return Quantity(match.start(), match.end(), match["amount"], 1, unit_name(match["unit"]), firm)


def english(match: re.Match[str]) -> Quantity:
    """Read a match of `ENGLISH`; a small number word without unit, or "one", is not firm."""
    word, unit = ENGLISH_WORDS[match["amount"].lower()], unit_name(match["unit"])
    factor = ENGLISH_SCALES[match["scale"].lower()] if match["scale"] else 1
    return Quantity(match.start(), match.end(), word, factor, unit, bool(unit) and word != "1")


def linked(found: list[Quantity], text: str) -> list[Quantity]:
    """Let the ends of ranges share their unit (3〜5日), and join hours with their minutes (1時間30分).

    ``found`` is in the order of the text.
    """
    result: list[Quantity] = []
    for item in found:
        last = result[-1] if result else None
        if last is None:
            result.append(item)
        elif (
            last.unit == "hour"
            and item.unit == "minute"
            and text[last.end : item.start].strip() in ("", "and")
        ):
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
