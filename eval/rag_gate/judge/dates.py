"""Dates in folded text: Japanese (with eras), ISO and English forms."""

import re

from rag_gate.judge.numerals import amount

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
_KANJI_ONES = "[一二三四五六七八九]"
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9])(?![0-9])"
_MONTH = r"(?P<month>1[0-2]|0?[1-9])(?![0-9])"
_YEAR = r"(?P<year>[12][0-9]{3})(?![0-9])"
_ENGLISH_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
# "may" and "march" in lower case are verbs.
_MONTH_NAME = (
    r"(?<![A-Za-z])(?P<name>"
    r"(?:J[Aa][Nn]|F[Ee][Bb]|A[Pp][Rr]|J[Uu][Nn]|J[Uu][Ll]|A[Uu][Gg]|S[Ee][Pp][Tt]?|O[Cc][Tt]|N[Oo][Vv]|D[Ee][Cc]|Mar)"
    r"(?![A-Za-z])\.?|M[Aa][Rr][Cc][Hh]|M[Aa][Yy]|"
    r"(?i:january|february|april|june|july|august|september|october|november|december))(?![A-Za-z])"
)
_ENGLISH_DAY = (
    r"(?<![0-9A-Za-z.,:])(?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![0-9A-Za-z:]|[.,][0-9])"
)
_JAPANESE_YEAR = (
    rf"(?:(?P<era>{'|'.join(_ERAS)})[ ]?(?P<nth>[0-9]{{1,2}}|元|[〇一二三四五六七八九十]{{1,3}})|"
    rf"(?<![0-9.,])(?P<year>[12][0-9]{{3}}|[一二][〇一二三四五六七八九]{{3}}))[ ]?年(?!間|代)度?"
)
_JAPANESE_MONTH = rf"(?:(?<![0-9])(?P<month>1[0-2]|0?[1-9])|(?<![〇一二三四五六七八九十])(?P<kmonth>十[一二]?|{_KANJI_ONES}))[ ]?月"
_JAPANESE_DAY = (
    rf"(?:(?P<day>3[01]|[12][0-9]|0?[1-9])|(?P<kday>[二三]?十{_KANJI_ONES}?|{_KANJI_ONES}))[ ]?日(?!間)"
)

# In this order: a longer form is found before its parts.
DATE_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![0-9.])(?P<year>[12][0-9]{{3}})(?P<sep>[-/.])(?P<month>1[0-2]|0?[1-9])(?P=sep){_DAY}",
        rf"(?<![0-9/])(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_YEAR}(?!/)",
        r"(?<![0-9/.-])(?P<year>[12][0-9]{3})(?:/(?P<month>1[0-2]|0?[1-9])|-(?P<month2>1[0-2]|0[1-9]))(?![0-9/-])",
        r"(?<![0-9/.-])(?P<year>[12][0-9]{3})[-/\u2013][0-9]{2}(?![0-9/-])",
        rf"(?:{_JAPANESE_YEAR}[ ]?)?{_JAPANESE_MONTH}(?:[ ]?{_JAPANESE_DAY})?",
        _JAPANESE_YEAR,
        rf"{_ENGLISH_DAY} {{1,3}}(?:of )?{_MONTH_NAME}(?:,? {{1,3}}{_YEAR})?",
        rf"{_MONTH_NAME} {{1,3}}{_ENGLISH_DAY}(?:,? {{1,3}}{_YEAR})?",
        rf"{_MONTH_NAME},? {{1,3}}(?:of )?{_YEAR}",
        r"(?<![A-Za-z])(?P<skip>(?i:in|since|from|until|till|during|by|year|before|after) {1,3}|FY ?)" + _YEAR + r"(?![A-Za-z%]|[,.-][0-9])",
    )
)
MONTH_SLASH_DAY = re.compile(rf"(?<![0-9/.-]){_MONTH}/{_DAY}(?![/])")


def date_of(match: re.Match[str]) -> str:
    """Return the canonical date of a match of `DATE_PATTERNS`; months and days have two digits.

    ``04/05/2024`` is read as month first unless that is impossible.
    """
    groups = {name: text for name, text in match.groupdict().items() if text}
    if "first" in groups:
        month, day = int(groups["first"]), int(groups["second"])
        month, day = (day, month) if month > 12 else (month, day)  # noqa: PLR2004 - months of a year
        return f"{groups['year']}-{month:02d}-{day:02d}"
    date = _year(groups) or "-"
    month_text = groups.get("month") or groups.get("month2") or groups.get("kmonth")
    if "name" in groups:
        date += f"-{_ENGLISH_MONTHS.index(groups['name'][:3].lower()) + 1:02d}"
    elif month_text:
        date += f"-{int(amount(month_text)):02d}"
    day_text = groups.get("day") or groups.get("kday")
    return f"{date}-{int(amount(day_text)):02d}" if day_text else date


def _year(groups: dict[str, str]) -> str:
    if "era" in groups:
        nth = groups["nth"]
        return str(_ERAS[groups["era"]] + (1 if nth == "元" else int(amount(nth))))
    return amount(groups["year"]) if "year" in groups else ""


def month_slash_day(match: re.Match[str]) -> str:
    """Return the date that 4/5 may stand for."""
    return f"--{int(match['month']):02d}-{int(match['day']):02d}"
