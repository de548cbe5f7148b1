"""Which values may be written for each other: 14 days, 2 weeks; 5 days, 5 business days."""

from rag_gate.judge.values import Value
from rag_gate.late import Late

_DECIMAL = Late(r"[0-9]{1,12}(?:\.[0-9]{1,6})?\Z")
#: Units that are confused, or said for each other, without saying another number.
_SPANS = frozenset(["business_day", "day", "week", "month", "year", "hour", "minute", "second", "time", ""])
_COUNTED = frozenset(["number", "money", "percent"])
#: How long spans of time are, in days (five business days are a week), and by which share equal ones may differ.
_DAYS = {
    "business_day": 1.4,
    "day": 1.0,
    "week": 7.0,
    "month": 30.4,
    "year": 365.0,
    "hour": 1 / 24,
    "minute": 1 / 1440,
    "second": 1 / 86400,
}
_NEAR = 0.03


def has_other_forms(value: Value) -> bool:
    """Tell whether an equal value may be written with other numbers: 14 days, 2 weeks; 2 pm, 14:00."""
    return value.unit in _DAYS or value.kind in {"date", "time"}


def alike(first: Value, second: Value) -> bool:
    """Tell whether two values are of the same sort, so that one may be written where the other was meant."""
    if first.kind != second.kind:
        return False
    return first.unit == second.unit or (first.unit in _SPANS and second.unit in _SPANS)


def may_be_same(first: Value, second: Value) -> bool:
    """Tell whether two values of a sort have the same number, or are as long a time."""
    if first.kind not in _COUNTED or not alike(first, second):
        return False
    numbers = {first.canonical, *first.parts}
    return not numbers.isdisjoint({second.canonical, *second.parts}) or _are_as_long(first, second)


def _are_as_long(first: Value, second: Value) -> bool:
    """Tell whether two spans of time in different units are the same (2 weeks, 14 days, 10 business days)."""
    if first.unit == second.unit or not {first.unit, second.unit} <= _DAYS.keys():
        return False
    if not (_DECIMAL.match(first.canonical) and _DECIMAL.match(second.canonical)):
        return False
    one, other = (float(each.canonical) * _DAYS[each.unit] for each in (first, second))
    return abs(one - other) <= _NEAR * max(one, other)
