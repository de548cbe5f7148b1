"""One kana for two: リンゴ and りんご are one word."""

import re

_KATAKANA = re.compile("[\u30a1-\u30f6]")
_TO_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


def to_hiragana(text: str) -> str:
    """Return the text with its katakana as hiragana; the length stays."""
    return text.translate(_TO_HIRAGANA) if _KATAKANA.search(text) else text
