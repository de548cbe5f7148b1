"""What can be read in a page, for the last look before it is written."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from rag_gate.masking import texts_of

_BLOCK = re.compile(r'<script type="application/json" id="[a-z]+">(.*?)</script>', re.DOTALL)
_SILENT = frozenset({"script", "style"})
_SPOKEN = frozenset({"aria-label", "title", "content", "href"})


def texts_of_page(page: str) -> Iterator[str]:
    """Yield every text of a page, whether it is shown at once or by the script."""
    for block in _BLOCK.findall(page):
        yield from texts_of(json.loads(block))
    reader = _Reader()
    reader.feed(_BLOCK.sub("", page))
    reader.close()
    yield from reader.texts


class _Reader(HTMLParser):
    """Collects what a reader sees or hears of the document itself."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag in _SILENT
        self.texts += [value for name, value in attrs if value and name in _SPOKEN]

    def handle_endtag(self, tag: str) -> None:
        del tag
        self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.texts.append(data)
