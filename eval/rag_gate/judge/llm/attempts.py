"""What a sentence tries to tell a judge, if anything."""

import re
from functools import lru_cache

from rag_gate.judge.llm import suspicion_languages, suspicion_phrases
from rag_gate.judge.llm.suspicion_forms import decoded, plain, unspaced
from rag_gate.late import Late

#: The attempt that has no other explanation.
SURE = "sure"
_LONGEST = 4_000
_ROLE = Late(
    r"<\|[^<>|\n]{1,30}\|>|<(?:start|end)_of_turn>|<(?:bos|eos)>|\[/?inst\]|<</?sys>>|<\|?(?:user|assistant|system)\|?>"
)
_ROLE_NAMES = Late(r"(?:\W|system|user|assistant|model|human)*\Z")
#: What words run together can say.
_RUN_TOGETHER = (
    r"(?:mark|rate|grade|score)(?:this|the|my)(?:answer|response)as(?:correct|supported|faithful|perfect)|"
    r"ignore(?:all|the|any)?(?:previous|prior|above)(?:instruction|criteria)|supported[:=]true|"
    r"(?:output|give)(?:a|the)?(?:perfect|full|top)?(?:score|marks)(?:of)?(?:1\.0|100|10/10)"
)
_TRIGGERS = (*suspicion_phrases.TRIGGERS, *suspicion_languages.TRIGGERS, "_of_turn", "<bos", "<eos", "<u")


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    """Compile the phrases when a text first holds a trigger: most runs have none."""
    found = {SURE: [*suspicion_phrases.SURE, *suspicion_languages.SURE, _RUN_TOGETHER]}
    for phrases in (suspicion_phrases.UNSURE, suspicion_languages.UNSURE):
        for attempt, each in phrases.items():
            found.setdefault(attempt, []).extend(each)
    return {name: re.compile("|".join(f"(?:{each})" for each in phrases)) for name, phrases in found.items()}


def may_attempt(text: str) -> bool:
    """Tell in little time whether a sentence of a text may attempt something."""
    return any(map(_has_trigger, _written(text))) or any(_has_trigger(plain(each)) for each in decoded(text))


def attempts(sentence: str) -> frozenset[str]:
    """Return what a sentence attempts; empty where it speaks to the user.

    ``sure`` for what has no other explanation, which is all that is found in an encoding; else the sort of the attempt.
    The first 4,000 characters are looked at.
    """
    text = sentence[:_LONGEST]
    found = frozenset().union(*map(_named, _written(text)))
    if any(_named(plain(each)) for each in decoded(text)):
        found |= {SURE}
    return found


def _written(text: str) -> list[str]:
    spelt = unspaced(text)
    return [plain(text)] if spelt is None else [plain(text), plain(spelt)]


def _has_trigger(text: str) -> bool:
    return any(word in text for word in _TRIGGERS)


def _named(text: str) -> frozenset[str]:
    if not _has_trigger(text):
        return frozenset()
    if _ROLE.search(text) and _ROLE_NAMES.match(_ROLE.sub(" ", text)):
        return frozenset({SURE})
    return frozenset(name for name, pattern in _patterns().items() if pattern.search(text))
