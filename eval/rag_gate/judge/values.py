"""The values that a text states, and whether another text states them too."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from rag_gate.judge.equal_forms import equal_forms
from rag_gate.judge.folding import fold
from rag_gate.judge.rounding import Rounding, may_stand_for
from rag_gate.late import Late
from rag_gate.text import contains

_INSIDE_CODE = Late(r"(?<=[a-z])[ -](?=[0-9])")
# What stands between the groups of a telephone or account number.
_SEPARATOR = Late(r"(?<=[0-9])(?:[ -]|\) ?| ?\()(?=[0-9])")
_LONG_NUMBER = 7
_COUNTABLE = frozenset(["person", "animal", "piece", "stick", "unit", "sheet", "volume"])
Kind = Literal["number", "date", "time", "weekday", "percent", "money", "id"]


@dataclass(frozen=True, slots=True)
class Value:
    """One number, date, time, day of the week, percentage, amount of money or code of a text.

    Attributes:
        kind: what it is.
        canonical: one spelling for equal values: ``12000``, ``2024-04-05``, ``--04-05`` (no year),
            ``2024``, ``14:30``, ``e4107``, ``0`` for Monday to ``6`` for Sunday.
        unit: the unit's name, or "" for none. For times ``meridiem`` (2 pm) or ``clock`` (14:00).
        start: where it begins in the original text.
        end: where it ends there.
        text: the original text of it.
        parts: the plain numbers that it is written with.
        firm: False when it may well be no quantity ("two films"): such a value supports others
            but is never missed itself.
        rounding: whether the text says that it is rounded.
    """

    kind: Kind
    canonical: str
    unit: str
    start: int
    end: int
    text: str
    parts: tuple[str, ...] = ()
    firm: bool = True
    rounding: Rounding = ""

    @property
    def counts_one(self) -> bool:
        """Whether it is one person or thing, which needs no number to be stated."""
        return self.canonical == "1" and self.unit in _COUNTABLE


@dataclass(slots=True)
class ValueIndex:
    """All values of some texts, to look others up in."""

    quantities: set[tuple[str, str]] = field(default_factory=set)
    unitless: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    dates: set[tuple[str, str, str]] = field(default_factory=set)
    years: set[str] = field(default_factory=set)
    times: set[tuple[str, str]] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    weekdays: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)

    def add(self, values: Iterable[Value], text: str) -> None:
        """Add the values of one text; codes are also looked for in the text itself."""
        for value in values:
            if value.kind == "weekday":
                self.weekdays.add(value.canonical)
                continue
            self.numbers.update((value.canonical, *value.parts))
            if value.kind == "date":
                self._add_date(value.canonical)
            elif value.kind == "time":
                self.times.add((value.canonical, value.unit))
            elif value.kind == "id":
                self.codes.add(value.canonical)
            elif value.unit:
                self.quantities.add((value.unit, value.canonical))
            else:
                self.unitless.update((value.canonical, *value.parts))
        self.texts.append(text)

    def _add_date(self, canonical: str) -> None:
        year, month, day = split_date(canonical)
        self.dates.add((year, month, day))
        if year:
            self.years.add(year)
            self.unitless.add(year)
        if day:
            self.quantities.add(("day", day.lstrip("0")))

    def misses(self, value: Value) -> bool:
        """Tell whether the value speaks against the texts: none states it; for a day of the week, one states another."""
        if value.kind == "weekday" and not self.weekdays:
            return False
        return not self.states(value)

    def states(self, value: Value, *, year_may_lack: bool = False) -> bool:
        """Tell whether some text states the value.

        Values with units agree when number and unit do; a number without unit agrees with any unit, and
        a rounded one with what it can stand for (see `may_stand_for`). One person or thing needs no number:
        ``1匹`` is only missed where another number of them is stated.
        A date agrees when each of its parts is stated; with ``year_may_lack``, also when the same
        month and day stand there without any year.
        """
        if value.kind == "date":
            return self._states_date(value.canonical, year_may_lack=year_may_lack)
        if value.kind == "time":
            return self._states_time(value)
        if value.kind == "weekday":
            return value.canonical in self.weekdays
        if value.kind == "id":
            return value.canonical in self.codes or self._writes(value.canonical)
        return self._states_number(value) or self._states_rounded(value) or self._is_lone(value)

    def _states_number(self, value: Value) -> bool:
        if not value.unit:
            return value.canonical in self.numbers
        if (value.unit, value.canonical) in self.quantities or value.canonical in self.unitless:
            return True
        if any(form in self.quantities for form in equal_forms(value.unit, value.canonical)):
            return True
        return bool(value.parts) and self.unitless.issuperset(value.parts)

    def _states_rounded(self, value: Value) -> bool:
        if not value.rounding:
            return False
        others = {number for unit, number in self.quantities if unit == value.unit or not value.unit}
        return any(may_stand_for(value.canonical, value.rounding, other) for other in others | self.unitless)

    def _is_lone(self, value: Value) -> bool:
        if not value.counts_one:
            return False
        return not any(unit == value.unit for unit, _ in self.quantities)

    def _writes(self, code: str) -> bool:
        """Tell whether a text holds the code as a whole.

        A version number is also found without its "v", a long number with other separators: 03(1234)5678.
        """
        number = code[1:] if code[0] == "v" and code[1:2].isdigit() else code
        if any(contains(number, compact(text)) for text in self.texts):
            return True
        digits = code.replace("-", "")
        if not digits.isdigit() or len(digits) < _LONG_NUMBER:
            return False
        return any(contains(digits, _SEPARATOR.sub("", fold(text).text)) for text in self.texts)

    def _states_date(self, canonical: str, *, year_may_lack: bool) -> bool:
        year, month, day = split_date(canonical)
        if not month:
            return year in self.years or year in self.unitless
        for other_year, other_month, other_day in self.dates:
            if other_month != month or (day and other_day != day):
                continue
            if not year or other_year == year:
                return True
            if not other_year and (year_may_lack or year in self.unitless):
                return True
        return False

    def _states_time(self, value: Value) -> bool:
        for canonical, unit in self.times:
            if canonical == value.canonical:
                return True
            if unit != value.unit and _same_face(canonical, unit, value):
                return True
        return value.canonical.endswith(":00") and self.unitless.issuperset(value.parts)


def _same_face(canonical: str, unit: str, value: Value) -> bool:
    """Tell whether 9:00 without am or pm may be the 21:00 that was given as 9 pm."""
    clock = canonical if unit == "clock" else value.canonical
    meridiem = value.canonical if unit == "clock" else canonical
    hour, minute = clock.split(":")
    other_hour, other_minute = meridiem.split(":")
    return minute == other_minute and 1 <= int(hour) <= 12 and (int(hour) - int(other_hour)) % 12 == 0  # noqa: PLR2004


def split_date(canonical: str) -> tuple[str, str, str]:
    """Return year, month and day of a canonical date, "" for what it lacks."""
    if canonical.startswith("--"):
        month, _, day = canonical[2:].partition("-")
        return "", month, day
    year, _, rest = canonical.partition("-")
    month, _, day = rest.partition("-")
    return year, month, day


def compact(text: str) -> str:
    """Return the text folded and in lower case, codes without their inner space or hyphen (E-4107: e4107)."""
    return _INSIDE_CODE.sub("", fold(text).text.lower())
