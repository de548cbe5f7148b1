"""What is measured of an answer as a whole: how it is written, in which language, what of the question it takes up."""

import re
from collections.abc import Sequence

from rag_gate.judge.evidence import Evidence
from rag_gate.judge.kana import one_spelling
from rag_gate.judge.terms import content_terms, match_key, match_keys, normalised
from rag_gate.text import has_cjk, is_japanese

#: A stretch of this many characters that a context has, too, counts as copied.
_STRETCH, _JAPANESE_STRETCH = 30, 12
_SAMPLES = 400
_DECIMALS = 4
_STUFFED_FROM = 0.8
_LONG = 400
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_KANA = re.compile(r"[ぁ-んァ-ヶ]")
_FEW_WORDS = 4
_ASKING = re.compile(
    r"(?:教えて(?:ください|下さい)?|知りたい(?:です)?|何(?:です|でしょう)?|どう(?:です|いう|やって|すれば)?|いつ|どこ|"
    r"なぜ|誰|どれ|どの|どんな|いくら|いくつ|ください|下さい|(?:です|ます|でしょう)か|ありますか)"
)


def copy_rate(answer: str, evidence: Evidence) -> float:
    """Return the share of the answer that stands word for word in the contexts.

    Stretches of 30 characters (12 in Japanese) are looked up at up to 400 evenly spaced places.
    """
    text = one_spelling(normalised(answer))
    width = min(len(text), _JAPANESE_STRETCH if is_japanese(answer) else _STRETCH)
    places = range(0, len(text) - width + 1, max(1, (len(text) - width) // _SAMPLES))
    if not text:
        return 0.0
    return round(sum(evidence.mentions(text[at : at + width]) for at in places) / len(places), _DECIMALS)


def is_stuffed(answer: str, rate: float, contexts: Sequence[str]) -> bool:
    """Tell whether an answer is little but a copy of most of what was retrieved."""
    return rate >= _STUFFED_FROM and len(answer) >= max(_LONG, sum(map(len, contexts)) // 2)


def in_other_language(answer: str, question: str) -> bool:
    """Tell whether a Japanese question is answered in Latin script, or an English one in Japanese.

    Names and codes are no language: at least four words, or four kana, are needed to tell.
    """
    if is_japanese(question):
        return not has_cjk(answer) and len(_LATIN_WORD.findall(answer)) >= _FEW_WORDS
    asked_in_latin = not has_cjk(question) and len(_LATIN_WORD.findall(question)) >= _FEW_WORDS - 1
    return asked_in_latin and len(_KANA.findall(answer)) >= _FEW_WORDS


def question_coverage(question: str, answer: str) -> float | None:
    """Return the share of the question's content units that the answer takes up; None if it has none.

    An answer to another question shares few of them; a right answer of one word shares none, too.
    """
    asked = [match_key(term.key) for term in content_terms(_ASKING.sub(" ", question))]
    if not asked:
        return None
    held = match_keys(normalised(answer))
    return round(sum(key in held for key in asked) / len(asked), _DECIMALS)
