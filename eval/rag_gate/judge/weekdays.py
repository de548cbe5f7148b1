"""Days of the week in folded text: 月曜, 土日, 月〜金, Monday, Mon-Fri, weekdays."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_KANJI = "月火水木金土日"
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {
    **{name[:3]: at for at, name in enumerate(_NAMES)},
    **{"tues": 1, "thur": 3, "thurs": 3},
}
_TO = r" ?(?:[~〜\u2010-\u2015\u2212-]|から|to|through|thru) ?"
_ALSO = r" ?(?:[・、,/と]|および|と|や) ?"
_CHAIN = re.compile(
    rf"(?<![{_KANJI}一-鿿0-9])[{_KANJI}](?:曜日?)?(?:(?:{_TO}|{_ALSO})[{_KANJI}](?:曜日?)?(?![一-鿿ァ-ヶ])){{1,6}}|"
    rf"[{_KANJI}](?:曜日?)|\([{_KANJI}]\)"
)
_ENGLISH_NAME = r"(?:(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?|(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?)"
_ENGLISH = re.compile(rf"\b(?P<first>{_ENGLISH_NAME})(?:{_TO}(?P<last>{_ENGLISH_NAME}))?(?![a-z])")
_MANY = re.compile(
    r"(?P<work>平日|(?<![A-Za-z])(?i:weekdays?)(?![a-z]))|"
    r"(?P<end>土日(?!本)|週末|(?<![A-Za-z])(?i:weekends?)(?![a-z]))|"
    r"(?P<all>毎日|連日|年中無休|無休|(?<![A-Za-z])(?i:daily|every day|seven days a week)(?![a-z])|24/7)"
)
_GROUPS = {"work": range(5), "end": range(5, 7), "all": range(7)}
_DAYS = 7
#: What must stand in the lower-case text for a day to be looked for.
NEEDS = ("曜", "土日", "平日", "週末", "毎日", "連日", "無休", "day", "(", "weekend", "daily", "24/7", *_SHORT, *(f"{a}{b}" for a in _KANJI for b in "〜~・-、"))


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
    for chain in _CHAIN.finditer(text):
        named = frozenset(map(_KANJI.index, re.findall(f"[{_KANJI}]", _plain(chain[0]))))
        yield Days(*chain.span(), tuple(_in_chain(chain[0])), named if "曜" in chain[0] else frozenset())
    for found in _ENGLISH.finditer(text):
        first, last = _number(found["first"]), _number(found["last"] or found["first"])
        full = _is_full(found["first"]) and _is_full(found["last"] or found["first"])
        yield Days(*found.span(), tuple(_range(first, last)), frozenset((first, last) if full else ()))
    for found in _MANY.finditer(text):
        yield Days(*found.span(), tuple(_GROUPS[found.lastgroup or "all"]), frozenset())


def _in_chain(chain: str) -> list[int]:
    """Return the days of 月〜金, 月・水・金曜日 and 火曜."""
    plain = _plain(chain)
    days: list[int] = []
    done = 0
    for mark in re.finditer(f"[{_KANJI}]", plain):
        day = _KANJI.index(mark[0])
        spans = days and re.search(_TO, plain[done : mark.start()])
        days.extend(_range(days[-1], day)[1:] if spans else [day])
        done = mark.end()
    return list(dict.fromkeys(days))


def _plain(chain: str) -> str:
    return chain.replace("曜日", "").replace("曜", "")


def _range(first: int, last: int) -> list[int]:
    return [(first + step) % _DAYS for step in range((last - first) % _DAYS + 1)]


def _number(name: str) -> int:
    lower = name.lower().rstrip(".")
    singular = lower.removesuffix("s") if lower not in _SHORT else lower
    return _SHORT[singular] if singular in _SHORT else _NAMES.index(singular)


def _is_full(name: str) -> bool:
    return len(name) > len("thurs") and name[0].isupper()
