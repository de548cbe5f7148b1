"""Find personal data in a text: every type, in an order in which the surer shape comes first."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_gate.detectors.addresses import find_addresses, find_postal_codes
from rag_gate.detectors.births import find_births
from rag_gate.detectors.cards import find_cards, find_ibans
from rag_gate.detectors.emails import find_emails
from rag_gate.detectors.ids_ja import find_japanese_ids
from rag_gate.detectors.ids_west import find_western_ids
from rag_gate.detectors.ips import find_ips
from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.detectors.names import find_names
from rag_gate.detectors.neutral import neutral_spans
from rag_gate.detectors.phones import REGIONS, find_phones
from rag_gate.folding import Folded, fold

_DIGIT = re.compile("[0-9]")


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
    folded = fold(text, case=False, verbatim=True)
    scan = Scan(folded.text)
    scan.take(find_emails(scan))
    if _DIGIT.search(scan.text):
        _numbers(scan, regions)
    scan.take(find_names(scan))
    return tuple(sorted(to_original(folded, scan.hits), key=lambda found: found.start))


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
