"""Values that may be shown: compared in their canonical form."""

import re
from collections.abc import Iterable

from rag_gate.detectors.personal import Found
from rag_gate.detectors.phones import canonical_phones
from rag_gate.folding import fold
from rag_gate.late import Late

_DETAIL = Late(r"[\s().,/-]+")


def canonical(value: str) -> str:
    """Return a value without width, case, spaces and separators."""
    return _DETAIL.sub("", fold(value, verbatim=True).text)


class Allowed:
    """An allow-list, ready to be asked."""

    def __init__(
        self,
        *,
        emails: Iterable[str] = (),
        domains: Iterable[str] = (),
        phones: Iterable[str] = (),
        values: Iterable[str] = (),
        patterns: Iterable[re.Pattern[str]] = (),
        regions: tuple[str, ...] = (),
    ) -> None:
        self._emails = {fold(email).text.strip() for email in emails}
        self._domains = tuple({fold(domain).text.strip().lstrip("@.") for domain in domains})
        self._phones = {
            key for phone in phones for key in canonical_phones(fold(phone).text.strip(), regions)
        }
        self._values = {canonical(value) for value in [*values, *phones]}
        self._patterns = tuple(patterns)

    def __call__(self, found: Found, value: str) -> bool:
        """Tell whether a found value may be shown.

        Args:
            found: what was found.
            value: as it stands in the text.
        """
        if found.type == "EMAIL":
            hosts = {key.rpartition("@")[2] for key in found.keys}
            if found.keys & self._emails or any(
                host == domain or host.endswith(f".{domain}") for host in hosts for domain in self._domains
            ):
                return True
        if found.type == "PHONE" and found.keys & self._phones:
            return True
        plain = fold(value, case=False, verbatim=True).text
        return canonical(value) in self._values or any(pattern.fullmatch(plain) for pattern in self._patterns)
