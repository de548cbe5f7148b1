"""Find sentences that speak to the judge instead of to the user: attempts to talk a verdict into it.

Phrases decide, so a new way of saying it is missed; the fence, the checked quotations and the canary hold
then. A sentence that is found is kept from the judge and counted against the answer.
"""

import base64
import binascii
import codecs
import re
import unicodedata
from dataclasses import dataclass

from rag_gate.judge.llm.fences import hidden_text, without_invisible
from rag_gate.judge.llm.suspicion_phrases import matches, may_match
from rag_gate.judge.sentences import split_sentences

_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,2000}={0,2}")
_LATIN = re.compile("[A-Za-z]{4}")
_LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class Sifted:
    """A text without the sentences that speak to the judge.

    Attributes:
        text: what is left.
        removed: those sentences, in order.
        invisible: how many suspicious invisible characters were taken out.
    """

    text: str
    removed: tuple[str, ...]
    invisible: int


def sift(text: str) -> Sifted:
    """Take invisible characters and sentences that speak to the judge out of a text."""
    visible, invisible = without_invisible(text)
    kept, removed, at = [], [], 0
    spans = split_sentences(visible) if _is_worth_splitting(visible) else []
    for span in spans:
        if speaks_to_judge(span.text):
            kept.append(visible[at : span.start])
            removed.append(span.text)
            at = span.end
    left = "".join([*kept, visible[at:]]) if removed else visible
    hidden = hidden_text(text) if invisible else ""
    if hidden and speaks_to_judge(hidden):
        removed.append(hidden)
    return Sifted(left, tuple(removed), invisible)


def speaks_to_judge(sentence: str) -> bool:
    """Tell whether a sentence speaks to the judge, also in base64 or rot13."""
    plain = _plain(sentence[:_LONGEST])
    return matches(plain) or any(matches(_plain(text)) for text in _decoded(sentence[:_LONGEST]))


def _is_worth_splitting(text: str) -> bool:
    return may_match(_plain(text)) or any(may_match(_plain(decoded)) for decoded in _decoded(text))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def _decoded(text: str) -> list[str]:
    """Return what the text says in rot13, and its stretches in base64."""
    found = [codecs.decode(text, "rot13")] if _LATIN.search(text) else []
    for blob in _BASE64.findall(text):
        try:
            found.append(base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True).decode("utf-8"))
        except (binascii.Error, ValueError):
            continue
    return found
