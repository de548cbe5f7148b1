"""URLs that stand in plain text; many chat windows make links of them."""

import re
import unicodedata
from collections.abc import Iterator

_ENDS = str.maketrans(dict.fromkeys("「」『』【】〈〉《》〔〕（）［］｛｝＜＞、。，！？；“”‘’…・\ufffc", " "))
_BARE = re.compile(
    r"(?<![a-z0-9])(?:[a-z][a-z0-9+-]{1,20}:[/\\]{2}|www\.)[^\s<>\"'`{}|^()\[\]]+", re.IGNORECASE
)
_CLOSING = ".,;:!?*_~"
_HOST = re.compile(r"((?:[a-z][a-z0-9+-]{1,20}:[/\\]{2})?)([^/\\?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_GLUED = re.compile(
    r"((?:[^@]*@)?(?:[a-z0-9-]{1,63}\.){1,20}[a-z]{2,24}(?::[0-9]+)?)(?=[\u3040-\u30ff\u3400-\u9fff])[^.@]*\Z",
    re.IGNORECASE,
)


def bare_urls(text: str) -> Iterator[str]:
    """Yield the URLs of a plain text, full-width ones made plain.

    Japanese brackets and stops end a URL, and so does a Japanese word right behind the host
    (``https://www.example.comをご覧ください``).
    """
    plain = unicodedata.normalize("NFKC", text.translate(_ENDS))
    for found in _BARE.finditer(plain):
        url = found.group().rstrip(_CLOSING)
        parts = _HOST.match(url)
        glued = _GLUED.match(parts[2]) if parts else None
        if parts and glued:
            url = parts[1] + glued[1]
        yield url if "://" in url or ":\\" in url or ":/" in url else f"https://{url}"
