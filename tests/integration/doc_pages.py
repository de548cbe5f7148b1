"""The pages of the documentation, and the blocks in them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Block(NamedTuple):
    """A fenced block; its label is what stands after the language, such as ``settings file=rag-gate.yml``."""

    page: str
    line: int
    language: str
    label: str
    text: str

    @property
    def options(self) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self.label.split() if "=" in part)

    @property
    def kind(self) -> str:
        return next((part for part in self.label.split() if "=" not in part), "")


def _blocks(page: Path) -> Iterator[Block]:
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "fence":
            language, _, label = token.info.strip().partition(" ")
            line = (token.map or [0])[0] + 1
            yield Block(str(page.relative_to(ROOT)), line, language, label, token.content)


BLOCKS = [block for page in PAGES for block in _blocks(page)]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """Return the part of a page below a heading, to the next heading of its level or above."""
    level = len(title) - len(title.lstrip("#"))
    _, found, after = text_of(page).partition(f"\n{title}\n")
    assert found, f"{page} has no heading {title}"
    return re.split(rf"\n#{{1,{level}}} ", after)[0]


def coded(text: str) -> set[str]:
    """Return what stands between back quotes."""
    return set(re.findall(r"`([^`\n]+)`", text))


def saved(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)
