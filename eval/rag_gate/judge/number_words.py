"""Numbers that English writes in words, and the Japanese and English words for a half."""

import re
from collections.abc import Iterable
from functools import lru_cache

from rag_gate.judge.counters import COUNTER, unit_name
from rag_gate.judge.numerals import ENGLISH_SCALES
from rag_gate.judge.quantities import Quantity, lowered

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
_ONES = re.compile(rf"[- ]({'|'.join(_UP_TO_TWENTY[1:10])})(?![a-z])")
_HALF = re.compile("半[額数分]")
_DOZEN = 12
_SCALE = "|".join(ENGLISH_SCALES)
_MONTHS_TEXT = "jan feb mar apr may jun jul aug sep oct nov dec"
_COUNTING = (*_NUMBERS, *_ORDINALS, *_TIMES, "half", "dozen")
#: How the words begin that can state a value without a digit.
VALUE_WORDS = (*_COUNTING, "noon", "midnight", *_MONTHS_TEXT.split())


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
def _after_word() -> re.Pattern[str]:
    return re.compile(rf"(?: (?P<scale>{_SCALE})(?![a-z]))?(?:[ -](?P<unit>{COUNTER.lower()}))?")


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_word(_COUNTING)})(?![a-z])")


def word_quantities(text: str) -> list[Quantity]:
    """Return the amounts that are written in words.

    Only cardinals with a unit, other than "one", are firm: "two films", "twice", "the first floor", half
    and dozen support the same number written in digits and are never missed themselves.
    """
    lower = lowered(text)
    found = [_halved(match) for match in _HALF.finditer(text)]
    for word in _word().finditer(lower):
        if word[0] in _NUMBERS:
            found.append(_cardinal(word, lower))
        elif word[0] in _ORDINALS:
            found.append(_ordinal(word, lower))
        elif word[0] in _TIMES:
            found.append(Quantity(*word.span(), str(_TIMES[word[0]]), 1, "time", firm=False))
        elif word[0] == "half":
            found.append(_halved(word))
        elif word[0] == "dozen":
            found.append(Quantity(*word.span(), str(_DOZEN), 1, "", firm=False))
    return found


def _halved(match: re.Match[str]) -> Quantity:
    return Quantity(*match.span(), "50", 1, "percent", firm=False)


def _cardinal(word: re.Match[str], text: str) -> Quantity:
    number, end = _NUMBERS[word[0]], word.end()
    ones = _ONES.match(text, end) if word[0] in _TENS else None
    if ones:
        number, end = number + _NUMBERS[ones[1]], ones.end()
    after = _after_word().match(text, end)
    scale, unit = (after["scale"], unit_name(after["unit"])) if after else (None, "")
    factor = ENGLISH_SCALES[scale] if scale else 1
    firm = bool(unit) and number != 1
    return Quantity(word.start(), after.end() if after else end, str(number), factor, unit, firm)


def _ordinal(word: re.Match[str], text: str) -> Quantity:
    after = _after_word().match(text, word.end())
    unit = unit_name(after["unit"]) if after else ""
    end = after.end() if after and unit else word.end()
    return Quantity(word.start(), end, str(_ORDINALS[word[0]]), 1, unit, firm=False)
