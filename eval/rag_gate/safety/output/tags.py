"""HTML in an answer: only names that browsers know are tags, the rest is text in angle brackets."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST_VALUE = 4000
_OPEN = re.compile(r"<([a-z][a-z0-9:-]*)(?=[\s/>\x00]|\Z)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"[\s/\x00]*([^\s\"'<>/=\x00]+)"
    rf"(?:\s{{0,50}}=\s{{0,50}}(\"[^\"]{{0,{_LONGEST_VALUE}}}\"|'[^']{{0,{_LONGEST_VALUE}}}'|[^\s\"'<>`]+))?"
)
_ACTIVE = (
    "script style iframe frame frameset object embed applet param form input button select textarea option "
    "optgroup label fieldset link meta base svg math template slot dialog portal marquee bgsound layer ilayer xml "
    "noscript noembed noframes plaintext xmp listing html head body title map canvas keygen isindex foreignobject "
    "animate animatetransform set use"
)
#: Tags that load, run, submit or restyle something.
ACTIVE = frozenset(_ACTIVE.split())
#: Tags that load a file when the answer is shown.
MEDIA = frozenset({"img", "image", "video", "audio", "source", "track", "picture"})
_LOADING = frozenset({"src", "srcset", "poster", "background", "data", "lowsrc", "dynsrc"})
_LEADING = frozenset({"href", "xlink:href", "action", "formaction", "ping", "cite", "longdesc"})
_HANDLER = re.compile(r"on[a-z]{3,24}\Z")
_STYLE = re.compile(r"url\s*\(|expression\s*\(|@import|position\s*:|behaviou?r\s*:", re.IGNORECASE)


_CSS_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|/\*.{0,200}?\*/", re.IGNORECASE | re.DOTALL)
_LAST_CODE = 0x10FFFF


def _css_char(found: re.Match[str]) -> str:
    code = int(found[1] or "0", 16)
    return chr(code) if 0 < code <= _LAST_CODE else ""


@dataclass(frozen=True, slots=True)
class Tag:
    """An opening tag.

    Attributes:
        name: lower case.
        loads: addresses that are fetched when the answer is shown.
        leads_to: addresses that are opened on a click.
        runs: whether it carries code (a script, an event handler, a page of its own).
        restyles: whether a style fetches something or covers the page.
    """

    name: str
    loads: tuple[str, ...]
    leads_to: tuple[str, ...]
    runs: bool
    restyles: bool


def find_tags(text: str) -> Iterator[Tag]:
    """Yield every opening tag of a text, complete or not (a browser completes it with what follows)."""
    for opened in _OPEN.finditer(text):
        attributes = dict(_attributes(text, opened.end()))
        name = opened[1].lower()
        yield Tag(
            name=name,
            loads=tuple(_addresses(attributes, _LOADING)),
            leads_to=tuple(_addresses(attributes, _LEADING)),
            runs=name == "script" or "srcdoc" in attributes or any(map(_HANDLER.match, attributes)),
            restyles=bool(_STYLE.search(_CSS_ESCAPE.sub(_css_char, attributes.get("style", "")))),
        )


def _attributes(text: str, at: int) -> Iterator[tuple[str, str]]:
    while found := _ATTRIBUTE.match(text, at):
        value = found[2] or ""
        yield found[1].lower(), html.unescape(value.strip("\"'"))
        at = found.end()


def _addresses(attributes: dict[str, str], names: frozenset[str]) -> Iterator[str]:
    for name in names & attributes.keys():
        value = attributes[name]
        if name == "srcset":
            yield from (part.split()[0] for part in value.split(",") if part.strip())
        elif value.strip():
            yield value
