"""Dates in folded text: Japanese (with eras), ISO and English forms."""

import re

from rag_gate.judge.forms import DIGITS, LETTERS, Form
from rag_gate.judge.numerals import amount
from rag_gate.late import Late

_ERAS = {
    "令和": 2018,
    "平成": 1988,
    "昭和": 1925,
    "大正": 1911,
    "明治": 1867,
    "R": 2018,
    "H": 1988,
    "S": 1925,
}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_SHORT_MONTHS = tuple(name[:3] for name in _MONTHS)
_VERBS = frozenset(["may", "march", "mar"])
_LAST_MONTH = 12
_LAST_DAY = 31
_YEAR_DIGITS = 4
_LOOK_BACK = 10
_YEAR_WORDS = ("in", "since", "from", "until", "till", "during", "by", "year", "before", "after", "fy")
_YEAR_WORD = Late(rf"(?<![A-Za-z])(?:(?i:{'|'.join(_YEAR_WORDS[:-1])}) {{1,3}}|FY ?)\Z")
# What makes a month of a capitalised word that may be a name or a verb: in May, by April.
_MONTH_WORD = Late(
    r"(?<![A-Za-z])(?i:in|by|until|till|since|during|early|mid|late|next|last|every|each|before|after|of|through)[ -]\Z"
)
_NUMERALS = "0123456789〇一二三四五六七八九十"

_YEAR = r"(?P<year>[12][0-9]{3})(?![0-9])"
_DAY = r"(?P<day>[0-9]{1,2})(?![0-9])"
_ENGLISH_DAY = r"(?P<day>[0-9][0-9]?)(?:st|nd|rd|th)?(?![0-9A-Za-z:]|[.,][0-9])"
# The second and third letters of month names tell most other words at once.
_NAME = r"(?P<name>[JFMASONDjfmasond][aceopuACEOPU][bcglnprtvyBCGLNPRTVY][A-Za-z]{0,6})(?![A-Za-z])\.?"
_CAPITAL_MONTHS = "|".join(name.capitalize() for name in _MONTHS)
_MONTH_DAY = rf"(?P<month>[{_NUMERALS}][{_NUMERALS}]?) ?月(?: ?(?P<day>[{_NUMERALS}]{{1,3}}) ?日(?!間))?"


def _date_of(match: re.Match[str]) -> tuple[str, str] | None:
    """Return the canonical date of a match, or None when it is no date.

    Months and days have two digits. ``04/05/2024`` is read as month first unless that is impossible.
    """
    groups = {name: text for name, text in match.groupdict().items() if text}
    if "first" in groups:
        first, second = groups["first"], groups["second"]
        groups["month"], groups["day"] = (second, first) if int(first) > _LAST_MONTH else (first, second)
    if "alone" in groups:
        before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
        if not _MONTH_WORD.search(before):
            return None
        groups["name"] = groups["alone"]
    if "name" in groups:
        number = _month_number(groups["name"])
        if number is None:
            return None
        groups["month"] = str(number)
    elif groups.keys() == {"year"} and "年" not in match[0] and len(match[0]) == _YEAR_DIGITS:
        before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
        return (groups["year"], "") if _YEAR_WORD.search(before) else None
    date = _canonical(_year(groups), groups)
    return (date, "") if date else None


def _month_number(name: str) -> int | None:
    lower = name.lower()
    if name in _VERBS:
        return None
    if lower in _MONTHS:
        return _MONTHS.index(lower) + 1
    return _SHORT_MONTHS.index(lower[:3]) + 1 if lower in (*_SHORT_MONTHS, "sept") else None


def _canonical(year: str, groups: dict[str, str]) -> str | None:
    date = year or "-"
    for name, last in (("month", _LAST_MONTH), ("day", _LAST_DAY)):
        if name in groups:
            number = int(amount(groups[name]))
            if not 1 <= number <= last:
                return None
            date += f"-{number:02d}"
    return date


def _year(groups: dict[str, str]) -> str:
    if "era" in groups:
        nth = groups["nth"]
        return str(_ERAS.get(groups["era"], 0) + (1 if nth == "元" else int(amount(nth))))
    if "short" in groups:
        return f"20{groups['short']}"
    return amount(groups["year"]) if "year" in groups else ""


