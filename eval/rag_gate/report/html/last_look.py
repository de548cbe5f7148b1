"""The last look at a page before it is written: no found value may be readable in it."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from rag_gate.detectors.model import SEVERITIES
from rag_gate.errors import NotJudgedError
from rag_gate.masking import Masker, texts_of

_BLOCK = re.compile(r'<script type="application/json" id="[a-z]+">(.*?)</script>', re.DOTALL)
_SILENT = frozenset({"script", "style"})
_SPOKEN = frozenset({"aria-label", "title", "content", "href"})


def refuse_values(page: str, masker: Masker) -> None:
    """Look at every text of the page, whether it is shown at once or by the script.

    Raises:
        NotJudgedError: if a value is readable; then the page must not be written.
    """
    for text in set(_texts(page)):
        left = [item.type for item in masker.scanner.to_hide(text) if SEVERITIES.get(item.type) != "weak"]
        if left:
            raise NotJudgedError(
                f"the page is withheld: it would show a value of type {left[0]} that could not be masked; "
                "please report this, the verdict stands in verdict.json"
            )


def _texts(page: str) -> Iterator[str]:
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
