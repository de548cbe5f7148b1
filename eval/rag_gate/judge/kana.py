"""One kana for two: リンゴ and りんご are one word."""

from rag_gate.late import Late

_KATAKANA = Late("[\u30a1-\u30f6]")
_TO_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}

#: サーバー and サーバ are one word.
_LAST_MARK = Late("(?<=[ァ-ヶー]{2})ー(?![ァ-ヶー])")


def one_spelling(text: str) -> str:
    """Return the text in hiragana without the long marks that end katakana words."""
    return to_hiragana(_LAST_MARK.sub("", text) if "ー" in text else text)


def to_hiragana(text: str) -> str:
    """Return the text with its katakana as hiragana; the length stays."""
    return text.translate(_TO_HIRAGANA) if _KATAKANA.search(text) else text
