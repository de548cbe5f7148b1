"""What a reader can see of an untrusted text: one line, no invisible or controlling characters."""

import re
import unicodedata

_TERMINAL = re.compile(
    "\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)"  # operating system commands: titles, hyperlinks
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor movement
    "|\x1b[ -/]*[0-~]?"
)
_SPACES = re.compile(r"[^\S\u3000]+")
_SELECTOR = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# One variation selector belongs to the character before it; more of them only carry hidden data.
_LOOSE_SELECTOR = re.compile(rf"(?:(?<=[\s{_SELECTOR}])|^)[{_SELECTOR}]+")
# Blank or zero-width although Unicode calls them letters or marks.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
ELLIPSIS = "…"


def visible(text: str) -> str:
    """Return the text as one line of characters that a reader can see.

    Terminal sequences, control, bidirectional, zero-width and tag characters are removed, lone
    surrogates become U+FFFD, and any white space but the ideographic space becomes one space.
    Letters, kana, ideographs, emoji and punctuation stay as they are.
    """
    if text.isascii() and text.isprintable():
        return _SPACES.sub(" ", text).strip()
    text = _SPACES.sub(" ", _TERMINAL.sub("", text))
    kept = "".join(_shown(char) for char in text)
    return _SPACES.sub(" ", _LOOSE_SELECTOR.sub("", kept)).strip()


def shorten(text: str, limit: int) -> str:
    """Return at most ``limit`` code points (at least 1); a cut text ends in an ellipsis.

    The cut never parts a character from its combining marks, selector or skin tone.

    Raises:
        ValueError: if ``limit`` is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; at least one character must be allowed")
    if len(text) <= limit:
        return text
    end = limit - 1
    while end and _joins(text[end]):
        end -= 1
    return text[:end].rstrip() + ELLIPSIS


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cs":
        return "\ufffd"
    return "" if category in ("Cc", "Cf") or char in _BLANK else char


def _joins(char: str) -> bool:
    """Tell whether a character belongs to the one before it."""
    return unicodedata.category(char) in ("Mn", "Me", "Mc") or _SKIN_TONES[0] <= char <= _SKIN_TONES[1]
