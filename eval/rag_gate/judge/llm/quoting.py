"""The form in which a quotation and its source are compared: the same words, whatever typography they wear.

Models that quote word for word still drop markdown, outer quotation marks and line breaks, straighten quotation
marks and change widths. Nothing that can be read as another word or number is levelled.
"""

import html
import re

from rag_gate.judge.llm.fences import folded
from rag_gate.late import Late
from rag_gate.text import normalise

_TAG = Late(
    r"</?(?:a|b|i|u|em|strong|br|p|span|div|li|ul|ol|td|tr|th|table|code|pre|h[1-6]|sup|sub|font)(?: [^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_LINK = Late(r"!?\[([^\[\]\n]{1,500})\]\([^()\s]{1,2000}\)")
#: What a model writes that escapes a text twice.
_ESCAPED = Late(r"\\(?:[ntr\"'*_`#\\/-]|u003[ce])")
_HYPHEN = Late(r"(?<=[^\W\d_])[-\u2010\u2011\u00ad] ?(?=[^\W\d_])")
_BROKEN_WORD = Late(r"(?<=[a-z])[-\u2010\u2011\u00ad][ \t]*\r?\n[ \t]*(?=[a-z])")
_QUOTES = Late(r"[\"'`\u00b4\u2018-\u201f\u00ab\u00bb「」『』]")
_RANGE = Late(r"(?<=[0-9]) ?[-\u2010-\u2015\u2212~\u301c] ?(?=[0-9])")
_THOUSANDS = Late(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
#: What is no word and no part of a number: commas, brackets, list markers, markdown, decoration.
_NOISE = Late(r"(?![%$€£¥₩+=°])[\W_](?<![0-9][.:/-](?=[0-9]))")


def quotable(text: str) -> str:
    """Return the words and numbers of a text in one form, with one space between words that are written apart."""
    if "&" in text:
        text = html.unescape(text)
    if "\\" in text:
        text = _ESCAPED.sub(" ", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    text = _QUOTES.sub("", normalise(folded(text)))
    text = _THOUSANDS.sub("", _RANGE.sub("-", _HYPHEN.sub("", text)))
    return normalise(_NOISE.sub(" ", text))


def joined_lines(text: str) -> str:
    """Return the text with the words in one piece that a hyphen at the end of a line divides."""
    return _BROKEN_WORD.sub("", text) if "\n" in text else text
