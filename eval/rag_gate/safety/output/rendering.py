"""What a markdown renderer would make of an answer: links, images, HTML and plain text."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

#: A place that a renderer shows as it is written (code, an escaped character).
INERT = "\ufffc"
_NESTING = 20


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image as written.

    Attributes:
        kind: ``image`` is fetched when the answer is shown, ``link`` on a click.
        url: its address, entities and escapes resolved.
        text: what is shown for it.
    """

    kind: Literal["link", "image"]
    url: str
    text: str


@dataclass(slots=True)
class Rendered:
    """What an answer becomes.

    Attributes:
        links: links and images of markdown, in order.
        html: stretches that are passed on as HTML, or look like it to a browser.
        text: plain text without code, for what is recognised in plain text.
    """

    links: list[Link] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


@lru_cache(maxsize=4)
def render(answer: str) -> Rendered:
    """Parse an answer as CommonMark with HTML; code blocks and inline code are left out."""
    found = Rendered()
    _walk(_parser().parse(answer), found)
    return found


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    # Text is not joined, so that an escaped "<" can be told from one that opens a tag.
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _NESTING}).disable("text_join")
    parser.validateLink = _any  # type: ignore[method-assign] # by default javascript: links vanish
    parser.normalizeLink = _as_written  # type: ignore[method-assign]
    return parser


def _any(url: str) -> bool:
    del url
    return True


def _as_written(url: str) -> str:
    return url


def _walk(tokens: "Sequence[Token]", found: Rendered) -> None:
    for token in tokens:
        if token.type == "inline":
            _inline(token.children or [], found)
        elif token.type == "html_block":
            found.html.append(token.content)
            found.text.append(token.content)


def _inline(tokens: "Sequence[Token]", found: Rendered) -> None:
    line = _Line()
    for token in tokens:
        if token.type == "link_open":
            line.opened.append((str(token.attrGet("href") or ""), len(line.shown)))
        elif token.type == "link_close":
            found.links.append(line.closed())
        elif token.type == "image":
            found.links.append(Link("image", str(token.attrGet("src") or ""), token.content))
            line.add(INERT, INERT)
        elif token.type in {"softbreak", "hardbreak"}:
            line.add("\n", "\n")
        elif token.type == "html_inline":
            line.add(INERT, token.content)
        elif token.type == "text":
            line.add(token.content, token.content)
        elif token.content:  # code, an escaped character
            line.add(token.content if token.type == "text_special" else INERT, INERT)
    found.text.append("".join(line.shown))
    found.html.append("".join(line.markup))


class _Line:
    """The text of one paragraph as it is shown, and what of it a browser may take for HTML."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.markup: list[str] = []
        self.opened: list[tuple[str, int]] = []

    def add(self, shown: str, markup: str) -> None:
        self.shown.append(shown)
        self.markup.append(markup)

    def closed(self) -> Link:
        url, start = self.opened.pop()
        text = "".join(self.shown[start:])
        self.shown[start:] = [INERT]
        return Link("link", url, text)
