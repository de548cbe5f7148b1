"""Forms in which a secret string can stand in an answer."""

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_NOT_WORD = re.compile(r"[\W_]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){6,}")


@lru_cache(maxsize=64)
def squeezed(text: str) -> str:
    """Return letters and digits alone, in one width and case: spaces, dashes and marks cannot hide a word."""
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))


def decoded(answer: str) -> Iterator[str]:
    """Yield what the answer says in base64 and in hexadecimal digits, whatever their spacing."""
    joined = re.sub(r"\s+", "", answer)
    for text in {answer, joined}:
        for found in _BASE64.finditer(text):
            yield from _of_base64(found.group().rstrip("="))
        for found in _HEX.finditer(text):
            yield bytes.fromhex(re.sub(r"[ :]", "", found.group())).decode("utf-8", "ignore")


def _of_base64(run: str) -> Iterator[str]:
    """Yield a run's four readings: nobody knows where in it the code begins."""
    plain = run.replace("-", "+").replace("_", "/")
    for start in range(4):
        part = plain[start:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        try:
            raw = base64.b64decode(part + "=" * (-len(part) % 4))
        except (binascii.Error, ValueError):
            continue
        yield raw.decode("utf-8", "ignore")


def turned(secret: str) -> tuple[str, ...]:
    """Return a squeezed secret as it is, backwards, and with its letters rotated by 13."""
    return secret, secret[::-1], codecs.encode(secret, "rot13")
