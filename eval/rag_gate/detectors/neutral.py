"""What looks like a value and is none: identifiers, links, dates, times, amounts, placeholders."""

import re
from collections.abc import Iterator

from rag_gate.late import Late

_UUID = Late(
    r"(?<![0-9A-Za-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_HASH = Late(r"(?<![0-9A-Za-z])(?=[0-9]{0,63}[a-fA-F])[0-9a-fA-F]{16,128}(?![0-9A-Za-z])")
# In a link only what its own words call a phone number or an address is read.
_URL = Late(r"(?<![A-Za-z0-9])(?:https?|ftp)://[^\s\"'<>「」『』（）()、。，；\x00]{1,2000}", re.IGNORECASE)
_NAMED = Late(
    r"(?:tel|phone|mobile|cell|card|ssn|iban|mail|addr|account|user(?:name)?|name)[a-z_]{0,10}=([^&#\s]{1,200})",
    re.IGNORECASE,
)
_ISBN = Late(
    r"(?:ISBN|ISSN|JAN|EAN|UPC|GTIN)(?:コード|-1[03])?[ :：]{0,3}[0-9](?:[- ]?[0-9X]){7,16}", re.IGNORECASE
)
_INVOICE = Late(r"(?<![0-9A-Za-z])T[ -]?[0-9](?:[- ]?[0-9]){12}(?![0-9])")
_CORPORATE = Late(r"(?:法人|登録|事業者|インボイス)番号[^0-9T\n]{0,12}T?-?([0-9](?:[- ]?[0-9]){12})(?![0-9])")
_DATE = Late(
    r"(?<![0-9])(?:19|20)[0-9]{2}([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12][0-9]|3[01])(?![0-9])(?:[T ]?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
)
_MONEY = Late(
    r"[¥$€£][ ]?[0-9][0-9,]{0,20}(?:\.[0-9]{1,4})?|(?<![0-9,])[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])"
)
_PARCEL = Late(r"(?<![0-9A-Za-z])(?:1Z[0-9A-Z]{16}|[A-Z]{2}[0-9]{9}[A-Z]{2})(?![0-9A-Za-z])")
_CODE = Late(
    r"(?<![0-9A-Za-z])(?!(?:tel|fax|phone|mobile|cell|visa|master|jcb|amex|card|ssn|nhs)[_-])[A-Za-z]{1,10}[_-][0-9]{2,8}(?:[_-][0-9]{2,8}){1,4}(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_DOCUMENT = Late(r"(?<![0-9A-Za-z])[A-Za-z]+_[0-9A-Za-z_]{1,200}")
#: Pattern -> one of these stands in every match: looking for them costs next to nothing.
_ALL: tuple[tuple[Late, tuple[str, ...]], ...] = (
    (_UUID, ("-",)), (_HASH, ("",)), (_ISBN, ("S", "J", "E", "U", "G", "s", "j", "e", "u", "g")), (_INVOICE, ("T",)),
    (_PARCEL, ("",)), (_DATE, ("19", "20")), (_MONEY, ("¥", "$", "€", "£", ",")), (_CODE, ("_", "-")), (_DOCUMENT, ("_",)),
)  # fmt: skip


def neutral_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans in which no number is looked for. Each pattern is linear in the text."""
    for pattern, signs in _ALL:
        if any(sign in text for sign in signs):
            yield from (match.span() for match in pattern.finditer(text))
    if "番号" in text:
        yield from (match.span(1) for match in _CORPORATE.finditer(text))
    if "://" in text:
        yield from _links(text)


def _links(text: str) -> Iterator[tuple[int, int]]:
    for link in _URL.finditer(text):
        position = link.start()
        for named in _NAMED.finditer(text, link.start(), link.end()):
            yield position, named.start(1)
            position = named.end(1)
        if position < link.end():
            yield position, link.end()
