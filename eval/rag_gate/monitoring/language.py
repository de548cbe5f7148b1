"""In which language a text is written, by its script and its commonest words.

Why not a library: docs/decisions/0008-language-by-script-and-words.md. Any function from text to code can be given
to ``Monitor`` instead.
"""

import re
from itertools import repeat

from rag_gate.monitoring.common_words import (
    ACCENTED,
    ASCII_POINTS,
    LANGUAGES,
    LETTERS,
    POINTS,
    WHOLE,
    by_language,
)

UNKNOWN = "und"
_READ = 200
_SCRIPT_READ = 120
#: Not written in the language of the text: addresses, and what stands in square brackets.
_ADDRESS = re.compile(r"https?://\S+")
_BRACKETS = re.compile(r"[\[【][^\]】]{0,100}[\]】]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9f]+")
_HAN = re.compile(r"[\u3005\u3400-\u4dbf\u4e00-\u9fff]+")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_WORD = re.compile(r"[a-z\u00df-\u024f\u1e00-\u1eff]+")
#: Of ASCII text: letters in lower case, blanks for all others.
_ASCII_WORDS = bytes(
    ord(chr(sign).lower()) if chr(sign).isalpha() else ord(" ") for sign in range(128)
).ljust(256)
#: Two Latin letters take the room of one character of Chinese, Japanese or Korean, and more.
_LATIN_LETTERS_PER_SIGN = 2.5
_FEWEST_KANA = 0.1
#: Signs and words of Chinese grammar; Japanese writes the grammar in kana.
_CHINESE = re.compile("[的了是在您你们們这這那吗嗎呢吧请没沒说說个個些]|可以|不能|不会|不會")
_EAST = re.compile("[\u1100-\u11ff\u3005-\u9fff\uac00-\ud7a3\uff66-\uff9f]")
_BESIDE_LATIN = re.compile("[\u0370-\u1dff\u1f00-\u1fff]")
_SCRIPTS = tuple(
    (language, re.compile(f"{signs}+"))
    for language, signs in (
        ("th", r"[\u0e01-\u0e5b]"),
        ("el", r"[\u0370-\u03ff\u1f00-\u1fff]"),
        ("he", r"[\u0590-\u05ff]"),
        ("hi", r"[\u0900-\u097f]"),
        ("bn", r"[\u0980-\u09ff]"),
        ("ta", r"[\u0b80-\u0bff]"),
        ("ka", r"[\u10a0-\u10ff]"),
        ("hy", r"[\u0530-\u058f]"),
        ("lo", r"[\u0e80-\u0eff]"),
        ("my", r"[\u1000-\u109f]"),
        ("km", r"[\u1780-\u17ff]"),
        ("ru", r"[\u0400-\u04ff]"),
        ("ar", r"[\u0600-\u06ff]"),
    )
)
#: Languages that share a script with a larger one, by letters that only they have.
_OTHERS = {
    "ru": (
        ("uk", re.compile("[іїєґІЇЄҐ]")),
        ("sr", re.compile("[ђћџљњЂЋЏЉЊ]")),
        ("bg", re.compile("ъ(?!.*[ыэё])")),
    ),
    "ar": (("ur", re.compile("[ٹڈے]")), ("fa", re.compile("[پچژگ]"))),
}


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language, or ``und`` where it cannot be told.

    The script decides for Japanese, Korean, Chinese, Thai, Greek, Russian and others; in Latin script the commonest
    words decide (English, German, French, Spanish, Italian, Portuguese, Dutch, and a few more). Text of ideographs
    alone is Japanese unless something in it is Chinese. The first 200 characters are read; URLs and citation markers count for nothing.
    """
    text = text[:_READ]
    if "://" in text:
        text = _ADDRESS.sub(" ", text)
    if "【" in text:
        text = _BRACKETS.sub(" ", text)
    elif "[" in text:
        begin = text.index("[")  # most answers cite at their end, and sub walks slowly
        text = text[:begin] + _BRACKETS.sub(" ", text[begin:])
    found = None if text.isascii() else _by_script(text[:_SCRIPT_READ])
    return _by_words(text) if found is None else found


def _count(signs: re.Pattern[str], text: str) -> int:
    return len("".join(signs.findall(text)))


def _by_script(text: str) -> str | None:
    """Return the language of the commonest script; None where it is Latin or there is none."""
    kana = _count(_KANA, text)
    if kana and kana >= len(text) - kana:
        return "ja"  # whatever the others are, they cannot outweigh it
    if _EAST.search(text):
        east = _eastern(text, kana)
        if east is not None:
            return east
    if not _BESIDE_LATIN.search(text):
        return None
    latin = _latin(text)
    found = next((language for language, signs in _SCRIPTS if _count(signs, text) > latin), None)
    return None if found is None else _variant(found, text)


def _latin(text: str) -> float:
    return _count(_LATIN, text) / _LATIN_LETTERS_PER_SIGN


def _eastern(text: str, kana: int) -> str | None:
    signs = kana + _count(_HAN, text)
    japanese = kana > _FEWEST_KANA * signs
    if japanese and signs >= len(text) - signs:
        return "ja"  # as below: neither Hangul nor Latin letters can outweigh it
    hangul = _count(_HANGUL, text)
    if signs + hangul < max(_latin(text), 1):
        return None
    if hangul > signs:
        return "ko"
    return "ja" if japanese or not _is_chinese(text) else "zh"


def _is_chinese(text: str) -> bool:
    if _CHINESE.search(text):
        return True
    try:
        "".join(_HAN.findall(text)).encode("shift_jis")
    except UnicodeEncodeError:
        return True
    return False


def _variant(language: str, text: str) -> str:
    return next((name for name, signs in _OTHERS.get(language, ()) if signs.search(text)), language)


def _by_words(text: str) -> str:
    if text.isascii():  # in one go, where a pattern walks slowly
        words = text.encode().translate(_ASCII_WORDS).split()
        points = by_language(sum(map(ASCII_POINTS.get, words, repeat(0))))
    else:
        lowered = text.lower()
        points = by_language(sum(map(POINTS.get, _WORD.findall(lowered), repeat(0))))
        if ACCENTED.search(lowered):
            for number, letters in LETTERS:
                points[number] += WHOLE * len(letters.findall(lowered))
    most = max(points)
    return LANGUAGES[points.index(most)] if most and points.count(most) == 1 else UNKNOWN
