"""What one written form of a value is."""

import re
from collections.abc import Callable
from typing import NamedTuple

from rag_gate.judge.values import Kind
from rag_gate.late import Late

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Form(NamedTuple):
    """One way to write a value in folded text.

    Patterns begin with a character class and what stands before is checked afterwards: that is
    several times faster than a look-behind or an optional part at the front.

    Attributes:
        kind: the kind of value.
        pattern: what it looks like.
        read: gives canonical form and unit of a match, or None when it is no such value.
        needs: the form is only tried when one of these stands in the lower-case text; ``9-9`` for any digits with a
            hyphen between them, likewise ``9/9``, ``9.9``, ``9:9``.
        not_after: characters that must not stand right before it.
    """

    kind: Kind
    pattern: Late
    read: Callable[[re.Match[str]], tuple[str, str] | None]
    needs: tuple[str, ...]
    not_after: str = ""

    def accepts(self, match: re.Match[str]) -> bool:
        """Tell whether the match may begin where it begins."""
        return match.start() == 0 or match.string[match.start() - 1] not in self.not_after
