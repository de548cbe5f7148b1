"""Japanese numbers of a person: each needs its label, most of them a shape and a check digit too."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rag_gate.detectors.checksums import my_number
from rag_gate.detectors.model import Hit, Scan
from rag_gate.late import Late

_GAP = r"[- ー]?"
_END = r"(?![0-9A-Za-z_]|[-.,][0-9])"
_START = r"(?<![0-9A-Za-z_])(?<![0-9][-.,])"


#: What stands beside numbers here that have no six digits close together.
_SHORT = ("記号", "ゆうちょ")


class _Shape(NamedTuple):
    type: str
    label: str
    pattern: Late


_TWELVE = Late(rf"{_START}[0-9](?:{_GAP}[0-9]){{11}}{_END}")
_SHAPES = (
    _Shape(
        "JP_RESIDENCE_CARD",
        "residence",
        Late(rf"{_START}[A-Z]{{2}}{_GAP}[0-9]{{8}}{_GAP}[A-Z]{{2}}(?![0-9A-Za-z_])", re.IGNORECASE),
    ),
    _Shape(
        "JP_PASSPORT",
        "passport",
        Late(rf"{_START}[A-Z]{{2}}{_GAP}[0-9]{{7}}(?![0-9A-Za-z_])", re.IGNORECASE),
    ),
    _Shape(
        "JP_DRIVER_LICENSE",
        "license",
        Late(
            rf"{_START}[0-9]{{2}}[- ]?[0-9]{{2}}[- ]?[0-9]{{6}}[- ]?[0-9]{{2}}{_END}|{_START}[0-9]{{4}}[- ][0-9]{{4}}[- ][0-9]{{4}}{_END}"
        ),
    ),
    _Shape("JP_PENSION", "pension", Late(rf"{_START}[0-9]{{4}}{_GAP}[0-9]{{6}}{_END}")),
    _Shape("JP_HEALTH_INSURANCE", "insurance", Late(rf"{_START}(?:[0-9]{{6}}|[0-9]{{8}}){_END}")),
)
_ACCOUNT = Late(
    rf"(?:\([普当貯]\)|普通|当座|貯蓄|定期|納税準備)(?:預金|口座|貯金){{0,2}}[^0-9。\n円]{{0,12}}?(?P<number>[0-9]{{7}}|[0-9]{{3}}[- ][0-9]{{4}}){_END}(?![ ]?[円年月])"
    rf"|(?:口座(?=[ は:にへ])|口座番号?|口座No\.?|account number)[^0-9。\n円]{{0,12}}?(?P<account>[0-9]{{6,8}}|[0-9]{{3}}[- ][0-9]{{4}}){_END}(?![ ]?[円年月])",
    re.IGNORECASE,
)
_YUCHO = Late(
    r"(?:記号(?:番号)?|ゆうちょ(?:銀行)?)[^0-9。\n]{0,8}(?P<number>1[0-9]{3}0(?:-[0-9])?(?:[- ー]{1,2}|[、,・/の ]{0,2}番号[^0-9。\n]{0,4})[0-9]{2,8})(?![0-9A-Za-z_])"
)
_CARD = Late(
    r"(?:保険|組合|被保険者|資格)[^。\n]{0,20}?記号[^0-9。\n]{0,4}(?P<sign>[0-9]{1,8}(?:-[0-9]{1,4})?)[^0-9。\n]{0,3}[・、,/ と]?[^0-9。\n]{0,2}番号[^0-9。\n]{0,4}(?P<number>[0-9]{1,8})(?![0-9])"
)
_NAMED = Late(
    r"(?:被?保険者|保険証)(?:等)?(?:の)?(?:記号・?)?番号[^0-9。\n]{0,6}(?P<number>[0-9]{6,12})(?![0-9])"
)


def find_japanese_ids(scan: Scan) -> Iterator[Hit]:
    """Yield Japanese numbers of a person."""
    if not scan.has_number and not any(word in scan.text for word in _SHORT):
        return
    kinds = scan.labels.kinds
    if "my_number" in kinds:
        yield from _my_numbers(scan)
    for pattern, kind in (
        (_CARD, "JP_HEALTH_INSURANCE"),
        (_NAMED, "JP_HEALTH_INSURANCE"),
        (_YUCHO, "JP_BANK_ACCOUNT"),
        (_ACCOUNT, "JP_BANK_ACCOUNT"),
    ):
        if kinds.isdisjoint(("insurance", "bank")) and "記号" not in scan.text and "(普)" not in scan.text:
            break
        for match in pattern.finditer(scan.open):
            for name, value in match.groupdict().items():
                if value is not None:
                    yield _hit(kind, match.span(name), value)
    for shape in _SHAPES:
        if shape.label in kinds:
            yield from _shaped(scan, shape)


def _my_numbers(scan: Scan) -> Iterator[Hit]:
    """Yield 12 digits with check digit and label; one in ten tracking numbers has the check digit."""
    last_end = -1
    for match in _TWELVE.finditer(scan.open):
        digits = re.sub(r"[^0-9]", "", match[0])
        is_listed = 0 <= match.start() - last_end <= 6 and last_end > 0  # noqa: PLR2004 - "A, B and C"
        if my_number(digits) and (is_listed or scan.labels.of(*match.span()) == "my_number"):
            last_end = match.end()
            yield _hit("JP_MY_NUMBER", match.span(), digits)


def _shaped(scan: Scan, shape: _Shape) -> Iterator[Hit]:
    last_end = -1
    for match in shape.pattern.finditer(scan.open):
        is_listed = last_end > 0 and match.start() - last_end <= 6  # noqa: PLR2004 - "A, B and C"
        if is_listed or scan.labels.of(*match.span()) == shape.label:
            last_end = match.end()
            yield _hit(shape.type, match.span(), match[0])


def _hit(kind: str, span: tuple[int, int], value: str) -> Hit:
    return Hit(kind, *span, frozenset({re.sub(r"[^0-9A-Z]", "", value.upper())}))
