"""Where a link leads, read the way the most careless browser would read it."""

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SLASHES = re.compile(r"[/\\]*")
_WEB = frozenset({"http", "https", "ftp", "ws", "wss"})
#: Schemes that run code, or show what an attacker has written as if it were a page.
DANGEROUS = frozenset(
    {"javascript", "vbscript", "livescript", "mocha", "data", "file", "blob", "filesystem", "jar", "mhtml"}
    | {"view-source", "about", "chrome", "intent", "search-ms", "ms-msdt"}
)
_HARMLESS_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp)[;,]", re.IGNORECASE)
_LONGEST_HOST = 253


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads.

    Attributes:
        scheme: lower case, empty where the link has none.
        hosts: every host that some reader could take it for; empty for a relative link.
        is_broken: a reader could not make sense of it, so nobody knows where it leads.
        is_raster: an image that stands in the link itself (``data:image/png``).
    """

    scheme: str
    hosts: frozenset[str]
    is_broken: bool = False
    is_raster: bool = False

    @property
    def is_dangerous(self) -> bool:
        """Whether the scheme alone is an attack."""
        return self.scheme in DANGEROUS

    @property
    def is_relative(self) -> bool:
        """Whether it stays on the site that shows the answer."""
        return not (self.scheme or self.hosts or self.is_broken)


@lru_cache(maxsize=256)
def read_url(raw: str) -> Target:
    """Read a link; hostile text never raises.

    Readers differ over backslashes, full-width characters and control characters inside a link, so it is
    read in every one of these ways and all hosts are returned.
    """
    plain = "".join(char for char in raw if not _is_ignored(char))
    folded = unicodedata.normalize("NFKC", plain)
    resolved = "".join(char for char in html.unescape(plain) if not _is_ignored(char))
    texts = {plain, folded, resolved, plain.replace("\\", "/"), folded.replace("\\", "/")}
    schemes, hosts, broken = set(), set(), False
    for text in texts:
        scheme, host = _read(text)
        schemes.add(scheme)
        broken = broken or host is None
        if host:
            hosts.add(host)
    dangerous = sorted(schemes & DANGEROUS)
    return Target(
        scheme=dangerous[0] if dangerous else max(schemes),
        hosts=frozenset(hosts),
        is_broken=broken,
        is_raster=bool(_HARMLESS_DATA.match(folded)),
    )


def _is_ignored(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf")


def _read(text: str) -> tuple[str, str | None]:
    """Return scheme and host; the host is empty where there is none and None where it cannot be read."""
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found else ""
    rest = text[found.end() :] if found else text
    slashes = _SLASHES.match(rest)
    count = slashes.end() if slashes else 0
    if scheme in _WEB:
        return scheme, _host(rest[count:])
    if not scheme and count > 1:
        return scheme, _host(rest[count:])
    return scheme, ""


def _host(rest: str) -> str | None:
    try:
        host = unquote(urlsplit(f"//{rest}").hostname or "")
    except ValueError:  # "Invalid IPv6 URL" and the like: nobody knows where it leads
        return None
    return plain_host(host)


def plain_host(host: str) -> str | None:
    """Return the form in which hosts are compared (lower case, punycode, no final dot), None if it is none."""
    name = unicodedata.normalize("NFKC", host).casefold().rstrip(".")
    if not name or len(name) > _LONGEST_HOST or re.search(r"[\s/\\@?#<>%]", name):
        return None
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
