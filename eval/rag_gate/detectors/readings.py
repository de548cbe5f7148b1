"""Other ways to read a text: as a renderer shows it, and with its numbers put together again.

An edited text knows where each of its characters stood, so what is found in it has a place in the original.
"""

import html
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from rag_gate.folding import Folded, fold
from rag_gate.late import Late


class Edit(NamedTuple):
    """What stands in the place of ``text[start:end]``."""

    start: int
    end: int
    text: str


#: Entities, escapes of markdown, JSON and addresses, and tags that only change how a word looks.
_WRITTEN = Late(
    r"&(?:\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});|\\u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}|\\[!-/:-@\[-`{-~]|(?:%(?!20|0)[0-9A-Fa-f]{2}){1,400}"
    r"|</?(?:b|i|u|s|em|strong|span|code|mark|kbd|small|wbr|font)(?:\s[^<>]{0,200})?/?>",
)
_FLAT = Late(r"[&\\%<]")
_EMPHASIS = Late(
    r"(?<![0-9A-Za-z*])(?P<star>\*{1,3})(?=[^\s*])[^*\n]{1,200}?(?<=[^\s*])(?P=star)(?![0-9A-Za-z*])"
    r"|(?<![0-9A-Za-z_])(?P<line>_{1,2})(?=[0-9A-Za-z+(])[^_\n]{1,200}?(?<=[0-9A-Za-z)])(?P=line)(?![0-9A-Za-z_])"
    r"|(?P<wave>~~)(?=\S)[^~\n]{1,200}?(?<=\S)(?P=wave)"
)
_KANJI_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_KANJI = "〇零一二三四五六七八九"
_KANJI_NUMBER = Late(
    rf"(?<![{_KANJI}十百千万億第])[{_KANJI}]{{1,19}}(?:[ ]?[の・ー－-][ ]?[{_KANJI}]{{1,12}}){{0,4}}(?![{_KANJI}十百千万億])"
)
_KANJI_DATE = Late(
    rf"(?P<year>[{_KANJI}]{{4}}|[{_KANJI}十]{{1,3}})(?=年[{_KANJI}十]{{1,3}}月)|(?<=年)(?P<month>[{_KANJI}十]{{1,3}})(?=月)|(?<=月)(?P<day>[{_KANJI}十]{{1,3}})(?=日)"
)
_FEWEST_KANJI = 7
_NEW_LINE = Late(r"\n[ \t>]{0,8}")
_INDENT = 8
_HOUSE = Late(r"[0-9]{1,4}(?:丁目|番|-[0-9])")
_HOST = Late(
    r"@[0-9A-Za-z.-]{1,60}\.(?:com|net|org|edu|gov|info|jp|uk|de|fr|kr|cn|eu|io|us|ca|au)(?![0-9A-Za-z(])"
)
#: Sign -> patterns of it, and what stands for them.
_SIGNS = (
    ("@", Late(r"(?<=[0-9A-Za-z])(?:[ ]{1,2}@[ ]{0,2}|@[ ]{1,2})(?=[0-9A-Za-z-]{2,60}[ ]?\.[ ]?[A-Za-z]{2})"), "@"),
    ("@", Late(r"(?<=[0-9A-Za-z])[ ]\.[ ](?=(?:com|net|org|jp|co|ne|or|io|edu|gov|de|fr|uk|info)(?![A-Za-z]))"), "."),
    ("/_・•·|~", Late(r"(?<=[0-9])[ ]?[/_・•·|~][ ]?(?=[0-9])"), "-"),
)  # fmt: skip
_DIGITS_BEFORE = Late(r"[0-9 ().+/_・•·|~ー\n\t>-]+")
_LOOK, _FEWEST_DIGITS = 40, 8
_DIGITS, _FIRST_KANA = "0123456789", "ぁ"
# What stands before is checked behind the first digit: that is many times faster.
_SINGLES = Late(r"[0-9](?<![0-9].)(?<![0-9] .)(?: [0-9]){7,24}(?! ?[0-9])")
_TOKEN_BREAK = Late(r"(?<=[0-9A-Za-z_+/-]{12})[ \t]*\n[ \t>]{0,8}(?=[0-9A-Za-z_+/-]{8})")


