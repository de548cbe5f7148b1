"""Telephone numbers, checked against the numbering plans of the ``phonenumbers`` library."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rag_gate.detectors.labels import is_code
from rag_gate.detectors.model import Hit, Scan
from rag_gate.late import Late

_GAP = r"(?:[ ]?[-ー.−][ ]?|[ ]|の)"
_CANDIDATE = Late(
    rf"(?<![0-9A-Za-z_@*])(?<![0-9][-.,/:])(?:\+[ ]?|(?<![0-9(])\()?[0-9](?:[0-9]|{_GAP}[0-9]|[ ]?\)[ ]?-?[0-9]|{_GAP}?\([ ]?[0-9]){{7,16}}(?![0-9A-Za-z_@*]|[-.,/:][0-9*X])"
)
#: How numbers are written that need no label: national forms by their groups.
_GROUPED = Late(
    r"0[0-9]{1,4}-[0-9]{1,4}-[0-9]{4}|0[0-9]{1,4}-[0-9]{6,8}|0120-[0-9]{6}|0800-[0-9]{3,4}-[0-9]{3,4}|0(?:[5789]0|60)-?[0-9]{4}-?[0-9]{4}"
    r"|0[5-9]0[0-9]{8}|(?:1-)?[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}|0[0-9]{2,4}-[0-9]{3,4}-[0-9]{3,4}|0[0-9]{4}-[0-9]{5,6}|02-[0-9]{3,4}-[0-9]{4}|0120[0-9]{6}|00(?:1|44|81|82|86)-[0-9]{1,4}-[0-9-]{6,12}"
)
_DIGITS = Late(r"[0-9]+")
_SEPARATORS = Late(r"[^0-9+]+")
_DATE = Late(r"(?:19|20)[0-9]{2}[-. ]?(?:0[1-9]|1[0-2])(?:[-. ]|(?:0[1-9]|[12][0-9]|3[01])(?![0-9]))")
_SHORTEST, _LONGEST = 9, 15
REGIONS = ("JP", "US", "GB", "KR")


def find_phones(scan: Scan, regions: Sequence[str] = REGIONS) -> Iterator[Hit]:
    """Yield telephone numbers.

    Args:
        scan: the text.
        regions: countries whose national forms are read; numbers with ``+`` are read everywhere.
    """
    for match in _CANDIDATE.finditer(scan.open):
        for start, shown in _readings(match):
            digits = "".join(_DIGITS.findall(shown))
            if not _SHORTEST <= len(digits) <= _LONGEST or not _is_plausible(
                scan, start, match.end(), shown, digits
            ):
                continue
            keys = canonical_phones(shown, tuple(regions))
            if keys:
                yield Hit("PHONE", start, match.end(), keys)
                break


def _readings(match: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Yield the candidate, then what is left of it behind each space: a year may stand in front."""
    start, shown = match.start(), match[0]
    while shown:
        if shown.startswith("(") and ")" not in shown:
            start, shown = start + 1, shown[1:]
        yield start, shown
        head, space, shown = shown.partition(" ")
        start += len(head) + len(space)


def _is_plausible(scan: Scan, start: int, end: int, shown: str, digits: str) -> bool:
    if len(set(digits[-6:])) == 1 and digits[-1] == "0":
        return False
    written = _SEPARATORS.sub("-", shown).strip("-")
    is_grouped = _GROUPED.fullmatch(written) is not None
    if shown[0] not in "0+(" and not (is_grouped or written == digits):
        return False
    label = scan.labels.before(start)
    if label == "phone" or (shown[0] == "+" and label is not None and label != "order"):
        return True
    if (
        label is not None
        or is_code(scan.text, start, end)
        or (_DATE.match(digits) and not shown.startswith("+"))
    ):
        return False
    if shown.startswith("+") or scan.labels.after(end) == "phone":
        return True
    return is_grouped


@lru_cache(maxsize=4096)
def canonical_phones(number: str, regions: tuple[str, ...]) -> frozenset[str]:
    """Return every E.164 form that a number can have in these regions; empty where it is none."""
    from phonenumbers import (
        NumberParseException,
        PhoneNumberFormat,
        format_number,
        is_possible_number,
        is_valid_number,
        parse,
    )

    plain = _SEPARATORS.sub("", number.replace("+ ", "+")).replace("(0)", "")
    if number.startswith("+"):
        plain = re.sub(r"[^0-9+]", "", re.sub(r"\([ ]?0[ ]?\)", "", number))
    if re.match(r"00(?:1|44|81|82|86)", plain):  # how +81 is dialled
        plain = f"+{plain[2:]}"
    found = set()
    for region in (None,) if plain.startswith("+") else regions:
        try:
            parsed = parse(plain, region)
        except NumberParseException:
            continue
        # Numbers set aside for films are in no plan but read as numbers.
        drama = re.match(r"\+?(?:44|0)7700900[0-9]{3}$", plain) is not None
        if is_valid_number(parsed) or (drama and is_possible_number(parsed)):
            found.add(format_number(parsed, PhoneNumberFormat.E164))
    return frozenset(found)