# In this order: a longer form is found before its parts.
DATE_FORMS = tuple(
    Form("date", Late(pattern), _date_of, needs, not_after)
    for pattern, needs, not_after in (
        (
            rf"(?P<year>[12][0-9]{{3}})(?P<sep>[-/.])(?P<month>[0-9]{{1,2}})(?P=sep){_DAY}",
            ("9-9", "9/9", "9.9"),
            DIGITS,
        ),
        (rf"(?P<first>[0-9][0-9]?)/(?P<second>[0-9]{{1,2}})/{_YEAR}(?!/)", ("9/9",), f"{DIGITS}/"),
        (r"(?P<year>[12][0-9]{3})-(?P<month>[0-9]{2})(?![0-9/-])", ("9-9",), f"{DIGITS}/.-"),
        (r"(?P<year>[12][0-9]{3})/(?P<month>[0-9]{1,2})(?![0-9/-])", ("9/9",), f"{DIGITS}/.-"),
        (r"(?P<year>[12][0-9]{3})[-/\u2013][0-9]{2}(?![0-9/-])", ("9-9", "9/9", "9\u20139"), f"{DIGITS}/.-"),
        (
            rf"(?P<era>[令平昭大明][和成正治]) ?(?P<nth>元|[{_NUMERALS}]{{1,3}}) ?年度?(?: ?{_MONTH_DAY})?",
            ("令和", "平成", "昭和", "大正", "明治"),
            "",
        ),
        (
            r"(?P<era>[RHS])(?P<nth>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<day>[0-9]{1,2})(?![0-9]|\.[0-9])",
            ("r", "h", "s"),
            f"{DIGITS}{LETTERS}-",
        ),
        (
            rf"(?P<era>[RHS])(?P<nth>元|[0-9]{{1,2}}) ?年度?(?: ?{_MONTH_DAY})?",
            ("年",),
            f"{DIGITS}{LETTERS}-",
        ),
        (
            rf"(?P<year>[12一二][0-9〇一二三四五六七八九]{{3}}) ?年(?!間|代)度?(?: ?{_MONTH_DAY})?",
            ("年",),
            f"{_NUMERALS}.,",
        ),
        (_MONTH_DAY, ("月",), f"{_NUMERALS}.,"),
        (rf"{_ENGLISH_DAY} {{1,3}}(?:of )?{_NAME}(?:,? {{1,3}}{_YEAR})?", _SHORT_MONTHS, f"{DIGITS}.,:"),
        (rf"{_NAME} {{1,3}}{_ENGLISH_DAY}(?:,? {{1,3}}{_YEAR})?", _SHORT_MONTHS, LETTERS),
        (rf"{_NAME},? {{1,3}}(?:of )?{_YEAR}", _SHORT_MONTHS, LETTERS),
        (
            (
                r"(?P<year>(?:19|20)[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
                r"(?![0-9A-Za-z%円人件個名万億台枚ドポユ]|[.,-][0-9])"
            ),
            ("19", "20"),
            f"{DIGITS}{LETTERS}.,-$¥€£",
        ),
        (r"FY ?'?(?P<short>[0-9]{2})(?![0-9A-Za-z])", ("fy",), LETTERS),
        (_YEAR + r"(?![A-Za-z%]|[,.-][0-9])", _YEAR_WORDS, DIGITS),
    )
)
MONTH_FORM = Form(
    "date", Late(rf"(?P<alone>{_CAPITAL_MONTHS})(?![A-Za-z])"), _date_of, _SHORT_MONTHS, LETTERS
)
# What may be a date, and stays what else it is: 4/5, and a month alone.
UNSURE_FORMS = (
    Form(
        "date",
        Late(r"(?P<month>[0-9][0-9]?)/(?P<day>[0-9]{1,2})(?![0-9/])"),
        _date_of,
        ("9/9",),
        f"{DIGITS}/.-",
    ),
    Form("date", Late(rf"(?P<name>{_CAPITAL_MONTHS})(?![A-Za-z])"), _date_of, _SHORT_MONTHS, LETTERS),
)
