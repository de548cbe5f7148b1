"""Numbers that English writes in words, and the Japanese and English words for a half."""

import re
from collections.abc import Iterable
from functools import lru_cache

from rag_gate.judge.counters import COUNTERS, Unit, unit_name
from rag_gate.judge.numerals import ENGLISH_SCALES
from rag_gate.judge.quantities import Quantity, lowered
from rag_gate.late import Late

_UP_TO_TWENTY_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_UP_TO_TWENTY = tuple(_UP_TO_TWENTY_TEXT.split())
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: value for value, word in enumerate(_UP_TO_TWENTY)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_ORDINALS_TEXT = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {word: value for value, word in enumerate(_ORDINALS_TEXT.split(), start=1)}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_HALF = Late("半[額数分]|半(?P<unit>年(?!度)|時間|か月|カ月|ヶ月)")
_HALF_OF = Late(r"(?:half[ -]an? |half[ -])(?P<unit>hour|day|year)(?![a-z])")
_ONE = Late(
    r"an? (?P<unit>hundred|thousand|million|billion|dozen|fortnight|hour|day|week|month|year)(?! of the)(?![a-z])"
    r"(?P<half> and a half)?"
)
_DOZEN, _HUNDRED, _ONES = 12, 100, 10
_COLLECTIVES = {**ENGLISH_SCALES, "dozen": _DOZEN, "fortnight": 14}
# In how many of which unit a half of one is.
_HALVES = {"year": ("6", "month"), "hour": ("30", "minute"), "day": ("12", "hour"), "month": ("0.5", "month")}
_JAPANESE_UNITS = {"年": "year", "時間": "hour"}
_SCALE = "|".join(ENGLISH_SCALES)
_SPACES = frozenset(" -")
#: Units of which an ordinal tells exactly one: the third floor is no other.
_PLACES = frozenset(["quarter", "century", "floor"])
_MONTHS_TEXT = "jan feb mar apr may jun jul aug sep oct nov dec"
_DAYS_TEXT = "monday tuesday wednesday thursday friday saturday sunday"
_COUNTING = (*_NUMBERS, *_ORDINALS, *_TIMES, "half", "dozen")
#: How the words begin that can state a value without a digit.
VALUE_WORDS = (*_COUNTING, "noon", "midnight", "quarter", *_MONTHS_TEXT.split(), *_DAYS_TEXT.split())


def any_word(words: Iterable[str]) -> str:
    """Return a pattern of lower-case words, or beginnings of words, that is fast: one branch per first letter."""
    by_initial: dict[str, list[str]] = {}
    for word in dict.fromkeys(words):
        by_initial.setdefault(word[0], []).append(word[1:])
    return "|".join(
        f"{initial}(?<![A-Za-z-].)(?:{'|'.join(sorted(tails, key=len, reverse=True))})"
        for initial, tails in by_initial.items()
    )


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_word(_COUNTING)})(?![a-z])")


@lru_cache(maxsize=1)
def _next() -> re.Pattern[str]:
    """Match what can continue a number in words."""
    small = "|".join(sorted(_NUMBERS, key=len, reverse=True))
    return re.compile(rf"[ -](?:(?P<scale>{_SCALE})|(?P<and>and )?(?P<small>{small}))(?![a-z])")


@lru_cache(maxsize=1)
def _ordinal_after() -> re.Pattern[str]:
    return re.compile(rf"-(?P<ordinal>{'|'.join(_ORDINALS_TEXT.split()[:9])})(?![a-z])")


def _unit_after(text: str, end: int) -> Unit | None:
    if text[end : end + 1] not in _SPACES:
        return None
    # The floor of "third floors" is one, too.
    return Unit("floor", end + 6) if text.startswith("floor", end + 1) else COUNTERS.at(text, end + 1)


