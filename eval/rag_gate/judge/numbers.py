"""Numbers, dates, times, amounts of money and codes of a text, and those that no context states."""

import re
from collections.abc import Iterable, Sequence

from rag_gate.judge import weekdays
from rag_gate.judge.clock import NAMED_TIMES, TIME_FORMS
from rag_gate.judge.codes import CODE_FORMS, NOT_VALUES, QUARTER_FORM
from rag_gate.judge.counters import MONEY
from rag_gate.judge.dates import DATE_FORMS, MONTH_FORM, UNSURE_FORMS
from rag_gate.judge.folding import fold
from rag_gate.judge.forms import Form
from rag_gate.judge.number_words import VALUE_WORDS, any_word, word_quantities
from rag_gate.judge.numerals import amount
from rag_gate.judge.quantities import Quantity, kanji_quantities, linked, western_quantities
from rag_gate.judge.rounding import rounding_of
from rag_gate.judge.shares import SHARE_FORM, UNSURE_SHARES
from rag_gate.judge.values import Kind, Value, ValueIndex
from rag_gate.late import Late

_HAS_DIGIT = Late("[0-9〇一二三四五六七八九十元]")
_ROUNDED = frozenset(["number", "money", "percent"])
_LONG = 500
# Nothing that is one value goes on after a full stop between a word of three letters and a capital.
_SENTENCE = Late(r"(?<=。)|(?<=[a-z]{3}[.!?]) (?=[A-Z])")
_DIGIT = Late(r"[\d²³¹½¼¾〇一二三四五六七八九十百千万億兆半元曜]")
_JAPANESE_VALUE = Late("正午|土日|平日|週末|毎日|連日|無休")
_WORD_VALUE = Late(any_word(VALUE_WORDS))
_BETWEEN = Late("[0-9]([-/.:\u2013])(?=[0-9])")
_NUMBER = Late(r"[0-9]+(?:\.[0-9]+)?")
_FORMS = (*DATE_FORMS, MONTH_FORM, *TIME_FORMS, NAMED_TIMES, QUARTER_FORM, SHARE_FORM, *CODE_FORMS)
_WORD_FORMS = (MONTH_FORM, NAMED_TIMES)
_UNSURE = (*UNSURE_FORMS, *UNSURE_SHARES)


def extract_values(text: str, *, with_rounding: bool = True) -> list[Value]:
    """Return the values that a text states, in its order.

    Width forms, thousands separators, kanji numerals (三千円, 1万2千), eras (令和6年) and 12-hour times
    are brought to one form; a range gives both of its ends. List markers, citation markers, step
    numbers, web addresses and enclosed numbers such as ① are no values. Positions are those of the
    text as given. Takes time linear in the length of the text.

    Args:
        text: the text.
        with_rounding: whether to find out which numbers are said to be rounded.
    """
    scan = _Scan(text, with_rounding=with_rounding)
    scan.drop_markers()
    for form in _FORMS if _HAS_DIGIT.search(scan.rest) else _WORD_FORMS:
        scan.take(form)
    scan.note_unsure()
    scan.note_weekdays()
    scan.take_quantities()
    return sorted(scan.values, key=lambda value: (value.start, value.end))


