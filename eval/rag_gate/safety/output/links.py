"""Links and images of an answer: where they lead, and whether their text says so."""

import re
from collections.abc import Iterator, Sequence

from rag_gate.safety.output.allowed import is_allowed_host, leads_out
from rag_gate.safety.output.bare_urls import bare_urls
from rag_gate.safety.output.rendering import Link, Rendered
from rag_gate.safety.output.urls import read_url

#: Rule, and the address or text that broke it.
Broken = tuple[str, str]
_NAMED = re.compile(
    r"\s*(?P<web>(?:https?:)?//|www\.)?(?P<host>(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?=[/:?#\s]|\Z)",
    re.IGNORECASE,
)


def broken_links(rendered: Rendered, allowed: Sequence[str] | None) -> Iterator[Broken]:
    """Yield (rule, address) for each link and image that must not stand in an answer.

    Args:
        rendered: the answer.
        allowed: hosts that links may lead to; None = nobody has said, so a link may lead anywhere, and an
            image, which is fetched without a click, only to the own site.
    """
    for link in all_links(rendered):
        if link.kind == "image":
            yield from broken_image(link.url, allowed)
        else:
            yield from broken_link(link.url, allowed)
            if _says_otherwise(link, allowed):
                yield "LINK_TEXT_MISMATCH", link.url


def all_links(rendered: Rendered) -> Iterator[Link]:
    """Yield the links of markdown and those of plain text."""
    yield from rendered.links
    for text in rendered.text:
        for url in bare_urls(text):
            yield Link("link", url, url)


def broken_link(url: str, allowed: Sequence[str] | None) -> Iterator[Broken]:
    """Yield what is wrong with a link."""
    target = read_url(url)
    if target.is_dangerous:
        yield "DANGEROUS_LINK", url
    elif allowed is not None and leads_out(target, allowed):
        yield "LINK_NOT_ALLOWED", url


def broken_image(url: str, allowed: Sequence[str] | None) -> Iterator[Broken]:
    """Yield what is wrong with something that is fetched when the answer is shown."""
    target = read_url(url)
    if target.is_dangerous and not target.is_raster:
        yield "DANGEROUS_LINK", url
    elif not target.is_raster and leads_out(target, allowed or ()):
        yield "MD_IMAGE_EXTERNAL", url


def _says_otherwise(link: Link, allowed: Sequence[str] | None) -> bool:
    """Tell whether the text of a link names another host than the one it leads to."""
    named = _NAMED.match(link.text)
    hosts = read_url(link.url).hosts
    if named is None or not hosts:
        return False
    said = named["host"].lower().removeprefix("www.")
    if not named["web"] and not is_allowed_host(said, allowed or ()):
        return False  # "README.md" is no host
    return not all(is_allowed_host(host, (said,)) or is_allowed_host(said, (host,)) for host in hosts)
