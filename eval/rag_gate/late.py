"""Regular expressions that are compiled when they are first used: most commands never meet a text for them."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_METHODS = ("finditer", "findall", "search", "match", "fullmatch", "split", "sub", "subn")


class Late:
    """A regular expression, compiled when it is first used; from then on its methods are those of the compiled one.

    Args:
        pattern: as ``re.compile`` takes it, or what returns it where it takes time to put together.
        flags: likewise.
    """

    def __init__(self, pattern: str | Callable[[], str], flags: int = 0) -> None:
        self._source, self._flags = pattern, flags

    @property
    def pattern(self) -> str:
        """The expression as it is written."""
        return self._source if isinstance(self._source, str) else self._source()

    @property
    def groupindex(self) -> Mapping[str, int]:
        """The named groups and their numbers."""
        return self._compiled().groupindex

    def _compiled(self) -> re.Pattern[str]:
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({name: getattr(compiled, name) for name in _METHODS})
        return compiled

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Yield the matches in a text, or a part of it."""
        return self._compiled().finditer(text, start, end)

    def findall(self, text: str, start: int = 0, end: int = sys.maxsize) -> list[Any]:
        """Return what matches in a text, or a part of it: the group, or a tuple of the groups, where it has some."""
        return self._compiled().findall(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match in a text, or a part of it."""
        return self._compiled().search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match at the start of a text, or of a part of it."""
        return self._compiled().match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match of the whole text, or of a whole part of it."""
        return self._compiled().fullmatch(text, start, end)

    def split(self, text: str, most: int = 0) -> list[str | Any]:
        """Return the parts of a text between the matches; 0: at all of them."""
        return self._compiled().split(text, most)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, most: int = 0) -> str:
        """Return a text with its matches replaced; 0: all of them."""
        return self._compiled().sub(new, text, most)

    def subn(self, new: str | Callable[[re.Match[str]], str], text: str, most: int = 0) -> tuple[str, int]:
        """Return a text with its matches replaced, and how many there were; 0: all of them."""
        return self._compiled().subn(new, text, most)
