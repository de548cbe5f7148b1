"""Numbers, dates, times, amounts of money and codes of a text, and those that no context states."""

import re
from collections.abc import Callable, Iterable, Sequence

from rag_gate.judge import clock, dates
from rag_gate.judge.counters import MONEY
from rag_gate.judge.folding import fold
from rag_gate.judge.markers import CITATION, LIST_MARKER
from rag_gate.judge.numerals import amount
from rag_gate.judge.quantities import ENGLISH, KANJI, WESTERN, Quantity, english, kanji, linked, western
from rag_gate.judge.values import Kind, Value, ValueIndex, compact

_HAS_VALUE = re.compile(
    r"[0-9]|[〇一二三四五六七八九十百千万億兆]|元年|"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}ty)\b",
    re.IGNORECASE,
)
_URL = re.compile(
    r"(?:https?://|www\.)[^\s<>「」()\u3000-\u9fff]{1,2000}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}"
)
_STEP = re.compile(r"(?:\bstep|ステップ|手順) ?[0-9]{1,2}(?![0-9.])", re.IGNORECASE)
_MARKER_LINE = re.compile(rf"^{LIST_MARKER.pattern}", re.MULTILINE)
_INLINE_MARKER = re.compile(r"(?<![^\s。、,;:])\([0-9]{1,2}\)")
_NOT_VALUES = (CITATION, _URL, _MARKER_LINE, _INLINE_MARKER, _STEP)
_VERSION = re.compile(
    r"(?:(?<![A-Za-z])(?:version|ver\.?|v\.?)|バージョン) ?(?P<version>[0-9]{1,9}(?:\.[0-9]{1,9}){0,4})(?![0-9])",
    re.IGNORECASE,
)
_CODES = (
    re.compile(r"(?<![0-9.-])[0-9]{1,20}(?:-[0-9]{1,20}){2,8}(?![0-9-])"),
    re.compile(r"(?<![0-9-])0[0-9]{1,4}-[0-9]{2,8}(?![0-9-])"),
    re.compile(r"(?<![0-9.])[0-9]{1,9}(?:\.[0-9]{1,9}){2,8}(?![0-9.])"),
    re.compile(
        r"(?<![A-Za-z0-9])(?!(?:no|fy|usd|jpy|eur|gbp|us)[0-9])"
        r"[A-Za-z]{1,10}-?[0-9](?:[A-Za-z0-9-]|\.(?=[0-9])){0,60}(?<!-)",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![0-9A-Za-z.,$¥€£])[0-9]{1,3}[DKG](?![0-9A-Za-z])"),
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_Builder = Callable[[re.Match[str]], tuple[Kind, str, str]]


def extract_values(text: str) -> list[Value]:
    """Return the values that a text states, in its order.

    Width forms, thousands separators, kanji numerals (三千円, 1万2千), eras (令和6年) and 12-hour times
    are brought to one form; a range gives both of its ends. List markers, citation markers, step
    numbers, web addresses and enclosed numbers such as ① are no values. Positions are those of the
    text as given. Takes time linear in the length of the text.
    """
    scan = _Scan(text)
    if _HAS_VALUE.search(scan.rest) is None:
        return []
    for pattern in _NOT_VALUES:
        scan.rest = pattern.sub(_blank, scan.rest)
    for pattern in dates.DATE_PATTERNS:
        scan.take(pattern, lambda match: ("date", dates.date_of(match), ""))
    for pattern in clock.TIME_PATTERNS:
        scan.take(pattern, lambda match: ("time", *clock.time_of(match)))
    scan.take(_VERSION, lambda match: ("id", f"v{match['version']}", ""))
    for pattern in _CODES:
        scan.take(pattern, lambda match: ("id", compact(match[0]), ""))
    scan.note_slash_dates()
    scan.take_quantities()
    return sorted(scan.values, key=lambda value: (value.start, value.end))


class _Scan:
    """One pass over a text: what a pattern takes is blanked, so that no later one sees it."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.folded = fold(text)
        self.rest = self.folded.text
        self.values: list[Value] = []

    def take(self, pattern: re.Pattern[str], build: _Builder) -> None:
        def record(match: re.Match[str]) -> str:
            kind, canonical, unit = build(match)
            skip = match.end("skip") if match.groupdict().get("skip") else match.start()
            parts = tuple(amount(part) for part in _NUMBER.findall(match[0]))
            self.add(skip, match.end(), kind=kind, canonical=canonical, unit=unit, parts=parts)
            return _blank(match)

        self.rest = pattern.sub(record, self.rest)

    def note_slash_dates(self) -> None:
        for match in dates.MONTH_SLASH_DAY.finditer(self.rest):
            canonical = dates.month_slash_day(match)
            self.add(match.start(), match.end(), kind="date", canonical=canonical, firm=False)

    def take_quantities(self) -> None:
        found: list[Quantity] = []
        for pattern, read in _QUANTITIES:
            matches = list(pattern.finditer(self.rest))
            found.extend(item for item in map(read, matches) if item is not None)
            self.rest = pattern.sub(_blank, self.rest) if matches else self.rest
        found.sort(key=lambda item: item.start)
        for item in linked(found, self.folded.text):
            number, unit = item.canonical
            kind = _kind(unit)
            self.add(
                item.start, item.end, kind=kind, canonical=number, unit=unit, parts=item.parts, firm=item.firm
            )

    def add(
        self,
        start: int,
        end: int,
        *,
        kind: Kind,
        canonical: str,
        unit: str = "",
        parts: tuple[str, ...] = (),
        firm: bool = True,
    ) -> None:
        begin, stop = self.folded.original(start, end)
        self.values.append(Value(kind, canonical, unit, begin, stop, self.source[begin:stop], parts, firm))


_QUANTITIES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Quantity | None]], ...] = (
    (WESTERN, western),
    (KANJI, kanji),
    (ENGLISH, english),
)


def _kind(unit: str) -> Kind:
    if unit in MONEY:
        return "money"
    return "percent" if unit == "percent" else "number"


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def value_index(texts: Iterable[str]) -> ValueIndex:
    """Return the index of the values of the texts."""
    index = ValueIndex()
    for text in texts:
        index.add(extract_values(text), fold(text).text)
    return index


def missing_values(answer: str, contexts: Sequence[str]) -> list[Value]:
    """Return the values of the answer that none of the contexts states, in order.

    A number agrees with the same number when their units agree or one has none; words of rounding
    (約, over) do not excuse another number. Pass the question as one more context when its values
    may be repeated. Values that may be no quantity ("two films", 一つ) are never missing.
    """
    index = value_index(contexts)
    return [value for value in extract_values(answer) if value.firm and not index.states(value)]
