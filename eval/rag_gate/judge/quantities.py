"""Amounts with their units in folded text."""

import re
from dataclasses import dataclass, replace

from rag_gate.judge.counters import COUNTERS, CURRENCIES, KANJI_COUNTERS, ORDERED, Unit
from rag_gate.judge.numerals import DIGITS, ENGLISH_SCALES, KANJI_RUN, LONGEST, amount
from rag_gate.late import Late

_SCALE = "|".join(ENGLISH_SCALES)
# Lower-case patterns on a text with lower-case Latin letters compile five times faster than IGNORECASE.
_LOWER = str.maketrans({chr(code): chr(code).lower() for code in range(ord("A"), ord("Z") + 1)})
_MONEY_SCALES = {"k": 10**3, "m": 10**6, "bn": 10**9, "b": 10**9}
WESTERN = Late(
    rf"""
    (?P<amount>[0-9](?<![0-9].)(?<![0-9][.,].)
        (?:[0-9]{{0,2}}(?:,[0-9]{{3}})+(?![0-9])(?:\.[0-9]+)?|[0-9]*(?:\.[0-9]+)?)
        (?:[十百千万億兆]+(?:{DIGITS})?)*)
    (?:[ ](?P<scale>{_SCALE})(?![a-z]))?
    """,
    re.VERBOSE,
)
_BEFORE = Late(
    r"(?:(?P<sign>(?:\A|(?<=[\s(:=,、は約が]))[-\u2212]|マイナス ?|(?<![a-z])minus |氷点下|[▲△])|"
    r"(?P<currency>US\$|[$¥€£]|(?<![A-Za-z])(?:USD|JPY|EUR|GBP)) ?)\Z",
    re.IGNORECASE,
)
_SCALED = Late(r"[kKM](?![A-Za-z0-9])")
_BEFORE_CURRENCY = Late(r"(?:[$¥€£]|USD|JPY|EUR|GBP) ?\Z", re.IGNORECASE)
_SHORT_SCALE = Late(r"(bn|[kmb])(?![A-Za-z0-9])", re.IGNORECASE)
_LONGEST_BEFORE = 6
_SPACES = frozenset(" -")
KANJI = Late(f"(?<![〇一二三四五六七八九十百千万億兆0-9数何幾]){KANJI_RUN}")
NUMBERED = Late(f"第(?P<amount>{KANJI_RUN})")
_POINT = Late(r"(?:\A|[^\w.])\.\Z")
_RANGE = Late(r"[ ]{0,3}(?:[~〜\u2010-\u2015\u2212ー-]|to|から|or|または|もしくは|か)[ ]{0,3}", re.IGNORECASE)
_LARGE = Late(r"[万億兆]+\Z")
_IDIOMS = frozenset(["十分", "万人"])
# unit -> the unit that it is counted in, and how many of those make one.
_BASES = {
    "hour": ("second", 3600),
    "minute": ("second", 60),
    "week": ("day", 7),
    "year": ("month", 12),
    "km": ("mm", 10**6),
    "m": ("mm", 1000),
    "cm": ("mm", 10),
    "ton": ("mg", 10**9),
    "kg": ("mg", 10**6),
    "g": ("mg", 1000),
    "L": ("mL", 1000),
    "kW": ("W", 1000),
    "Gbps": ("Mbps", 1000),
    "GHz": ("MHz", 1000),
    "wari": ("percent", 10),
}
_SMALLER = {"hour": "minute", "minute": "second", "year": "month"}
_HALVES = {"hour": 1800, "year": 6}
_HALVED = frozenset(["month", "week", "day", "fold", "century"])


def lowered(text: str) -> str:
    """Return the text with its ASCII letters in lower case; no position moves."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_LOWER)


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
        sign: "-" for a negative amount.
        more: what a smaller unit adds ("1時間30分"), in the unit that `canonical` counts in.
        added: the amounts of the smaller units, as written.
    """

    start: int
    end: int
    amount: str
    factor: int
    unit: str
    firm: bool = True
    sign: str = ""
    more: int = 0
    added: tuple[str, ...] = ()

    @property
    def canonical(self) -> tuple[str, str]:
        """The number and its unit, in the smallest unit of its kind: hours in seconds, 割 in per cent."""
        unit, times = _BASES.get(self.unit, (self.unit, 1))
        number = amount(self.amount, self.factor * times)
        if self.more:
            number = str(int(number) + self.more) if _is_short(number) else f"{number}+{self.more}"
        return self.sign + number, unit

    @property
    def parts(self) -> tuple[str, ...]:
        """The plain numbers that it is written with."""
        return tuple(self.sign + amount(text) for text in (self.amount, *self.added))


def _is_short(number: str) -> bool:
    return number.isdigit() and len(number) <= LONGEST


