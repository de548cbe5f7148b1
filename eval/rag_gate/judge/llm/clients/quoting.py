"""Words of services and programs in our messages: short, on one line, without secrets."""

import re
import unicodedata
from collections.abc import Iterable

_LIMIT = 200
_SHORTEST_SECRET = 4


class Quoter:
    """Quotes untrusted text.

    Args:
        secrets: what must not be shown, such as a key that a service repeats in its error message.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        longest_first = sorted({s for s in secrets if len(s) >= _SHORTEST_SECRET}, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        self._has_secrets = bool(longest_first)

    def __call__(self, text: str) -> str:
        """Return at most 200 characters, without line breaks, control characters and secrets."""
        hidden = self._secrets.sub("***", text) if self._has_secrets else text
        visible = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in hidden[: 4 * _LIMIT])
        line = " ".join(visible.split())
        # A secret can also stand across a line break.
        line = self._secrets.sub("***", line) if self._has_secrets else line
        return line if len(line) <= _LIMIT else f"{line[: _LIMIT - 1]}…"
