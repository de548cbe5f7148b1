"""Forms in which a secret string can stand in an answer."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rag_gate.detectors.readings import shown
from rag_gate.folding import fold

_NOT_WORD = re.compile(r"[\W_]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_BASE32 = re.compile(r"(?<![A-Z0-9])[A-Z2-7]{10,}={0,6}(?![A-Za-z0-9])")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){6,}")
_BITS = re.compile(r"(?:[01]{8}[ ,]{0,2}){6,}")
_CODES = re.compile(
    r"(?<![0-9])(?:(?:3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6])[ ,;]{1,2}){5,}[0-9]{2,3}(?![0-9])"
)
_MARKUP = re.compile(r"[&\\%]")
_READABLE = re.compile(r"[\x20-\x7e]{8,}\Z")
#: Letters of other alphabets that look like Latin ones.
_ALIKE = str.maketrans("авекмнорстухіѕјԁԛԝαβεικνορτυχ", "abekmhopctyxisjdqwabeikvoptux")


@lru_cache(maxsize=64)
def squeezed(text: str) -> str:
    """Return letters and digits alone, in one width, case and alphabet: spaces, dashes and marks cannot hide a word."""
    if text.isascii():
        return _NOT_WORD.sub("", text.lower())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _NOT_WORD.sub("", folded).translate(_ALIKE)


def decoded(answer: str) -> Iterator[str]:
    """Yield what the answer says in another notation, whatever its spacing.

    Entities and escapes, base64 (also of base64), base32, hexadecimal, binary and decimal character codes.
    """
    if _MARKUP.search(answer):
        yield shown(fold(answer, case=False)).text
    joined = re.sub(r"\s+", "", answer)
    for found in _BASE64.finditer(joined):
        for text in _of_base64(found.group().rstrip("=")):
            yield text
            if _READABLE.match(text):
                yield from _of_base64(text.rstrip("="))
    for found in _BASE32.finditer(joined):
        yield from _of_base32(found.group().rstrip("="))
    for found in _HEX.finditer(answer):
        yield bytes.fromhex(re.sub(r"[ :]", "", found.group())).decode("utf-8", "ignore")
    for found in _BITS.finditer(answer):
        yield "".join(chr(int(bits, 2)) for bits in re.findall("[01]{8}", found.group()))
    for found in _CODES.finditer(answer):
        yield "".join(chr(int(code)) for code in re.findall("[0-9]+", found.group()))


def _of_base64(run: str) -> Iterator[str]:
    """Yield a run's four readings: nobody knows where in it the code begins."""
    plain = run.replace("-", "+").replace("_", "/")
    for start in range(4):
        part = plain[start:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        try:
            raw = binascii.a2b_base64(part + "=" * (-len(part) % 4))
        except (binascii.Error, ValueError):
            continue
        yield raw.decode("utf-8", "ignore")


def _of_base32(run: str) -> Iterator[str]:
    try:
        yield base64.b32decode(run + "=" * (-len(run) % 8)).decode("utf-8", "ignore")
    except (binascii.Error, ValueError):
        return


def pieces(canary: str) -> re.Pattern[str] | None:
    """Return what finds a canary whose parts are given away one by one; None where its parts alone say nothing."""
    parts = [part for part in re.split(r"[\W_]+", unicodedata.normalize("NFKC", canary).casefold()) if part]
    told = len(parts) > 1 and any(re.search("[0-9]", part) for part in parts)
    return (
        re.compile(r"\b" + r"\b.{0,40}?\b".join(map(re.escape, parts)) + r"\b", re.DOTALL) if told else None
    )