def western_quantities(text: str) -> list[Quantity]:
    """Return the amounts that are written with digits; what 5k and 1.2M stand for, beside them."""
    found: list[Quantity] = []
    lower = lowered(text)
    match = WESTERN.search(lower)
    while match is not None:
        unit = _unit_after(lower, match.end())
        scaled = _SCALED.match(text, match.end("amount"))
        if scaled and not _BEFORE_CURRENCY.search(
            text[max(0, match.start() - _LONGEST_BEFORE) : match.start()]
        ):
            span = match.start(), scaled.end()
            found.append(Quantity(*span, match["amount"], _MONEY_SCALES[scaled[0].lower()], ""))
            if scaled[0] == "M":  # may be metres
                found[-1] = replace(found[-1], firm=False)
        else:
            found.append(_western(match, unit, text))
        match = WESTERN.search(lower, unit.end)
    return found


def _unit_after(lower: str, end: int) -> Unit:
    """Return the unit after an amount, behind a space, a hyphen or 余; one without name where there is none."""
    place = end + (lower[end : end + 1] in _SPACES)
    place += lower.startswith("余", place)
    return COUNTERS.at(lower, place) or Unit("", end)


def _western(match: re.Match[str], after: Unit, text: str) -> Quantity:
    start, end = match.start(), after.end
    written = match["amount"]
    factor = ENGLISH_SCALES[match["scale"].lower()] if match["scale"] else 1
    unit, sign = after.name, ""
    if "." not in written and _POINT.search(text[max(0, start - 2) : start]):
        start, written = start - 1, f"0.{written}"
    before = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    if before:
        start -= len(before[0])
        sign = "-" if before["sign"] else ""
    if before and before["currency"]:
        unit = CURRENCIES[before["currency"].upper()]
        short = _SHORT_SCALE.match(text, match.end("amount"))
        if short:
            factor, end = _MONEY_SCALES[short[1].lower()], short.end()
    more = _HALVES.get(unit, 0) if text[end : end + 1] == "半" else 0
    halved = unit in _HALVED and text[end : end + 1] == "半" and written.isdigit()
    if halved:
        written += ".5"
    return Quantity(start, end + (bool(more) or halved), written, factor, unit, sign=sign, more=more)


def kanji_quantities(text: str) -> list[Quantity]:
    """Return the kanji numerals with a counter; of these 一人, 一つ and 二つ are not firm."""
    if text.isascii():
        return []
    counted = [found for match in KANJI.finditer(text) if (found := _counted(match, text)) is not None]
    numbered = [found for match in NUMBERED.finditer(text) if (found := _numbered(match, text)) is not None]
    taken = {item.start for item in numbered}
    return numbered + [item for item in counted if item.start not in taken]


def _counted(match: re.Match[str], text: str) -> Quantity | None:
    unit = KANJI_COUNTERS.at(text, match.end() + text.startswith(" ", match.end()))
    if unit is None or text[match.start() : unit.end] in _IDIOMS:
        return None
    firm = match[0] != "一" and text[unit.end - 1] != "つ"
    return Quantity(match.start(), unit.end, match[0], 1, unit.name, firm=firm)


def _numbered(match: re.Match[str], text: str) -> Quantity | None:
    """Read 第三条; the 四 of 第一四半期 belongs to the unit."""
    start, stop = match.span("amount")
    for end in range(stop, start, -1):
        unit = ORDERED.at(text, end)
        if unit is not None:
            return Quantity(start, unit.end, text[start:end], 1, unit.name)
    return None


def linked(found: list[Quantity], text: str) -> list[Quantity]:
    """Let the ends of ranges share their unit (3〜5日), and join what one amount is written with (1時間30分).

    ``found`` is in the order of the text.
    """
    result: list[Quantity] = []
    for item in found:
        last = result[-1] if result else None
        if last is not None and _continues(last, item, text):
            number = int(item.amount) if last.unit == "wari" else int(item.canonical[0])
            added = (*last.added, item.amount)
            result[-1] = replace(last, end=item.end, more=last.more + number, added=added)
        elif last is not None and _RANGE.fullmatch(text, last.end, item.start):
            result[-1:] = _range(last, item)
        else:
            result.append(item)
    return result


def _continues(last: Quantity, item: Quantity, text: str) -> bool:
    """Tell whether the amount goes on in a smaller unit: hours, minutes, seconds; years, months."""
    smaller = _SMALLER.get(last.unit if not last.added else _SMALLER.get(last.unit, ""), "")
    if last.unit == "wari" and item.unit == "minute":  # 1割5分: the 分 are hundredths
        return text[last.end : item.start] == "" and item.amount.isdigit() and not last.added
    if item.unit != smaller or not smaller or len(last.added) > 1:
        return False
    return text[last.end : item.start].strip() in ("", "and") and _is_short(item.canonical[0])


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
