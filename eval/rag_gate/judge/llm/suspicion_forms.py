"""The forms in which a text may hide what it says to a judge: look-alike letters, gaps, encodings."""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator

from rag_gate.late import Late
from rag_gate.text import normalise

#: Cyrillic and Greek letters, and small capitals, that look like Latin ones.
_ALIKE = str.maketrans(
    "аеорсухіѕјһԁԛԝкмтвнгαορεικντυχμᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "aeopcyxisjhdqwkmtbhraopeikvtuxmabcdefghijklmnoprstuvwyz",
)
_SMALL_CAPITALS = Late("[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]")
_WORD = Late(r"[^\W\d_]+")
_LATIN_LETTER = Late("[a-z]")
_ACCENT = Late("[\u0300-\u036f]")
_DECORATION = Late(r"[*`~]+")
#: Single letters with one sign between them; more than one space is a gap between words.
_SPACED = Late(r"(?<![^\W_])(?:[^\W_][ ._\-|]){3,400}[^\W_](?![^\W_])")
_ANY_SPACED = Late(_SPACED.pattern.replace("{3,400}", "{1,400}"))
_SINGLE_GAP = Late(r"(?<! )[ ._\-|](?! )")
_BASE64 = Late(r"[A-Za-z0-9+/]{16,2000}={0,2}")
_HEX = Late(r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){8,1000}(?![0-9A-Za-z])")
_HEX_SIGNS = Late(r"0x|\\x|[ :,]")
_LATIN = Late("[A-Za-z]{4}")


def plain(text: str) -> str:
    """Return a text in lower case, without accents and decoration, look-alike letters replaced, spaces made single."""
    text = normalise(text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))
        text = _WORD.sub(_in_one_script, text)
    return _DECORATION.sub("", text)


def _in_one_script(word: re.Match[str]) -> str:
    """Replace look-alikes in a word that mixes scripts, or is written in small capitals."""
    text = word[0]
    if text.isascii() or not (_LATIN_LETTER.search(text) or _SMALL_CAPITALS.search(text)):
        return text
    return text.translate(_ALIKE)


def unspaced(text: str) -> str | None:
    """Return a text with the words in one piece that it s p e l l s; None where it spells none."""
    if _SPACED.search(text) is None:
        return None
    return _ANY_SPACED.sub(lambda found: _SINGLE_GAP.sub("", found[0]), text)


def decoded(text: str) -> Iterator[str]:
    """Yield what a text says in rot13, in character references, and in its stretches of base64 and hexadecimal digits."""
    if _LATIN.search(text):
        yield codecs.decode(text, "rot13")
    if "&#" in text:
        yield html.unescape(text)
    for blob in _BASE64.findall(text):
        try:
            yield base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            continue
    for blob in _HEX.findall(text):
        try:
            yield bytes.fromhex(_HEX_SIGNS.sub("", blob)).decode("utf-8")
        except ValueError:
            continue