def edited(folded: Folded, edits: Iterable[Edit]) -> Folded:
    """Return a text with edits, which do not overlap and stand in order."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for edit in [*edits, Edit(len(folded.text), len(folded.text), "")]:
        parts += (folded.text[done : edit.start], edit.text)
        starts += folded.starts[done : edit.start]
        ends += folded.ends[done : edit.start]
        if edit.text:
            first, last = folded.original(edit.start, edit.end)
            starts += [first] * len(edit.text)
            ends += [last] * len(edit.text)
        done = edit.end
    return Folded("".join(parts), tuple(starts), tuple(ends))


def shown(folded: Folded) -> Folded:
    """Return a text as a renderer shows it: entities and escapes resolved, marks of emphasis taken away."""
    if _FLAT.search(folded.text):
        folded = edited(folded, _changes(folded.text, _WRITTEN, _resolved))
    if any(mark in folded.text for mark in "*_~"):
        folded = edited(folded, _unmarked(folded.text))
    return folded


def rejoined(folded: Folded) -> tuple[Folded, list[tuple[int, int]]] | None:
    """Return a text with its numbers in one piece, and which places of it were put together; None where nothing was.

    Kanji figures become digits; line ends and unusual signs between digits, and spaces between single digits, are
    taken away. That joins what does not belong together too, so what is found there needs a label.
    """
    edits = _apart([*_kanji(folded.text), *_singles(folded.text), *_broken(folded.text)])
    if not edits:
        return None
    places, shift = [], 0
    for edit in edits:
        start = edit.start + shift
        places.append((start, start + len(edit.text)))
        shift += len(edit.text) - (edit.end - edit.start)
    return edited(folded, edits), places


def without_breaks(folded: Folded) -> Folded | None:
    """Return a text in which a token that a line end cut in two is whole; None where there is none."""
    edits = [
        Edit(*found.span(), "")
        for found in _TOKEN_BREAK.finditer(folded.text)
        if any(char.isdigit() for char in folded.text[found.start() - 12 : found.end() + 12])
    ]
    return edited(folded, edits) if edits else None


def _changes(text: str, pattern: Late, change: Callable[[str], str]) -> Iterator[Edit]:
    for found in pattern.finditer(text):
        new = change(found[0])
        if new != found[0]:
            yield Edit(*found.span(), new)


def _resolved(written: str) -> str:
    if written.startswith("&"):
        return fold(html.unescape(written), case=False, verbatim=True).text
    if written.startswith("<"):
        return ""
    if written.startswith("%"):
        try:
            return fold(unquote_to_bytes(written).decode("utf-8"), case=False, verbatim=True).text
        except UnicodeDecodeError:
            return written
    if written[1] == "u":
        return fold((b"\\u" + written[2:].encode()).decode("unicode-escape"), case=False, verbatim=True).text
    return written[1]


def _unmarked(text: str) -> Iterator[Edit]:
    for found in _EMPHASIS.finditer(text):
        size = len(found["star"] or found["line"] or found["wave"])
        yield Edit(found.start(), found.start() + size, "")
        yield Edit(found.end() - size, found.end(), "")


def _kanji(text: str) -> Iterator[Edit]:
    if not any(char in text for char in _KANJI):
        return
    for found in _KANJI_NUMBER.finditer(text):
        digits = found[0].translate(_KANJI_DIGITS)
        if sum(char.isdigit() for char in digits) >= _FEWEST_KANJI:
            for place, char in enumerate(found[0]):
                new = "-" if char in "の・－" else char.translate(_KANJI_DIGITS)
                if new != char:
                    yield Edit(found.start() + place, found.start() + place + 1, new)
    for found in _KANJI_DATE.finditer(text) if "年" in text else ():
        yield Edit(*found.span(), _figure(found[0]))


def _figure(kanji: str) -> str:
    """Return a number below a hundred, or a year written figure by figure, in digits."""
    tens, ten, ones = kanji.partition("十")
    if not ten:
        return kanji.translate(_KANJI_DIGITS)
    return f"{(tens or '一').translate(_KANJI_DIGITS)}{(ones or '〇').translate(_KANJI_DIGITS)}"


def _singles(text: str) -> Iterator[Edit]:
    for found in _SINGLES.finditer(text):
        for place in range(found.start() + 1, found.end(), 2):
            yield Edit(place, place + 1, "")


def _broken(text: str) -> Iterator[Edit]:
    if "\n" in text:
        for found in _NEW_LINE.finditer(text):
            start = found.start() - _trailing(text[max(0, found.start() - _INDENT) : found.start()])
            new = _in_place(text, start, found.end())
            if new is not None and _is_long(text, start, found.end()):
                yield Edit(start, found.end(), new)
    for signs, pattern, new in _SIGNS:
        if any(sign in text for sign in signs):
            yield from (
                Edit(*found.span(), new) for found in pattern.finditer(text) if _is_long(text, *found.span())
            )


def _trailing(text: str) -> int:
    return len(text) - len(text.rstrip(" \t"))


def _in_place(text: str, start: int, end: int) -> str | None:
    """Return what stands for a line end that may cut a value in two; None where it cuts none."""
    before, after = text[max(0, start - 2) : start], text[end : end + 1]
    last = before[-1:]
    if not last or not after:
        return None
    if after in _DIGITS:
        if last in _DIGITS:
            return " "
        is_cut = last in "-ー" and before[:1] in _DIGITS
        return "" if is_cut or (last >= _FIRST_KANA and _HOUSE.match(text, end)) else None
    if after == "@" or last == "@":
        is_address = last == "@" or _HOST.match(text, end)
        return "" if is_address and (last + after).replace("@", "").isalnum() else None
    return " " if last == "," and after.isupper() and (before[0].isalpha() or before[0] == ".") else None


def _is_long(text: str, start: int, end: int) -> bool:
    """Tell whether the digits on both sides of a place would make a number of a person; what is no digit may be anything."""
    if (
        not (text[start - 1 : start].isdigit() or text[start - 1 : start] in "-ー")
        or not text[end : end + 1].isdigit()
    ):
        return True
    before = _DIGITS_BEFORE.match(text[max(0, start - _LOOK) : start][::-1])
    after = _DIGITS_BEFORE.match(text, end, end + _LOOK)
    return sum(char.isdigit() for part in (before, after) if part for char in part[0]) >= _FEWEST_DIGITS


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits in order, without those that overlap one before them."""
    ordered = sorted(set(edits))
    if all(first.end <= second.start for first, second in pairwise(ordered)):
        return ordered
    kept: list[Edit] = []
    for edit in ordered:
        if not kept or kept[-1].end <= edit.start:
            kept.append(edit)
    return kept
