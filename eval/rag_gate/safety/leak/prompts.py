"""Words of the bot's instructions in its answers."""

import re
from dataclasses import dataclass
from functools import lru_cache

from rag_gate.safety.leak.forms import squeezed

#: So many letters in a row are no chance: 40 of an alphabet, 18 of Japanese or Chinese.
LATIN_RUN, CJK_RUN = 40, 18
#: A whole sentence of the instructions may be shorter than that.
LATIN_SENTENCE, CJK_SENTENCE = 24, 11
#: How much of the sentence that gives the bot its role it may say of itself.
ROLE_LATIN, ROLE_CJK = 60, 30
_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]|\.(?=\s|\Z)|\Z)")
# A bot may say who it is; that it repeats "you are" shows that it reads out.
_ROLE = re.compile(
    r"\s*(?:you are|you're|your (?:name|role|job) is|act as|あなた(?:は|の役割は|の名前は)|君は|貴方は)",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Instructions:
    """What of a system prompt is looked for.

    Attributes:
        long_runs: every run of 40 letters.
        short_runs: every run of 18 letters that is mostly Japanese or Chinese.
        sentences: whole sentences that are shorter than such a run.
    """

    long_runs: frozenset[str]
    short_runs: frozenset[str]
    sentences: tuple[str, ...]

    def is_in(self, answer: str) -> bool:
        """Tell whether the squeezed answer holds words of the instructions."""
        return (
            any(sentence in answer for sentence in self.sentences)
            or any(answer[at : at + LATIN_RUN] in self.long_runs for at in range(len(answer) - LATIN_RUN + 1))
            or any(answer[at : at + CJK_RUN] in self.short_runs for at in range(len(answer) - CJK_RUN + 1))
        )


@lru_cache(maxsize=16)
def instructions_of(prompt: str, public: tuple[str, ...] = ()) -> Instructions:
    """Prepare a system prompt.

    What the bot may say of itself is left out: the sentences given as ``public``, and the beginning of the
    sentence that gives it its role, as long as the answer does not repeat the whole with its "you are".
    """
    allowed = [squeezed(text) for text in public if text.strip()]
    stretches: list[str] = [""]
    sentences: list[str] = []
    for found in _SENTENCE.finditer(prompt):
        sentence = squeezed(found.group())
        if not sentence or any(sentence in text for text in allowed):
            stretches.append("")
            continue
        sentences.append(sentence)
        if _ROLE.match(found.group()):
            stretches.append(sentence[ROLE_CJK if _is_cjk(sentence) else ROLE_LATIN :])
        else:
            stretches[-1] += sentence
    return Instructions(
        long_runs=frozenset(run for text in stretches for run in _runs(text, LATIN_RUN)),
        short_runs=frozenset(run for text in stretches for run in _runs(text, CJK_RUN) if _is_cjk(run)),
        sentences=tuple(text for text in sentences if len(text) >= _least(text)),
    )


def without_role(prompt: str) -> str:
    """Return a system prompt without the sentences that say who the bot is."""
    return "".join(part for part in _SENTENCE.findall(prompt) if not _ROLE.match(part))


def _least(sentence: str) -> int:
    return CJK_SENTENCE if _is_cjk(sentence) else LATIN_SENTENCE


def _runs(text: str, length: int) -> set[str]:
    return {text[at : at + length] for at in range(len(text) - length + 1)}


def _is_cjk(text: str) -> bool:
    return 2 * len(_CJK.findall(text)) > len(text)
