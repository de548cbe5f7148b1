"""Read an event, which is data from outside: what is not of the right form is not there."""

import re
from collections.abc import Mapping
from typing import Any

_SHA = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_LONGEST = 1_000


class Payload:
    """A JSON document, asked by path."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def _at(self, *path: str) -> object:
        found: object = self._document
        for key in path:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def has(self, *path: str) -> bool:
        """Tell whether anything stands there."""
        return self._at(*path) is not None

    def text(self, *path: str) -> str | None:
        """Return a text, None where there is none."""
        found = self._at(*path)
        return found[:_LONGEST] if isinstance(found, str) and found else None

    def number(self, *path: str) -> int | None:
        """Return a whole number above 0, None where there is none."""
        found = self._at(*path)
        return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None

    def sha(self, *path: str) -> str | None:
        """Return a full commit id, None where there is none (all zeros = no commit)."""
        found = self._at(*path)
        if not isinstance(found, str) or not _SHA.match(found) or not found.strip("0"):
            return None
        return found
