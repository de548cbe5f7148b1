"""Put untrusted text before a model as data: fenced, JSON-encoded, nothing in it that looks like the frame."""

import json
import re
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any

from rag_gate.late import Late

_KEPT = frozenset("\u200c\u200d\u00ad")  # joiners that spelling needs (Persian, emoji), and the soft hyphen
_BLANK_SIGN = "\u2800"  # of Braille
_VARIATIONS = Late("[\U000e0100-\U000e01ef\ufe00-\ufe0f]")
_FORMAT = Late(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: What chat formats use to mark whose turn it is; a space inside makes each an ordinary word.
_ROLE_TOKENS = Late(
    r"(<)([|\uff5c][^<>|\uff5c\n]{1,30}[|\uff5c]>)|(\[/?)(INST\])|(<)(</?SYS>>)|(<)(/?s>)|(<)((?:start|end)_of_turn>|[be]os>)|"
    r"(#{2,3})( ?(?:system|instruction|response|user|assistant|human)\b)",
    re.IGNORECASE,
)


def without_invisible(text: str) -> tuple[str, int]:
    """Remove characters that a reader cannot see: tags, bidirectional controls, zero-width and control characters.

    Joiners that spelling needs stay. Variation selectors go, without being counted: they are common and harmless.

    Returns:
        The text, and how many suspicious characters it held.
    """
    if text.isascii() and text.isprintable():
        return text, 0
    visible, found = _FORMAT.subn("", _VARIATIONS.sub("", text))
    return visible, found


def says_something(text: str) -> bool:
    """Tell whether a reader sees a letter, a digit or a sign in a text: spaces, joiners and dots alone say nothing."""
    return any(unicodedata.category(sign)[0] in "LNS" and sign != _BLANK_SIGN for sign in text)


def hidden_text(text: str) -> str:
    """Return what tag characters spell (U+E0020 to U+E007E stand for ASCII), "" where there are none."""
    return "".join(chr(ord(sign) - 0xE0000) for sign in text if "\U000e0020" <= sign <= "\U000e007e")


def revealed(text: str) -> str:
    """Return a text with its tag characters made visible."""
    return "".join(
        chr(ord(sign) - 0xE0000) if "\U000e0020" <= sign <= "\U000e007e" else sign for sign in text
    )


def without_roles(text: str) -> str:
    """Break the tokens that mark turns in chat formats, such as ``<|im_start|>`` and ``[INST]``."""
    if not any(mark in text for mark in "<[#"):
        return text
    return _ROLE_TOKENS.sub(lambda found: " ".join(group for group in found.groups() if group), text)


def fenced(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return a fence with JSON inside it, and its nonce.

    The nonce (128 bits, new for each request) stands in both ends of the fence. The text inside cannot know it,
    and no ``<`` or ``>`` is left in it, so nothing inside can end the fence.
    """
    inside = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    inside = inside.replace("<", "\\u003c").replace(">", "\\u003e")
    nonce = secrets.token_hex(16)
    while nonce in inside:  # as good as never
        nonce = secrets.token_hex(16)
    return f"<data {nonce}>\n{inside}\n</data {nonce}>", nonce


def folded(text: str) -> str:
    """Return the form in which a quotation and its source are compared: NFKC, one space for white space.

    What a reader cannot see counts on neither side, nor does a joiner.
    """
    visible, _ = without_invisible(text)
    plain = "".join(sign for sign in visible if sign not in _KEPT)
    return " ".join(unicodedata.normalize("NFKC", plain).split())
