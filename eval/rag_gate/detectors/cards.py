"""Payment cards and IBANs: digits with the right start, length and check digit."""

# ruff: noqa: SIM905 - lists of words are read best as text

import re
from collections.abc import Iterator

from rag_gate.detectors.checksums import luhn, mod97
from rag_gate.detectors.labels import is_code
from rag_gate.detectors.model import Hit, Scan
from rag_gate.late import Late

_CANDIDATE = Late(
    r"(?<![0-9])(?<![0-9][-. ,])(?<!0x)(?<!0X)[0-9](?:[-. ー]{0,2}[0-9]){11,18}(?![0-9]|[-.,][0-9])"
)
_SEPARATOR = Late(r"[-. ー]+")
_GROUPS = frozenset(
    {
        (4, 4, 4, 4),
        (4, 6, 5),
        (4, 6, 4),
        (4, 4, 4, 4, 3),
        (4, 4, 4, 1),
        (4, 4, 4),
        (4, 4, 4, 2),
        (6, 13),
        (4, 4, 4, 3),
        (8, 8),
        (6, 10),
    }
)
#: (lowest prefix, highest prefix, lengths) of the schemes, as published in their bin ranges.
_SCHEMES = (
    ("4", "4", (13, 16, 19)),  # Visa
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),  # Mastercard
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),  # American Express
    ("300", "305", (14, 16)),  # Diners Club
    ("3095", "3095", (14, 16)),  # Diners Club
    ("36", "36", (14, 16)),  # Diners Club
    ("38", "39", (14, 16)),  # Diners Club
    ("6011", "6011", (16, 19)),  # Discover
    ("644", "649", (16, 19)),  # Discover
    ("65", "65", (16, 19)),  # Discover, RuPay
    ("3528", "3589", (16, 17, 18, 19)),  # JCB
    ("2131", "2131", (15,)),  # JCB
    ("1800", "1800", (15,)),  # JCB
    ("62", "62", (16, 17, 18, 19)),  # UnionPay
    ("81", "82", (16,)),  # UnionPay, RuPay
    ("50", "50", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro, RuPay, Dankort
    ("56", "58", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("60", "60", (16,)),  # RuPay, Hipercard
    ("6304", "6304", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro, Laser
    ("67", "67", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("2200", "2205", (16,)),  # Mir
    ("9792", "9792", (16,)),  # Troy
    ("1", "1", (15,)),  # UATP
)
#: Schemes and lengths that are too much like other numbers to be told without a label.
_COMMON_LENGTHS = frozenset({14, 15, 16, 17, 18, 19})
_PUBLISHED = frozenset(
    "4242424242424242 4000056655665556 5555555555554444 2223003122003222 5200828282828210 5105105105105100 378282246310005 "
    "371449635398431 6011111111111117 6011000990139424 3056930009020004 36227206271667 3566002020360505 6200000000000005 "
    "4111111111111111 4012888888881881 4222222222222 30569309025904 38520000023237 3530111333300000 5610591081018250 "
    "378734493671000 6331101999990016 4917610000000000 4000002500003155 4000000000000002 6205500000000000004".split()
)


def find_cards(scan: Scan) -> Iterator[Hit]:
    """Yield card numbers; a number that something else is written in front of is none."""
    for match in _CANDIDATE.finditer(scan.open):
        digits = _SEPARATOR.sub("", match[0])
        if not luhn(digits) or len(set(digits)) == 1:
            continue
        label = scan.labels.of(*match.span())
        groups = tuple(map(len, _SEPARATOR.split(match[0])))
        if label == "card":
            fits = _scheme(digits)
        elif label is not None or is_code(scan.text, *match.span()):
            continue
        else:
            fits = (
                _scheme(digits) and len(digits) in _COMMON_LENGTHS and (len(groups) == 1 or groups in _GROUPS)
            )
            fits = fits and digits[0] != "1"
        if fits:
            yield Hit("CREDIT_CARD", *match.span(), frozenset({digits}), digits in _PUBLISHED)


def _scheme(digits: str) -> bool:
    return any(
        low <= digits[: len(low)] <= high and len(digits) in lengths for low, high, lengths in _SCHEMES
    )


#: Country -> length, from the SWIFT IBAN registry.
_IBAN_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO", "16": "BE", "18": "DK FI FK FO GL NL SD", "19": "MK SI", "20": "AT BA EE KZ LT LU MN XK",
        "21": "CH HR LI LV", "22": "BG BH CR DE GB GE IE ME RS VA", "23": "AE GI IL IQ OM SO TL", "24": "AD CZ ES MD PK RO SA SE SK TN VG",
        "25": "LY PT ST", "26": "IS TR", "27": "BI DJ FR GR IT MC MR SM", "28": "AL AZ BY CY DO GT HN HU LB NI PL SV",
        "29": "BR EG PS QA UA", "30": "JO KW MU YE", "31": "MT SC", "32": "LC", "33": "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
_IBAN = Late(r"(?<![A-Za-z0-9])([A-Za-z]{2})[ -]?[0-9]{2}(?=[ .-]?[A-Za-z0-9])")
_LONGEST_GAP = 12


def find_ibans(scan: Scan) -> Iterator[Hit]:
    """Yield IBANs of the countries in the registry, by length and check digits."""
    text = scan.open
    for match in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(match[1].upper())
        found = _walk(text, match.start(), length) if length else None
        if found is not None:
            end, iban = found
            yield Hit("IBAN", match.start(), end, frozenset({iban}))


def _walk(text: str, start: int, length: int) -> tuple[int, str] | None:
    kept: list[str] = []
    position, gaps = start, 0
    while position < len(text) and len(kept) < length:
        char = text[position]
        if char.isascii() and char.isalnum():
            kept.append(char.upper())
        elif char in " -." and gaps < _LONGEST_GAP and text[position - 1] not in " -.":
            gaps += 1
        else:
            return None
        position += 1
    follows = text[position : position + 1]
    if len(kept) < length or (follows.isascii() and follows.isalnum()):
        return None
    iban = "".join(kept)
    is_code = bool(re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]+", iban)) and any(
        char.isdigit() for char in iban[4:]
    )
    return (position, iban) if is_code and mod97(iban) else None
