"""Days of the week in folded text: 月曜, 土日, 月〜金, Monday, Mon-Fri, weekdays."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rag_gate.late import Late

_KANJI = "月火水木金土日"
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    **{name: at for at, name in enumerate(_NAMES)},
    **{name[:3]: at for at, name in enumerate(_NAMES)},
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
_TO = Late(r" ?(?:[~〜\u2010-\u2015\u2212-]|から|to|through|thru) ?")
_NEXT = rf" ?(?:[~〜\u2010-\u2015\u2212・、,/と-]|から|および|や) ?[{_KANJI}](?:曜日?)?(?![一-鿿ァ-ヶ])"
# Patterns begin with a class of characters, which is fastest.
_CHAIN = Late(rf"[{_KANJI}](?<![一-鿿0-9].)(?:曜日?)?(?:{_NEXT}){{1,6}}|[{_KANJI}]曜日?|\([{_KANJI}]\)")
_ENGLISH = Late(
    r"[MTWFSmtwfs](?<![A-Za-z].)(?:(?:on|ues|ednes|hurs|ri|atur|un)days?|(?:on|ues?|ed|hu(?:rs?)?|ri|at|un)\.?)(?![A-Za-z])"
)
# What names several days at once, with what a text must hold for it to be looked for.
_GROUPS = (
    (range(5), ("平日", "eekday"), Late(r"平日|[Ww](?<![A-Za-z].)eekdays?(?![a-z])")),
    (
        range(5, 7),
        ("土日", "週末", "eekend"),
        Late(r"土日(?!本)|週末|[Ww](?<![A-Za-z].)eekends?(?![a-z])"),
    ),
    (
        range(7),
        ("毎日", "連日", "無休", "aily", "very day", "24/7", "days a week"),
        Late(r"毎日|連日|無休|[DdEe](?<![A-Za-z].)(?:aily|very day)(?![a-z])|24/7|seven days a week"),
    ),
)
_DAYS = 7
_ENGLISH_NEEDS = (*(name[:3].capitalize() for name in _NAMES), *_NAMES)
_JAPANESE_NEEDS = ("曜", "(", *(f"{first}{mark}" for first in _KANJI[:-1] for mark in "〜~・、-,/とから"))


class Days(NamedTuple):
    """Days of the week at a place of the folded text.

    Attributes:
        start: where they begin.
        end: where they end.
        days: 0 for Monday to 6 for Sunday; of a range, all in it.
        named: those of them that are named in full, which no text without them states.
    """

    start: int
    end: int
    days: tuple[int, ...]
    named: frozenset[int]


def weekdays_in(text: str) -> Iterator[Days]:
    """Yield the days that a text names; ranges with all days in them."""
    if not text.isascii() and _holds(text, _JAPANESE_NEEDS):
        yield from map(_chain, _CHAIN.finditer(text))
    if _holds(text, _ENGLISH_NEEDS):
        yield from _english(text)
    for days, needs, pattern in _GROUPS:
        if _holds(text, needs):
            for found in pattern.finditer(text):
                yield Days(*found.span(), tuple(days), frozenset())


def _holds(text: str, needs: tuple[str, ...]) -> bool:
    for need in needs:  # noqa: SIM110 - several times as fast as any()
        if need in text:
            return True
    return False


def _chain(match: re.Match[str]) -> Days:
    """Return the days of 月〜金, 月・水・金曜日 or 火曜."""
    plain = match[0].replace("曜日", "").replace("曜", "")
    marks = [(mark.start(), mark.end(), _KANJI.index(mark[0])) for mark in re.finditer(f"[{_KANJI}]", plain)]
    named = frozenset(day for _, _, day in marks) if "曜" in match[0] else frozenset()
    return Days(*match.span(), _joined(marks, plain), named)


def _english(text: str) -> Iterator[Days]:
    marks: list[tuple[int, int, int]] = []
    for found in _ENGLISH.finditer(text):
        name = found[0].lower().rstrip(".")
        number = _NUMBERS.get(name, _NUMBERS.get(name.removesuffix("s")))
        if number is None or not (found[0][0].isupper() or name.endswith(("day", "days"))):
            continue
        named = frozenset((number,) if "day" in name else ())
        yield Days(*found.span(), (number,), named)
        if marks and _TO.fullmatch(text, marks[-1][1], found.start()):
            between = _range(marks[-1][2], number)
            yield Days(marks[-1][0], found.end(), tuple(between), frozenset())
        marks = [(*found.span(), number)]


def _joined(marks: Iterable[tuple[int, int, int]], text: str) -> tuple[int, ...]:
    """Return the days of names with their places: those between two names of a range, too."""
    days: list[int] = []
    done = 0
    for start, end, day in marks:
        days.extend(_range(days[-1], day) if days and _TO.fullmatch(text, done, start) else [day])
        done = end
    return tuple(dict.fromkeys(days))


def _range(first: int, last: int) -> list[int]:
    return [(first + step) % _DAYS for step in range((last - first) % _DAYS + 1)]
