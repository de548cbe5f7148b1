"""What a system prompt says that neither the question nor the retrieved texts say."""

# ruff: noqa: SIM905 - lists of words are read best as text

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from rag_gate.safety.leak.prompts import without_role

#: A number of two digits or more tells as much as two words.
_NUMBER = re.compile(r"(?<![0-9])[0-9]{2,}(?:[.,][0-9]+)?(?![0-9])")
_WORD = re.compile(r"[a-z][a-z'-]{2,}[a-z]|[ァ-ヺー]{3,}|[一-鿿々]{2,}")
_FEWEST_WORDS = 2
#: Words of any instructions, and of any talk about them.
_COMMON = frozenset(
    "about above after also always answer answers asked assistant before being below cannot confidential could customer "
    "customers does don't from give given have help instruction instructions language more most must never only other "
    "please prompt question questions reply rules said says should some support system tell than that their them then "
    "these they this those told user users very what when where which will with would your 回答 質問 指示 内容 場合 情報 "
    "顧客 利用者 対応 提供 日本語 英語 ユーザー システム プロンプト ルール".split()
)


def tells(answer: str, prompts: Iterable[str], public: Iterable[str]) -> bool:
    """Tell whether an answer repeats what is specific to a prompt: a number, or two words.

    Args:
        answer: that speaks of its instructions.
        prompts: system prompts.
        public: texts that anybody may repeat: the question, what was retrieved.
    """
    said = _specifics(answer)
    known = frozenset[str]().union(*map(_specifics, public))
    for prompt in prompts:
        shared = (said & _specifics(without_role(prompt))) - known
        if any(part[0].isdigit() for part in shared) or len(shared) >= _FEWEST_WORDS:
            return True
    return False


@lru_cache(maxsize=256)
def _specifics(text: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return frozenset(_NUMBER.findall(plain)) | (frozenset(_WORD.findall(plain)) - _COMMON)
