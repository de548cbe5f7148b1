"""Find personal data in a text: every type, in an order in which the surer shape comes first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rag_gate.detectors.addresses import find_addresses, find_postal_codes
from rag_gate.detectors.births import find_births
from rag_gate.detectors.cards import find_cards, find_ibans
from rag_gate.detectors.emails import find_emails
from rag_gate.detectors.encoded import decoded_runs
from rag_gate.detectors.ids_ja import find_japanese_ids
from rag_gate.detectors.ids_west import find_western_ids
from rag_gate.detectors.ips import find_ips
from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.detectors.names import find_names
from rag_gate.detectors.neutral import neutral_spans
from rag_gate.detectors.phones import REGIONS, find_phones
from rag_gate.detectors.readings import rejoined, shown
from rag_gate.folding import Folded, fold
from rag_gate.late import Late

_HAS_NUMBER = Late(r"[0-9]|[〇一二三四五六七八九十](?:丁目|番|号|条)")
#: The label without which a number that was put together is none.
_LABELS = {"PHONE": "phone", "CREDIT_CARD": "card", "US_SSN": "ssn", "KR_RRN": "rrn", "UK_NINO": "nino"}
_NEVER_IN_PIECES = frozenset({"IP", "PERSON", "JP_POSTAL_CODE"})


@dataclass(frozen=True, slots=True)
class Found:
    """A value in the original text.

    Attributes:
        type: such as ``EMAIL``, or a secret's rule.
        start: offset in code points.
        end: offset after the last character.
        keys: canonical forms; two values are the same if they share one.
        published: a number that its issuer publishes for tests.
    """

    type: str
    start: int
    end: int
    keys: frozenset[str]
    published: bool = False


@lru_cache(maxsize=256)
def find_personal_data(text: str, regions: tuple[str, ...] = REGIONS) -> tuple[Found, ...]:
    """Return the personal data in a text, in order, without overlaps.

    Args:
        text: any text.
        regions: countries whose national telephone numbers are read.
    """
    folded = shown(fold(text, case=False, verbatim=True))
    taken = Spans()
    found = _apart_in(to_original(folded, _scanned(folded, regions).hits), taken)
    found += _apart_in(_in_pieces(folded, regions), taken)
    found += _apart_in(_encoded(folded, regions), taken)
    return tuple(sorted(found, key=lambda item: item.start))


def _scanned(folded: Folded, regions: Sequence[str]) -> Scan:
    scan = Scan(folded.text)
    scan.take(find_emails(scan))
    if _HAS_NUMBER.search(folded.text):
        _numbers(scan, regions)
    scan.take(find_names(scan))
    return scan


def _apart_in(found: Iterable[Found], taken: Spans) -> list[Found]:
    return [item for item in found if taken.take(item.start, item.end)]


def _in_pieces(folded: Folded, regions: Sequence[str]) -> Iterator[Found]:
    """Yield values that line ends, unusual signs or kanji figures hide, where their own form or a label is sure."""
    joined = rejoined(folded)
    if joined is None:
        return
    whole, places = joined
    scan = _scanned(whole, regions)
    sure = [
        hit
        for hit in scan.hits
        if any(hit.start <= start and end <= hit.end for start, end in places) and _is_sure(hit, scan)
    ]
    yield from to_original(whole, sure)


def _is_sure(hit: Hit, scan: Scan) -> bool:
    wanted = _LABELS.get(hit.type)
    if wanted is None or scan.text[hit.start] == "+":
        return hit.type not in _NEVER_IN_PIECES
    return scan.labels.of(hit.start, hit.end) == wanted


def _encoded(folded: Folded, regions: tuple[str, ...]) -> Iterator[Found]:
    """Yield runs of base64 that say a value."""
    for start, end, said in decoded_runs(folded.text):
        first, last = folded.original(start, end)
        for inner in find_personal_data(said, regions)[:1]:
            yield replace(inner, start=first, end=last)


def _numbers(scan: Scan, regions: Sequence[str]) -> None:
    scan.take(find_births(scan))
    scan.take(find_ibans(scan))
    scan.cover(neutral_spans(scan.open))
    scan.take(find_ips(scan))
    scan.take(_apart(find_japanese_ids(scan)))
    scan.take(find_western_ids(scan))
    scan.take(find_cards(scan))
    scan.take(find_phones(scan, regions))
    scan.take(find_postal_codes(scan))
    scan.take(find_addresses(scan))


def _apart(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits that do not overlap one before them."""
    taken = Spans()
    return (hit for hit in hits if taken.take(hit.start, hit.end))


def to_original(folded: Folded, hits: Iterable[Hit]) -> Iterator[Found]:
    """Yield hits with their places in the original."""
    for hit in hits:
        start, end = folded.original(hit.start, hit.end)
        yield Found(hit.type, start, end, hit.keys, hit.published)
