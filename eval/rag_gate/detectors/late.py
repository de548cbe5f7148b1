"""Regular expressions that are compiled when they are first used: most commands never meet a text for them."""

import re
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

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        return self.compiled.search(text)