class _Scan:
    """One pass over a text: what a pattern takes is blanked, so that no later one sees it."""

    def __init__(self, text: str, *, with_rounding: bool) -> None:
        self.source, self.rounded = text, _ROUNDED if with_rounding else ()
        self.folded = fold(text)
        self.rest = self.folded.text
        # Beside the text, what stands between its digits: "9-9" tells that some date or code may be written with hyphens.
        between = sorted(set(_BETWEEN.findall(self.rest)))
        self.lower = "".join([self.rest.lower(), *(f"\n9{mark}9" for mark in between)])
        self.values: list[Value] = []

    def has(self, needs: tuple[str, ...]) -> bool:
        for need in needs:
            if need in self.lower:
                return True
        return not needs

    def drop_markers(self) -> None:
        for pattern, needs in NOT_VALUES:
            if self.has(needs):
                self.rest = pattern.sub(_blank, self.rest)

    def take(self, form: Form) -> None:
        if not self.has(form.needs):
            return

        def record(match: re.Match[str]) -> str:
            read = form.read(match) if form.accepts(match) else None
            if read is None:
                return match[0]
            parts = tuple(amount(part) for part in _NUMBER.findall(match[0]))
            firm = form.kind != "time" or bool(
                _HAS_DIGIT.search(match[0])
            )  # noon is said of other things, too
            self.add(*match.span(), kind=form.kind, canonical=read[0], unit=read[1], parts=parts, firm=firm)
            return _blank(match)

        self.rest = form.pattern.sub(record, self.rest)

    def note_unsure(self) -> None:
        """Add what 4/5, a month alone and "a quarter" may be; they stay what else they are as well."""
        for form in filter(lambda form: self.has(form.needs), _UNSURE):
            for match in form.pattern.finditer(self.rest):
                read = form.read(match) if form.accepts(match) else None
                if read:
                    self.add(*match.span(), kind=form.kind, canonical=read[0], unit=read[1], firm=False)

    def note_weekdays(self) -> None:
        for found in weekdays.weekdays_in(self.folded.text):
            for day in found.days:
                firm = day in found.named
                self.add(found.start, found.end, kind="weekday", canonical=str(day), firm=firm)

    def take_quantities(self) -> None:
        found: list[Quantity] = []
        readers = (western_quantities, kanji_quantities) if _HAS_DIGIT.search(self.rest) else ()
        for read in (*readers, word_quantities):
            found.extend(read(self.rest))
        found.sort(key=lambda item: item.start)
        for item in linked(found, self.folded.text):
            number, unit = item.canonical
            self.add(
                item.start,
                item.end,
                kind=_kind(unit),
                canonical=number,
                unit=unit,
                parts=item.parts,
                firm=item.firm,
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
        rounding = rounding_of(self.folded.text, start, end) if kind in self.rounded else ""
        self.values.append(
            Value(kind, canonical, unit, begin, stop, self.source[begin:stop], parts, firm, rounding)
        )


def _kind(unit: str) -> Kind:
    if unit in MONEY:
        return "money"
    return "percent" if unit == "percent" else "number"


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def value_index(texts: Iterable[str]) -> ValueIndex:
    """Return the index of the values of the texts; it asks for no rounding of theirs."""
    index = ValueIndex()
    for text in texts:
        parts = _with_values(text)
        index.add((value for part in parts for value in extract_values(part, with_rounding=False)), text)
    return index


def _with_values(text: str) -> tuple[str, ...]:
    """Return the lines and sentences of a long text that can state a value: first those with digits, then others.

    A third of the work, mostly: few forms need no digit.
    """
    if len(text) < _LONG:
        return (text,)
    digits: list[str] = []
    words: list[str] = []
    for line in text.split("\n"):
        for piece in _SENTENCE.split(line) if len(line) > _LONG else (line,):
            if _DIGIT.search(piece) or (not piece.isascii() and _JAPANESE_VALUE.search(piece)):
                digits.append(piece)
            elif _WORD_VALUE.search(piece.lower()):
                words.append(piece)
    return "\n".join(digits), "\n".join(words)


def missing_values(answer: str, contexts: Sequence[str]) -> list[Value]:
    """Return the values of the answer that none of the contexts states, in order.

    A number agrees with the same number when their units agree or one has none, and 約1,200 with 1,187;
    words of rounding do not excuse another round number. Pass the question as one more context when its values
    may be repeated. Values that may be no quantity ("two films", 一つ) are never missing.
    """
    index = value_index(contexts)
    return [value for value in extract_values(answer) if value.firm and index.misses(value)]
