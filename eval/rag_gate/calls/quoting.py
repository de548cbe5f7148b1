"""Words of services and programs in our messages: short, on one line, without secrets."""

import re
import unicodedata
from collections.abc import Iterable

_LIMIT = 200
_SHORTEST_SECRET = 4
#: Of a longer text no more is looked at.
_READ = 50_000


class Quoter:
    """Quotes untrusted text.

    Args:
        secrets: what must not be shown, such as a key that a service repeats in its error message.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        joined = {"".join(sign for sign in secret if not _is_passed_over(sign)) for secret in secrets}
        longest_first = sorted((s for s in joined if len(s) >= _SHORTEST_SECRET), key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        self._has_secrets = bool(longest_first)

    def __call__(self, text: str) -> str:
        """Return at most 200 characters, without line breaks, control characters and secrets."""
        hidden = self._hidden(text[:_READ])[: 4 * _LIMIT]
        visible = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in hidden)
        line = " ".join(visible.split())
        return line if len(line) <= _LIMIT else f"{line[: _LIMIT - 1]}…"

    def _hidden(self, text: str) -> str:
        """Hide secrets, also where line breaks or signs that nobody sees stand in them."""
        if not self._has_secrets:
            return text
        places = [place for place, sign in enumerate(text) if not _is_passed_over(sign)]
        parts, end = [], 0
        for match in self._secrets.finditer("".join(text[place] for place in places)):
            parts += [text[end : places[match.start()]], "***"]
            end = places[match.end() - 1] + 1
        return "".join([*parts, text[end:]])


def _is_passed_over(sign: str) -> bool:
    """Tell what can stand in a word without being seen: white space, control and format characters, marks."""
    return (
        not (sign.isascii() and sign.isprintable() and sign != " ") and unicodedata.category(sign)[0] in "CMZ"
    )
