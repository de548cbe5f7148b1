"""Where the words of a negative assertion stand in an answer."""

import re
from collections.abc import Iterator

from rag_gate.folding import Folded, fold
from rag_gate.records.assertion import NegativeAssertion
from rag_gate.records.pattern import SEARCH_LIMIT, compile_pattern
from rag_gate.text import has_cjk, normalise

_PARTICLES = tuple("にへをがはもで")
_IDEOGRAPH = re.compile(r"[㐀-鿿]")
_NOUN_END = re.compile(r"[㐀-鿿ァ-ヺー]")


def find_spans(assertion: NegativeAssertion, answer: str) -> Iterator[tuple[int, int]]:
    """Yield the original (start, end) of each occurrence, without overlaps, in order.

    A regex is searched in the first 20,000 characters after NFKC (see ``is_cut_off``).
    """
    if assertion.regex is not None:
        folded = fold(answer, case=False)
        pattern = compile_pattern(assertion.regex)
        yield from _spans(pattern, folded, min(len(folded.text), SEARCH_LIMIT))
    elif assertion.mode == "exact":
        for match in re.finditer(re.escape(assertion.wording), answer):
            yield match.span()
    else:
        folded = fold(answer)
        yield from _spans(phrase_pattern(assertion.wording), folded, len(folded.text))


def is_cut_off(assertion: NegativeAssertion, answer: str) -> bool:
    """Tell whether the answer is so long that a part of it was not searched."""
    return assertion.regex is not None and len(answer) > SEARCH_LIMIT


def phrase_pattern(phrase: str, *, is_start: bool = False) -> re.Pattern[str]:
    """Return the pattern that finds a phrase in folded text; with ``is_start`` also in front of a longer word.

    Any white space stands for a space; beside a CJK character white space means nothing; between
    Latin words a hyphen and a space are the same; an honorific お or ご may stand after a particle, and に
    and へ are the same between nouns. At an end that is a Latin letter or digit the word
    or number must end too: ``art`` is not in ``start`` and ``5日`` is not in ``15日``.
    """
    words = normalise(fold(phrase).text) or phrase
    parts = [_one(words, index) for index in range(len(words))]
    end = "" if is_start else _edge(words[-1], "(?!")
    return re.compile(_edge(words[0], "(?<!") + "".join(parts) + end)


def _one(words: str, index: int) -> str:
    """Return the pattern of one character, with the white space that may stand before it."""
    char, before, after = words[index], words[index - 1 : index], words[index + 1 : index + 2]
    if char in " -" and before.isascii() and after.isascii() and before.isalpha() and after.isalpha():
        return r"(?:-|\s+)"
    gap = r"\s*" if before and has_cjk(before + char) else ""
    rest = words[index + 1 :].lstrip("おご")
    if before in _PARTICLES and char in "おご" and _IDEOGRAPH.match(rest):
        return gap + "[おご]?"
    if before in _PARTICLES and _IDEOGRAPH.match(char):
        return gap + "[おご]?" + re.escape(char)
    if char in "にへ" and _NOUN_END.match(before) and _IDEOGRAPH.match(rest):
        return gap + "[にへ]"
    return r"\s+" if char == " " else gap + re.escape(char)


def _edge(char: str, look: str) -> str:
    return f"{look}[0-9a-z])" if char.isascii() and char.isalnum() else ""


def _spans(pattern: re.Pattern[str], folded: Folded, end: int) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(folded.text, 0, end):
        if match.end() > match.start():
            yield folded.original(*match.span())
