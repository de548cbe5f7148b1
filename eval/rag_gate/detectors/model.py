"""What detectors look at and what they give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from rag_gate.detectors.labels import Labels

Severity = Literal["critical", "contact", "weak", "secret"]

_CRITICAL = (
    "CREDIT_CARD IBAN JP_BANK_ACCOUNT JP_DRIVER_LICENSE JP_HEALTH_INSURANCE JP_MY_NUMBER JP_PASSPORT "
    "JP_PENSION JP_RESIDENCE_CARD KR_PASSPORT KR_RRN UK_NHS UK_NINO UK_PASSPORT US_BANK_ACCOUNT "
    "US_DRIVER_LICENSE US_ITIN US_PASSPORT US_SSN"
)
_CONTACT = "ADDRESS EMAIL JP_ADDRESS JP_POSTAL_CODE PHONE"
_WEAK = "DATE_OF_BIRTH IP PERSON"
#: Type of personal data -> how bad it is to show it.
SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        **dict.fromkeys(_CRITICAL.split(), "critical"),
        **dict.fromkeys(_CONTACT.split(), "contact"),
        **dict.fromkeys(_WEAK.split(), "weak"),
    }
)
_TAKEN = "\x00"


@dataclass(frozen=True, slots=True)
class Hit:
    """A value in folded text.

    Attributes:
        type: such as ``EMAIL``.
        start: offset in the folded text.
        end: offset after the last character.
        keys: canonical forms; two values are the same if they share one.
        published: a number that its issuer publishes for tests.
    """

    type: str
    start: int
    end: int
    keys: frozenset[str]
    published: bool = False


@dataclass
class Scan:
    """A folded text while detectors look at it.

    Attributes:
        text: the folded text.
        open: the same without what was already found, character by character.
        hits: what was found.
    """

    text: str
    open: str = ""
    hits: list[Hit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open = self.text

    @cached_property
    def labels(self) -> Labels:
        """The words of the text that say what a number is."""
        return Labels(self.text)

    def take(self, hits: Iterable[Hit]) -> None:
        """Keep what a detector found; later detectors do not see it."""
        found = list(hits)
        self.hits += found
        self.cover((hit.start, hit.end) for hit in found)

    def cover(self, spans: Iterable[tuple[int, int]]) -> None:
        """Hide spans from later detectors."""
        for start, end in spans:
            self.open = f"{self.open[:start]}{_TAKEN * (end - start)}{self.open[end:]}"
