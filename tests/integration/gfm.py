"""What GitHub's own parser (cmark-gfm with its extensions) makes of a comment: structure, not looks."""

import re
from collections import Counter
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

#: Elements without an end.
_EMPTY = frozenset({"br", "hr", "img", "input"})
_CODE = frozenset({"code", "pre"})


class Page(HTMLParser):
    """The structure of a rendered comment.

    Attributes:
        tags: element -> how many.
        attributes: all of them, as ``tag.name=value``.
        comments: hidden ones.
        tables: per table the cells of each row.
        texts: what is read outside of code, where GitHub looks for mentions and references.
        summaries: text of each summary.
        headings: text of each heading.
        unbalanced: end tags without their start.
    """

    def __init__(self, markdown: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.comments: list[str] = []
        self.tables: list[list[int]] = []
        self.texts: list[str] = []
        self.summaries: list[str] = []
        self.headings: list[str] = []
        self.unbalanced: list[str] = []
        self._open: list[str] = []
        self.html = cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE)
        self.feed(self.html)
        self.close()
        self.unbalanced += self._open

    @property
    def depth(self) -> int:
        """How many details are open in one another."""
        return self._open.count("details")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {f"{tag}.{name}={value or ''}" for name, value in attrs}
        if tag == "details" and self.depth:
            self.unbalanced.append("details in details")
        if tag not in _EMPTY:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append(0)
        elif tag in {"td", "th"}:
            self.tables[-1][-1] += 1
        elif tag == "summary":
            self.summaries.append("")
        elif re.fullmatch("h[1-6]", tag):
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.unbalanced.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if not _CODE & set(self._open):
            self.texts.append(data)
        if "summary" in self._open:
            self.summaries[-1] += data
        if any(re.fullmatch("h[1-6]", tag) for tag in self._open):
            self.headings[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


#: What may be in a comment of ours.
_TAGS = frozenset(
    (
        "h2",
        "p",
        "strong",
        "code",
        "pre",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "ul",
        "li",
    )
)
_ATTRIBUTES = re.compile(r"details\.open=|pre\.lang=(?:sh|mermaid)|code\.class=language-(?:sh|mermaid)")
_REFERENCES = re.compile(r"@[0-9a-z]|(?<![0-9a-z])#[0-9]|://|\bwww\.", re.IGNORECASE | re.ASCII)


def assert_harmless(markdown: str, limit: int = 60_000) -> Page:
    """Only our own structure, whatever texts are in it: nothing is mentioned, linked, hidden or left open."""
    assert len(markdown) <= limit
    page = Page(markdown)
    assert page.comments == [" rag-gate:default "]
    assert set(page.tags) <= _TAGS, set(page.tags) - _TAGS
    assert [found for found in page.attributes if not _ATTRIBUTES.fullmatch(found)] == []
    assert page.unbalanced == []
    assert page.tags["h2"] == len(page.headings) == 1
    assert _REFERENCES.findall("\n".join(page.texts)) == []
    lines = markdown.splitlines()
    assert page.tags["details"] == sum(line.startswith("<details") for line in lines)
    assert page.tags["summary"] == page.tags["details"]
    assert all(page.summaries)
    _assert_tables(page, lines)
    return page


def _assert_tables(page: Page, lines: list[str]) -> None:
    """Each line that looks like a row is one, of as many cells as its header; GitHub itself would cut or fill up."""
    expected: list[list[int]] = []
    rows = [line for line in lines if line.startswith("|")]
    for line, following in zip(rows, [*rows, ""][1:], strict=True):
        cells = len(re.findall(r"(?<!\\)\|", line)) - 1
        if following.startswith("| ---"):
            expected.append([cells])
        elif not line.startswith("| ---"):
            expected[-1].append(cells)
    assert page.tables == expected
    assert all(len(set(table)) == 1 for table in expected)
