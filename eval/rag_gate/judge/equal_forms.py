"""Other units in which the same amount may be stated: 48 hours and 2 days, $0.99 and 99 cents."""

from collections.abc import Iterator
from fractions import Fraction

_DAY = 86_400
_LONGEST = 15
# unit -> other unit, and how many of it make one.
_TIMES = {
    "day": ("second", Fraction(_DAY)),
    "second": ("day", Fraction(1, _DAY)),
    "USD": ("cent", Fraction(100)),
    "EUR": ("cent", Fraction(100)),
    "GBP": ("pound", Fraction(1)),
    "pound": ("GBP", Fraction(1)),
    "ha": ("m2", Fraction(10_000)),
    "m2": ("ha", Fraction(1, 10_000)),
}
_MORE = {"cent": (("USD", Fraction(1, 100)), ("EUR", Fraction(1, 100)))}
_CENTURIES = (1900, 2000)
_SHORT_DECADE = 100
_QUARTERS = {"1": "25", "2": "50", "3": "75"}


def equal_forms(unit: str, number: str) -> Iterator[tuple[str, str]]:
    """Yield the same amount in other units, as (unit, canonical number); nothing for most units.

    A share of a hundred that is whole is also a percentage, and 90年代 one of two decades.
    """
    if len(number) > _LONGEST:
        return
    if unit == "fraction":
        percent = Fraction(number) * 100
        yield from ((("percent", str(percent)),) if percent.denominator == 1 else ())
    elif unit == "percent" and number.isdigit() and 0 < int(number) < 100:  # noqa: PLR2004
        yield "fraction", str(Fraction(int(number), 100))
    elif unit == "quarter" and number in _QUARTERS:
        yield "percent", _QUARTERS[number]
    elif unit == "decade" and number.isdigit():
        yield from _decades(int(number))
    for other, times in (*((_TIMES[unit],) if unit in _TIMES else ()), *_MORE.get(unit, ())):
        found = _times(number, times)
        if found:
            yield other, found


def _decades(number: int) -> Iterator[tuple[str, str]]:
    if number < _SHORT_DECADE:
        yield from (("decade", str(century + number)) for century in _CENTURIES)
    elif number - number % _SHORT_DECADE in _CENTURIES:
        yield "decade", str(number % _SHORT_DECADE)


def _times(number: str, times: Fraction) -> str:
    """Return the product as a plain decimal with at most two places, "" where it is none."""
    if not number.replace(".", "", 1).isdigit():
        return ""
    product = Fraction(number) * times
    hundredths = product * 100
    if hundredths.denominator != 1:
        return ""
    whole, rest = divmod(int(hundredths), 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else str(whole)
