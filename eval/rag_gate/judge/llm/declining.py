"""Whether an answer does nothing but decline, declines and says something more, or does not decline at all."""

from collections.abc import Iterator
from typing import Literal

from rag_gate.judge.llm.statement import Statement
from rag_gate.late import Late
from rag_gate.text import has_cjk, normalise
from rag_gate.wording.markers import blank_citations
from rag_gate.wording.refusal_phrases import (
    CONDITIONAL,
    ENGLISH_ABSTENTION,
    HAND_OFF,
    JAPANESE_ABSTENTION,
    POLITE,
)
from rag_gate.wording.refusals import is_refusal
from rag_gate.wording.sentences import split_sentences

Declines = Literal["no", "only", "and_more"]

_JOINT = Late(
    r"[;:\u2013\u2014()（）；：]|\s-\s|,? (?:but|however|although|though|yet|because|since|while|whereas|except|only that)(?![a-z])|"
    r", (?:so|and|or|as|then|therefore|instead|still)(?![a-z])|"
    r"(?<=[ぁ-ん])(?:が|けれども|けれど|けど|ものの|ので|から|ため|し)、|(?:ただし|しかし|なお|一方|但し)、?|、"
)
#: Ends of a part that only says what the next part is about.
_TOPIC = Late(
    r"(?:について|につきまして|に関して|に関しまして|に関する|の中に|には|では|からは|とは|にも|[^ぁ-ん]が|は|も|を|の|に|で|と|および|及び|や|か)\Z"
)
_EMPTY = Late(
    r"(?:and|or|so|then|therefore|still|unfortunately|please|sorry|however|currently|ただし|しかし|なお|恐れ入りますが|残念ながら|"
    r"大変|誠に|現在|現時点で|あいにく|恐縮ですが)?[ 、。,.!?]*\Z"
)
#: An offer to help with something else.
_OFFER = Late(
    r"i(?:'m| am|'d be| would be)? (?:can|happy|glad|able)(?: to)?(?: still| only| gladly| be)? (?:help|assist)|"
    r"(?:お手伝い|サポート|ご案内)(?:は|なら)?(?:でき|いたし|し|可能)(?:ます|です)"
)
_SHORT = 60
_LETTER = Late("[a-z]")


def declines(answer: str, question: str) -> Declines:
    """Tell whether an answer declines and says nothing else.

    It does nothing but decline if each of its parts (sentences, and clauses joined by "but", が、and the like) is a
    refusal, an apology or a hint whom to ask, and it states no number that the question does not. Phrases decide, and
    where they are not sure, something more is said.

    Args:
        answer: with no invisible characters.
        question: "" when not known.
    """
    if not is_refusal(answer):
        return "no"
    asked = Statement.of(question)
    if any(not asked.states(value) for value in Statement.of(blank_citations(answer)).values):
        return "and_more"
    return "only" if says_only_that_it_declines(answer) else "and_more"


def says_only_that_it_declines(text: str) -> bool:
    """Tell whether every part of a text is a refusal, an apology or a hint whom to ask, and one is a refusal.

    No document can be quoted for what it does not say, so such a claim is none.
    """
    return is_refusal(text) and all(map(_declines_only, _sentences(text)))


def _sentences(answer: str) -> Iterator[str]:
    for span in split_sentences(blank_citations(answer)):
        yield normalise(span.text).replace("’", "'")


def _declines_only(sentence: str) -> bool:
    parts = [part.strip() for part in _JOINT.split(sentence)]
    return all(
        _is_empty(part) or (_TOPIC.search(part) and has_cjk(part) and at < len(parts) - 1)
        for at, part in enumerate(parts)
    )


def _is_empty(part: str) -> bool:
    """Tell whether a part of a sentence says nothing about what was asked."""
    if _EMPTY.match(part):
        return True
    if CONDITIONAL.search(part):
        return False
    abstains = (_LETTER.search(part) and ENGLISH_ABSTENTION.search(part)) or (
        not part.isascii() and JAPANESE_ABSTENTION.search(part)
    )
    return bool(abstains or HAND_OFF.search(part) or _OFFER.search(part)) or (
        POLITE.match(part) is not None and len(part) <= _SHORT
    )