def word_quantities(text: str) -> list[Quantity]:
    """Return the amounts that are written in words.

    Only cardinals with a unit, other than one of it, are firm, and ordinals of a floor, quarter or century: "two films",
    "twice", half and dozen support the same number written in digits and are never missed themselves.
    """
    lower = lowered(text)
    found = [_halved(match) for match in _HALF.finditer(text)]
    ones = [_one_of(match, lower) for match in _ONE.finditer(lower) if _begins_a_word(match)]
    taken = {at for one in ones for at in range(one.start, one.end)}
    end = 0
    for word in _word().finditer(lower):
        if word.start() >= end and word.start() not in taken:
            item = _read(word, lower)
            found.append(item)
            end = item.end
    return found + ones


def _begins_a_word(match: re.Match[str]) -> bool:
    before = match.string[match.start() - 1 : match.start()] if match.start() else ""
    return not (before.isalnum() or before == "-")


def _read(word: re.Match[str], text: str) -> Quantity:
    if word[0] in _NUMBERS:
        return _cardinal(word, text)
    if word[0] in _ORDINALS:
        return _ordinal(word.start(), word.end(), _ORDINALS[word[0]], text)
    if word[0] in _TIMES:
        return Quantity(*word.span(), str(_TIMES[word[0]]), 1, "time", firm=False)
    if word[0] == "half":
        return _halved(_HALF_OF.match(text, word.start()) or word)
    return Quantity(*word.span(), str(_DOZEN), 1, "", firm=False)


def _halved(match: re.Match[str]) -> Quantity:
    unit = match.groupdict().get("unit")
    if unit is None:
        return Quantity(*match.span(), "50", 1, "percent", firm=False)
    amount, name = _HALVES[_JAPANESE_UNITS.get(unit, unit if unit.isascii() else "month")]
    return Quantity(*match.span(), amount, 1, name)


def _one_of(one: re.Match[str], text: str) -> Quantity:
    """Read "a week" and "an hour and a half" as one, which is never missed."""
    number, counted, end = "1.5" if one["half"] else "1", one["unit"], one.end()
    factor = _COLLECTIVES.get(counted)
    if factor is None:
        return Quantity(one.start(), end, number, 1, unit_name(counted), firm=False)
    after = _unit_after(text, end)
    unit = "day" if counted == "fortnight" else after.name if after else ""
    return Quantity(one.start(), after.end if after else end, number, factor, unit, firm=False)


def _cardinal(word: re.Match[str], text: str) -> Quantity:
    number, end = _number(word, text)
    ordinal = _ordinal_after().match(text, end) if word[0] in _TENS else None
    if ordinal and number == _NUMBERS[word[0]]:
        return _ordinal(word.start(), ordinal.end(), number + _ORDINALS[ordinal["ordinal"]], text)
    after = _unit_after(text, end)
    unit = after.name if after else ""
    firm = bool(unit) and number != 1
    return Quantity(word.start(), after.end if after else end, str(number), 1, unit, firm)


def _number(word: re.Match[str], text: str) -> tuple[int, int]:
    """Return the number that begins with the word, and where it ends: two hundred and fifty thousand."""
    total, part, end = 0, _NUMBERS[word[0]], word.end()
    room = _ONES if word[0] in _TENS else 1  # the next small number must be below
    while (more := _next().match(text, end)) is not None:
        if more["scale"] == "hundred":
            if not 0 < part < _HUNDRED:
                break
            part, room = part * _HUNDRED, _HUNDRED
        elif more["scale"]:
            total, part, room = total + part * ENGLISH_SCALES[more["scale"]], 0, 1000
        else:
            small = _NUMBERS[more["small"]]
            if not 0 < small < room or (more["and"] and room < _HUNDRED):
                break
            part += small
            room = _ONES if more["small"] in _TENS else 1
        end = more.end()
    return total + part, end


def _ordinal(start: int, end: int, number: int, text: str) -> Quantity:
    after = _unit_after(text, end)
    unit, stop = after or ("", end)
    return Quantity(start, stop, str(number), 1, unit, firm=unit in _PLACES)
