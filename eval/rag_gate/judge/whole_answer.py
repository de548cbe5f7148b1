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
_SMALL_WORD = re.compile(r"(?<![A-Za-z])[a-z]{2,}(?![A-Za-z])")
_KANA = re.compile(r"[ぁ-んァ-ヶ]")
_IDEOGRAPH = re.compile(r"[一-鿿㐀-䶿]")
#: Greek to Thai (Cyrillic, Hebrew, Arabic, the scripts of India), Georgian, Hangul.
_OTHER_SCRIPT = re.compile("[\u0370-\u0e7f\u10a0-\u11ff\uac00-\ud7af]")
#: Words of Chinese sentences that no Japanese name is written with.
_CHINESE = re.compile("[请您们这为吗说让]")
_ENGLISH_QUESTION = re.compile(
    r"\s*(?:when|where|what|why|who|whom|whose|which|how|can|may|do|does|is|are)(?![a-z])", re.IGNORECASE
)
_FEW_WORDS = 4
_FEW_SMALL = 2
_FEW_CHARACTERS = 8
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
    """Tell whether a question is answered in a script that it is not asked in: Japanese, Latin, or another one.

    Names and codes are no language: four words, two of them without a capital, four kana, eight Japanese or Chinese
    characters of a sentence, or four letters of another script are needed to tell. Languages of one script are not told apart.
    """
    words, kana = len(_LATIN_WORD.findall(answer)), len(_KANA.findall(answer))
    ideographs = len(_IDEOGRAPH.findall(answer))
    if not _OTHER_SCRIPT.search(question) and len(_OTHER_SCRIPT.findall(answer)) >= _FEW_WORDS * max(
        1, words
    ):
        return bool(_asks_in_latin(question) or has_cjk(question)) and not kana
    if is_japanese(question) or (has_cjk(question) and not _asks_in_latin(question)):
        is_text = words >= _FEW_WORDS and len(_SMALL_WORD.findall(answer)) >= _FEW_SMALL
        return is_text and not kana and ideographs <= words
    if has_cjk(question) or not _asks_in_latin(question):
        return False
    told = kana > 1 or _CHINESE.search(answer) is not None
    return kana >= _FEW_WORDS or (told and kana + ideographs >= max(_FEW_CHARACTERS, 2 * words))


def _asks_in_latin(question: str) -> bool:
    return len(_LATIN_WORD.findall(question)) >= _FEW_WORDS - 1 or bool(_ENGLISH_QUESTION.match(question))


def question_coverage(question: str, answer: str) -> float | None:
    """Return the share of the question's content units that the answer takes up; None if it has none.

    An answer to another question shares few of them; a right answer of one word shares none, too.
    """
    asked = [match_key(term.key) for term in content_terms(_ASKING.sub(" ", question))]
    if not asked:
        return None
    held = match_keys(normalised(answer))
    return round(sum(key in held for key in asked) / len(asked), _DECIMALS)
