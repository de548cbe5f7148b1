"""All detectors with one set of settings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rag_gate.detectors.allowed import Allowed
from rag_gate.detectors.model import Spans
from rag_gate.detectors.personal import Found, find_personal_data
from rag_gate.detectors.phones import REGIONS
from rag_gate.detectors.secrets import UserRule, find_secrets


@dataclass(frozen=True)
class Scanner:
    """Finds secrets and personal data.

    Attributes:
        allowed: personal data that may be shown.
        regions: countries whose national telephone numbers are read.
        rules: secrets beside the built-in kinds.
        known_harmless: patterns of what looks like a secret and is none.
        ignored: types of personal data that are not looked for.
    """

    allowed: Allowed = field(default_factory=Allowed)
    regions: tuple[str, ...] = REGIONS
    rules: tuple[UserRule, ...] = ()
    known_harmless: tuple[re.Pattern[str], ...] = ()
    ignored: frozenset[str] = frozenset()

    def secrets(self, text: str) -> Iterator[Found]:
        """Yield keys, tokens and passwords."""
        for found in find_secrets(text, self.rules):
            value = text[found.start : found.end]
            if not any(pattern.fullmatch(value) for pattern in self.known_harmless):
                yield found

    def personal_data(self, text: str) -> Iterator[Found]:
        """Yield personal data, on the allow-list or not, but for what is part of a secret."""
        taken = Spans()
        for secret in self.secrets(text):
            taken.take(secret.start, secret.end)
        return (
            found
            for found in find_personal_data(text, self.regions)
            if found.type not in self.ignored and taken.take(found.start, found.end)
        )

    def to_hide(self, text: str) -> list[Found]:
        """Return everything that must not be shown, in order."""
        personal = [
            found
            for found in self.personal_data(text)
            if not self.allowed(found, text[found.start : found.end])
        ]
        return sorted([*self.secrets(text), *personal], key=lambda found: found.start)
