"""What stands in an answer beside its claims: citation markers and list markers."""

import re

from rag_gate.late import Late

_LABEL = r"出典|参考|参照|引用元|文書|資料|注|sources?|refs?|references?|citations?|cite|docs?|documents?"
_NUMBERS = r"\^?[0-9０-９]{1,3}(?:[ 　]?[,、，–-][ 　]?[0-9０-９]{1,3}){0,20}"
CITATION = Late(
    rf"""
    \[(?:{_NUMBERS}|(?:{_LABEL})(?![A-Za-z])[^\[\]\n]{{0,200}})\](?!\((?:https?:|[/.\#]))
    |［(?:{_NUMBERS}|(?:{_LABEL})(?![A-Za-z])[^［］\n]{{0,200}})］
    |【(?:[0-9]{{1,3}}(?:†[^【】\n]{{0,100}})?|(?:{_LABEL})(?![A-Za-z])[^【】\n]{{0,200}})】
    |[(（](?:{_LABEL})[ 　]?[:：][^()（）\n]{{0,200}}[)）]
    """,
    re.IGNORECASE | re.VERBOSE,
)

_BULLET = r"[-*+–—](?=[ \t　])|[・•‣◦●○■□◆◇▪※]|\#{1,6}(?=[ \t　])|>|[①-⑳⑴-⒇❶-❿➀-➉]"
_ORDINAL = (
    r"[0-9０-９]{1,3}(?:[.．、](?![0-9０-９])|[)）])(?=[ \t　]{0,3}[^ \t　\n])|[(（][0-9０-９]{1,3}[)）]"
)
LIST_MARKER = Late(rf"[ \t　]{{0,40}}(?:\*\*)?(?:{_BULLET}|{_ORDINAL})[ \t　]{{0,40}}")


#: What a citation marker begins with, as far as one look tells.
_BEGINS = Late(r"[\[［【]|[(（][出参引文資注sSrRcCdD]")


def places_of_markers(text: str) -> list[int]:
    """Return the places, in order, at which alone a citation marker can begin."""
    return [found.start() for found in _BEGINS.finditer(text)]


def blank_citations(text: str) -> str:
    """Return the text with every citation marker replaced by as many spaces."""
    if not _BEGINS.search(text):
        return text
    return CITATION.sub(lambda match: " " * len(match[0]), text)


def after_list_marker(text: str, start: int, end: int) -> int:
    """Return where the words begin once the list markers at ``start`` are skipped.

    Up to four markers in a row (``> - 1. text``) are skipped; a marker with nothing behind it
    is not a marker.
    """
    if text[start : start + 1].isalpha():
        return start
    for _ in range(4):
        match = LIST_MARKER.match(text, start, end)
        if match is None or match.end() >= end:
            return start
        start = match.end()
    return start
