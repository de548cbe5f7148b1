import itertools
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PATTERNS = ("*.md", "docs/**/*.md", "tests/*.md", "examples/*/*.md", "prompts/README.md", ".github/**/*.md")
PAGES = [page for pattern in PATTERNS for page in sorted(ROOT.glob(pattern))]
MARKDOWN = MarkdownIt("commonmark").enable("table")


def tokens(path: Path) -> list[Token]:
    blocks = MARKDOWN.parse(path.read_text(encoding="utf-8"))
    return [inner for block in blocks for inner in (block, *(block.children or []))]


def targets(path: Path) -> list[str]:
    found = [token.attrGet("href") or token.attrGet("src") for token in tokens(path)]
    return [unquote(str(target)) for target in found if target is not None]


def anchors(path: Path) -> set[str]:
    """Give the anchors that GitHub makes of the headings."""
    parsed = tokens(path)
    headings = [
        after.content for before, after in itertools.pairwise(parsed) if before.type == "heading_open"
    ]
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {f"{slug}-{plain[:i].count(slug)}" if slug in plain[:i] else slug for i, slug in enumerate(plain)}


def broken(path: Path, root: Path = ROOT) -> list[str]:
    problems = []
    for target in targets(path):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        linked = (path.parent / parts.path).resolve() if parts.path else path
        if not linked.is_relative_to(root) or not linked.exists():
            problems.append(f"{target}: no such file")
        elif parts.fragment and linked.suffix == ".md" and parts.fragment not in anchors(linked):
            problems.append(f"{target}: no such heading")
    return problems


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_relative_links_lead_somewhere(page: str) -> None:
    assert broken(ROOT / page) == []


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "[a](https://example.com) [b](nowhere.md) [c](#here) [d](page.md#there)\n\n# Here\n\n`[e](code.md)`\n"
    )
    assert broken(page, tmp_path) == ["nowhere.md: no such file", "page.md#there: no such heading"]


def test_a_link_out_of_the_repository_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "outside.md").touch()
    (tmp_path / "inside").mkdir()
    page = tmp_path / "inside" / "page.md"
    page.write_text("[a](../outside.md)\n")
    assert broken(page, tmp_path / "inside") == ["../outside.md: no such file"]
