"""Whether an answer declines or does not know: refusal, abstention, hand-off to somebody else."""

from collections.abc import Sequence
from functools import lru_cache

from rag_gate.late import Late
from rag_gate.text import normalise
from rag_gate.wording.markers import blank_citations
from rag_gate.wording.refusal_phrases import (
    COMPLIANCE,
    CONDITIONAL,
    ENGLISH_ABSTENTION,
    HAND_OFF,
    JAPANESE_ABSTENTION,
    POLITE,
)
from rag_gate.wording.sentences import split_sentences

_QUOTED = Late(r'「[^「」]{0,200}」|『[^『』]{0,200}』|"[^"]{0,200}"|“[^“”]{0,200}”')
_POLITE_AT_MOST = 60
_ENOUGH_CONTENT = 2
_DIGIT = Late("[0-9]")
_TURN = Late(r"(?:however|nevertheless|but|that said|based on)(?![a-z])|ただし|しかし|一方|なお")
_READ_AT_MOST = 8000
_LATIN_WORDS = Late(r"\A[a-z]{2,}[.!]?\Z|[a-z]{2} [a-z]|[a-z] [a-z]{2}|[a-z]'[a-z]")


@lru_cache(maxsize=32)
def is_refusal(text: str) -> bool:
    """Tell whether an answer refuses or abstains, in English or Japanese.

    An empty answer counts as one. So does an answer whose first sentence with content, or most of
    whose sentences, say that the assistant cannot answer or that the sources say nothing, and one
    that only hands the question on. An apology before an answer is none, nor is negative content
    (返品できません), nor a refusal that is followed by what it refused ("... but here is how").
    Phrases decide, so an unusual refusal is missed. The first 8,000 characters are read.
    """
    if not text.strip():
        return True
    spans = split_sentences(blank_citations(text[:_READ_AT_MOST]))
    plain = [normalise(_QUOTED.sub(" ", span.text)).replace("’", "'") for span in spans]
    kinds = [_kind(sentence) for sentence in plain]
    content = [kind for kind in kinds if kind != "polite"]
    if "complies" in content:
        return False
    if "abstains" in content:
        leads = content[0] == "abstains" and not _turns_to_answer(plain, kinds)
        return leads or 2 * content.count("abstains") > len(content)
    return bool(content) and all(kind == "hands off" for kind in content)


def _turns_to_answer(sentences: Sequence[str], kinds: Sequence[str]) -> bool:
    """Tell whether "the sources do not say ..." is followed by "however, ..." with a value, or with more content."""
    content = [sentence for sentence, kind in zip(sentences, kinds, strict=True) if kind == "content"]
    turns = [sentence for sentence in content if _TURN.match(sentence)]
    return bool(turns) and (len(content) >= _ENOUGH_CONTENT or any(map(_DIGIT.search, turns)))


def _kind(sentence: str) -> str:
    """Return what a normalised sentence does."""
    abstention = ENGLISH_ABSTENTION.search(sentence) if _LATIN_WORDS.search(sentence) else None
    if abstention is None and not sentence.isascii():
        abstention = JAPANESE_ABSTENTION.search(sentence)
    if abstention and not CONDITIONAL.search(sentence):
        complies = COMPLIANCE.search(sentence, abstention.end())
        return "complies" if complies else "abstains"
    if HAND_OFF.search(sentence):
        return "hands off"
    if POLITE.match(sentence) and len(sentence) <= _POLITE_AT_MOST:
        return "polite"
    return "complies" if COMPLIANCE.search(sentence) else "content"
