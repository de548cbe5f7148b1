"""Regular expressions that are compiled when they are first used: most commands never meet a text for them."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property


class Late:
    """A regular expression, compiled when it is first used.

    Args:
        pattern: as ``re.compile`` takes it, or what returns it where it takes time to put together.
        flags: likewise.
    """

    def __init__(self, pattern: str | Callable[[], str], flags: int = 0) -> None:
        self._pattern, self._flags = pattern, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        pattern = self._pattern if isinstance(self._pattern, str) else self._pattern()
        return re.compile(pattern, self._flags)

    @property
    def groupindex(self) -> Mapping[str, int]:
        """The named groups and their numbers."""
        return self.compiled.groupindex

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text."""
        return self.compiled.finditer(text)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match in a text, or a part of it."""
        return self.compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match at the start of a text, or of a part of it."""
        return self.compiled.match(text, start, end)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return a text with its matches replaced."""
        return self.compiled.sub(new, text)
