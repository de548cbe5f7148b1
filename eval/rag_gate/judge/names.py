"""Names in a claim: capitalised English words, and katakana and Latin words of a Japanese text."""

import re

from rag_gate.judge.kana import one_spelling
from rag_gate.judge.terms import normalised
from rag_gate.text import is_japanese

#: More names of one claim are not looked for.
MOST = 50
_CAPITALISED = re.compile(r"[A-Z][A-Za-z]{1,40}")
_BEFORE_A_NAME = re.compile(r"[a-z0-9,;)’'] \Z|[a-z]-\Z|[A-Z][A-Za-z]*\.? \Z")
_IN_JAPANESE = re.compile(r"[ァ-ヶー]{3,40}|[A-Za-z][A-Za-z0-9]{1,40}")
_WITH_IDEOGRAPHS = re.compile(rf"{_IN_JAPANESE.pattern}|[一-鿿々]{{2,20}}")
_NO_NAMES_TEXT = "i i'm the a an it its this that he she they we you if in on at and or but so as is are"
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())


def names_in(text: str, *, with_ideographs: bool = False) -> list[str]:
    """Return the names of a text as it writes them, each once, in order; at most 50.

    English: words with a capital that do not begin a sentence or a quote. Japanese: runs of three or
    more katakana, and Latin words; names in kanji are not told from other words, so that runs of two or
    more ideographs are only taken ``with_ideographs``.
    """
    if is_japanese(text):
        pattern = _WITH_IDEOGRAPHS if with_ideographs else _IN_JAPANESE
        found = [match[0] for match in pattern.finditer(text)]
    else:
        found = [
            match[0]
            for match in _CAPITALISED.finditer(text)
            if _BEFORE_A_NAME.search(text, max(0, match.start() - 24), match.start())
            and match[0].lower() not in _NO_NAMES
        ]
    return list(dict.fromkeys(found))[:MOST]


def name_key(name: str) -> str:
    """Return the form in which a name is looked for."""
    return one_spelling(normalised(name))
