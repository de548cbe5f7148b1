"""Characters that nobody sees: they hide text, turn its direction or steer a terminal."""

import re
import unicodedata
from collections.abc import Iterator

# Colour codes, cursor movements, OSC-8 links and everything else below a space but tab and line ends.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_OVERRIDES = re.compile("[\u202d\u202e]")
_DIRECTION = re.compile("[\u202a-\u202c\u2066-\u2069\u200e\u200f\u061c]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f")
_SELECTOR = re.compile("[\ufe00-\ufe0f]")
_IDEOGRAPHIC_SELECTOR = re.compile("[\U000e0100-\U000e01ef]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_JOINERS = "\u200c\u200d"
#: Scripts that write without spaces and break lines at U+200B.
_BREAKING = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
#: Scripts in which joiners change the shape of a letter.
_JOINING = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff\U000e007f]"  # with selectors and skin tones
)


def control_characters(answer: str) -> Iterator[tuple[int, int]]:
    """Yield the places of control characters (ANSI sequences and OSC-8 links begin with one)."""
    for found in _CONTROL.finditer(answer):
        yield found.span()


def direction_characters(answer: str) -> Iterator[tuple[int, int]]:
    """Yield the places of characters that turn the writing direction.

    An override is always found; embeddings, isolates and marks belong to text with right-to-left letters.
    """
    pattern = (
        _OVERRIDES
        if _RIGHT_TO_LEFT.search(answer)
        else re.compile(f"{_OVERRIDES.pattern}|{_DIRECTION.pattern}")
    )
    for found in pattern.finditer(answer):
        yield found.span()


def invisible_characters(answer: str) -> Iterator[tuple[int, int]]:
    """Yield the places of invisible characters that have no business where they stand.

    Left alone are what scripts and emoji need: joiners between the parts of an emoji or inside Arabic and
    Indic words, one variation selector, breaks in Thai or Khmer, flags, a soft hyphen in a Latin word and
    a byte order mark at the start.
    """
    flags = [found.span() for found in _FLAG.finditer(answer)] if "\U0001f3f4" in answer else []
    for found in _INVISIBLE.finditer(answer):
        start, end = found.span()
        if any(first <= start and end <= last for first, last in flags):
            continue
        if not _belongs(found.group(), answer[start - 1 : start], answer[end : end + 1], at_start=start == 0):
            yield start, end


def _belongs(run: str, before: str, after: str, *, at_start: bool) -> bool:
    if at_start:
        return run == "\ufeff"
    if run == "\u00ad":
        return _is_latin(before) and _is_latin(after)
    if _IDEOGRAPHIC_SELECTOR.fullmatch(run):
        return bool(_IDEOGRAPH.match(before))
    if _SELECTOR.fullmatch(run):
        return not before.isspace() and before.isprintable()
    if run in _JOINERS or run == "\ufe0f\u200d":
        return bool(_JOINING.match(before) or (_EMOJI.match(before) and _EMOJI.match(after)))
    return run == "\u200b" and bool(_BREAKING.match(before) and _BREAKING.match(after))


def _is_latin(char: str) -> bool:
    return char.isalpha() and "LATIN" in unicodedata.name(char, "")
