"""Words and sentences of Japanese and English text."""

import re
import unicodedata
from functools import lru_cache

_KANJI_KANA = "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff"
_PIECE = re.compile(rf"[a-z]+-?[0-9]+|[a-z]+|[0-9]+(?:[.,][0-9]+)*|[{_KANJI_KANA}]+")
_HIRAGANA = re.compile(r"[\u3041-\u3096]")
_HIRAGANA_ONLY = re.compile(r"[\u3041-\u3096]+")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_SENTENCE_END = re.compile(r"(?<=[。！？])|(?<=[.!?]) +(?=[A-Z\"'$0-9])")
_COMMON = """
    a about an and any are as at be been by can could did do does for from get had has have how i if in is
    it its just me much my need of on or our please should so than that the their them then there they this
    to was we were what when where which who why will with would you your
"""
_STOP_WORDS = frozenset(_COMMON.split())
_SHORTEST_STEM = 3
PAIRS = 2


@lru_cache(maxsize=8192)
def terms(text: str, *, size: int = 2) -> tuple[str, ...]:
    """Return the index terms of a text, in order, with repeats.

    NFKC and case folding first. English gives words (without the commonest, and without plural and
    past endings), codes such as ``E-402`` give one term, Japanese gives pairs of neighbouring
    characters; pairs of hiragana alone are mostly grammar and are left out.

    Args:
        text: any text.
        size: characters in a Japanese term; another size than 2 also leaves English endings on, which makes
            another vocabulary.
    """
    found: list[str] = []
    for piece in _PIECE.findall(unicodedata.normalize("NFKC", text).casefold()):
        if piece[0].isascii():
            if piece not in _STOP_WORDS:
                plain = piece.replace("-", "").replace(",", "")
                found.append(_stem(plain) if size == PAIRS else plain)
        else:
            found.extend(_windows(piece, size))
    return tuple(found)


def sentences(text: str) -> list[str]:
    """Split a text at the ends of its sentences and lines; headings are left out."""
    return [
        sentence.strip()
        for line in text.splitlines()
        if not line.startswith("#")
        for sentence in _SENTENCE_END.split(line)
        if sentence.strip()
    ]


def is_japanese(text: str) -> bool:
    """Tell whether the text holds any kana."""
    return bool(_KANA.search(text))


def is_code(term: str) -> bool:
    """Tell whether a term is a code: Latin letters and digits together."""
    return term.isascii() and term.isalnum() and not term.isalpha() and not term.isdigit()


def holds_hiragana(text: str) -> bool:
    """Tell whether the text holds any hiragana."""
    return bool(_HIRAGANA.search(text))


def _windows(run: str, size: int) -> list[str]:
    windows = (run[i : i + size] for i in range(max(1, len(run) - size + 1)))
    return [window for window in windows if not _HIRAGANA_ONLY.fullmatch(window)]


def _stem(word: str) -> str:
    """Take off an English ending; crude, but the same on both sides of a comparison."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word
