"""Dates of birth: a date is one only where the words beside it say so."""

import re
from collections.abc import Iterator

from rag_gate.detectors.model import Hit, Scan
from rag_gate.late import Late

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DATE = (
    r"(?:(?:西暦)?[12][0-9]{3}[ ]?年[ ]?[0-9]{1,2}[ ]?月[ ]?[0-9]{1,2}[ ]?日"
    r"|(?:明治|大正|昭和|平成|令和|[MTSHR])[ .]?(?:[0-9]{1,2}|元)(?:[ ]?年[ ]?|[./-])[0-9]{1,2}(?:[ ]?月[ ]?|[./-])[0-9]{1,2}[ ]?日?"
    r"|[12][0-9]{3}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[12][0-9]{3}|[0-9]{2})|(?:19|20)[0-9]{6}"
    rf"|{_MONTH}[ ][0-9]{{1,2}}(?:st|nd|rd|th)?,?[ ][12][0-9]{{3}}|[0-9]{{1,2}}(?:st|nd|rd|th)?[ -](?:of[ ])?{_MONTH},?[ -][12][0-9]{{3}})"
)
_LABEL = r"(?:生年月日|誕生日|生まれた日|お生まれ|출생|생년월일|(?<![A-Za-z])(?:date of birth|birth ?date|birth ?day|dob|d\.o\.b\.?|born(?: on)?|birth)(?![A-Za-z]))"
_GAP = r"(?:[日はがをの欄に:=、()（「『\[|,. -]|：|です|西暦|和暦|is|was|on|as|날짜|은|는){0,10}?"
_HINT = Late(r"[生誕]|birth|born|d\.?o\.?b|출생", re.IGNORECASE)
_BEFORE = Late(rf"{_LABEL}{_GAP}(?<![0-9])(?P<date>{_DATE})(?![0-9])", re.IGNORECASE)
_AFTER = Late(rf"(?<![0-9])(?P<date>{_DATE})[ ]?(?:に|の)?(?:お)?生(?:まれ|\b|$|。)", re.IGNORECASE)


def find_births(scan: Scan) -> Iterator[Hit]:
    """Yield dates of birth."""
    if not _HINT.search(scan.text):
        return
    taken: set[tuple[int, int]] = set()
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(scan.text):
            span = match.span("date")
            if span not in taken:
                taken.add(span)
                yield Hit(
                    "DATE_OF_BIRTH",
                    *span,
                    frozenset({re.sub(r"[^0-9A-Za-z\u4e00-\u9fff]", "", match["date"]).casefold()}),
                )
