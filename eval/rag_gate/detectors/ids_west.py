"""American, British and Korean numbers of a person."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rag_gate.detectors.checksums import nhs, routing, rrn, rrn_date
from rag_gate.detectors.labels import is_code
from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.late import Late

_START = r"(?<![0-9A-Za-z_])(?<![0-9][-.,/])"
_END = r"(?![0-9A-Za-z_]|[-.,/][0-9A-Za-z])"
_KNOWN_FAKES = frozenset({"078051120", "219099999", "123456789", "111111111"})


class _Candidate(NamedTuple):
    scan: Scan
    match: re.Match[str]
    label: str | None

    @property
    def digits(self) -> str:
        return re.sub(r"[^0-9]", "", self.match[0])


def _ssn(found: _Candidate) -> str | None:
    digits, shown = found.digits, found.match[0]
    if (
        found.label not in (None, "ssn")
        or digits in _KNOWN_FAKES
        or digits[5:] == "0000"
        or digits[3:5] == "00"
    ):
        return None
    if digits[0] == "9":  # individual taxpayer numbers
        group = int(digits[3:5])
        is_itin = 50 <= group <= 99 and group not in (66, 67, 68, 69, 89, 93)  # noqa: PLR2004 - the published ranges
        return "US_ITIN" if is_itin and found.label == "ssn" else None
    if digits[:3] in ("000", "666"):
        return None
    is_written = re.fullmatch(r"[0-9]{3}-[0-9]{2}-[0-9]{4}", shown) is not None
    coded = is_code(found.scan.text, *found.match.span())
    return "US_SSN" if found.label == "ssn" or (is_written and not coded) else None


def _nino(found: _Candidate) -> str | None:
    prefix = found.match[0][:2].upper()
    if prefix in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ"):
        return None
    is_spaced = found.match[0].count(" ") >= 3  # noqa: PLR2004 - AB 12 34 56 C
    return "UK_NINO" if found.label == "nino" or (is_spaced and found.label is None) else None


def _nhs(found: _Candidate) -> str | None:
    return "UK_NHS" if found.label == "nhs" and nhs(found.digits) else None


def _rrn(found: _Candidate) -> str | None:
    if not rrn_date(found.digits) or found.label not in (None, "rrn"):
        return None
    return "KR_RRN" if found.label == "rrn" or rrn(found.digits) else None


def _passport(found: _Candidate) -> str | None:
    if found.label != "passport":
        return None
    before = found.scan.text[max(0, found.match.start() - 40) : found.match.start()]
    if "여권" in before or re.search(r"korea", before, re.IGNORECASE) or "韓国" in before:
        return "KR_PASSPORT"
    if re.search(r"(?<![A-Za-z])(?:uk|british|gb|united kingdom)(?![A-Za-z])|英国", before, re.IGNORECASE):
        return "UK_PASSPORT"
    return "US_PASSPORT"


def _license(found: _Candidate) -> str | None:
    return "US_DRIVER_LICENSE" if found.label == "license" else None


def _bank(found: _Candidate) -> str | None:
    if found.label != "bank":
        return None
    before = found.scan.text[max(0, found.match.start() - 34) : found.match.start()].lower()
    if "routing" in before or re.search(r"(?<![a-z])aba(?![a-z])", before):
        return "US_BANK_ACCOUNT" if len(found.digits) == 9 and routing(found.digits) else None  # noqa: PLR2004
    named = re.search(r"(?:bank|checking|savings|deposit|acct|a/c|account (?:number|no|#))", before)
    return "US_BANK_ACCOUNT" if named else None


#: (pattern, decision, the label without which nothing can be found)
_RULES: tuple[tuple[Late, Callable[[_Candidate], str | None], str | None], ...] = (
    (Late(rf"{_START}[0-9]{{6}}[- ]?[0-9]{{7}}{_END}"), _rrn, None),
    (Late(rf"{_START}[0-9]{{3}}[- .]?[0-9]{{2}}[- .]?[0-9]{{4}}{_END}"), _ssn, None),
    (
        Late(
            rf"{_START}[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{{2}} ?[0-9]{{2}} ?[0-9]{{2}} ?[A-D]{_END}",
            re.IGNORECASE,
        ),
        _nino,
        None,
    ),
    (Late(rf"{_START}[0-9]{{3}}[- ]?[0-9]{{3}}[- ]?[0-9]{{4}}{_END}"), _nhs, "nhs"),
    (
        Late(rf"{_START}(?:[0-9]{{9}}|[A-Z][0-9]{{8}}|[A-Z][0-9]{{3}}[A-Z][0-9]{{4}}){_END}", re.IGNORECASE),
        _passport,
        "passport",
    ),
    (
        Late(
            rf"{_START}(?:[A-Z]{{1,2}}[0-9]{{6,13}}|[A-Z][0-9]{{3}}-[0-9]{{3,4}}-[0-9]{{2,4}}(?:-[0-9]{{3}})?|[0-9]{{7,10}}){_END}",
            re.IGNORECASE,
        ),
        _license,
        "license",
    ),
    (Late(rf"{_START}[0-9](?:[- ]?[0-9]){{5,16}}{_END}"), _bank, "bank"),
)


def find_western_ids(scan: Scan) -> Iterator[Hit]:
    """Yield numbers of a person: US, UK, KR."""
    if not scan.has_number:
        return
    taken = Spans()
    for pattern, decide, needed in _RULES:
        if needed is not None and needed not in scan.labels.kinds:
            continue
        for match in pattern.finditer(scan.open):
            start, end = match.span()
            label = scan.labels.before(start) if decide is _bank else scan.labels.of(start, end)
            kind = decide(_Candidate(scan, match, label))
            if kind is not None and taken.take(start, end):
                yield Hit(kind, start, end, frozenset({re.sub(r"[^0-9A-Z]", "", match[0].upper())}))
