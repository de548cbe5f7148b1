"""Words that say the opposite of each other: before and after, 以上 and 未満, possible and impossible.

A word list, not meaning. It is only asked about texts that say nearly the same otherwise.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from rag_gate.judge.sequences import common_subsequence
from rag_gate.judge.terms import normalised, tokens

# Sides are separated by "/", spellings of one side by "|"; "*" stands for any ending of an English word.
_ENGLISH = """
before|prior to / after|following
at least|minimum|or more|no less than|no fewer than / at most|maximum|up to|or less|or fewer|no more than|not more than
more than|over|above / less than|fewer than|under|below
higher|more expensive / lower|cheaper
highest|largest|longest|latest / lowest|smallest|shortest|earliest
increas*|rise*|rising|rose|grew / decreas*|fall|falls|falling|fell|shrank|declin*
includ* / exclud*
accept* / reject*|refus*|declin*
allow*|permit* / prohibit*|forbid*|forbidden|ban|bans|banned
enabl* / disabl*
mandatory|required|compulsory|obligatory / optional|voluntary
always|every time / never|rarely|seldom
all|every|everybody|everyone / none|nobody|no one
anybody|anyone|somebody|someone / nobody|no one
earlier|sooner / later
early / late
first / last
inside|indoors / outside|outdoors
left / right
north* / south* / east* / west*
domestic / international|foreign
buyer*|customer*|purchaser* / seller*|vendor*|merchant*
opens|opened|open / closes|closed|close
begin*|began|start* / end|ends|ended|finish*
free|free of charge / paid|chargeable
manual|manually / automatic|automatically
weekday* / weekend*|holiday*
if / unless
"""
_JAPANESE = """
以上|以降|以後|より多|を超え / 未満|以下|以内|以前|より少
最大|最長|最高|上限 / 最小|最短|最低|下限
増加|増え|増や|上昇|上が|値上げ / 減少|減り|減る|減ら|低下|下降|下が|値下げ
含み|含む|含ま|含め / 除き|除く|除い|除外
許可|認め / 禁止|禁じ
必須|義務 / 任意|自由
有料 / 無料
有効 / 無効
税込 / 税抜|税別
開始|始ま / 終了|終わ
国内 / 海外|国外
平日 / 休日|土日|週末
上半期|上期 / 下半期|下期
当日 / 翌日|次の日 / 前日
当月|今月 / 翌月|来月|次の月 / 前月|先月 / 翌々月
今年度|本年度|当年度 / 来年度|翌年度 / 前年度|昨年度
事前|前に|までに / 事後|後に|してから
自動 / 手動
新規 / 既存
個人 / 法人
購入者|お客様|買い手 / 販売者|出品者|売り手|販売店
左 / 右
高い|高く / 安い|安く|低い|低く
早い|早く / 遅い|遅く
長い|長く / 短い|短く
多い|多く / 少な
可能|できます|できる / 不可|できません|できない
同じ|同一 / 別の|異なる|異なり
"""
_PREFIX = re.compile(r"(?:un|in|im|ir|il|dis|non-?)(?=[a-z]{5})")
_ENGLISH_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_AS_MUCH = 0.5
_MOST_TOKENS = 300

Group = tuple[re.Pattern[str], ...]


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    english = tuple(tuple(map(_english_side, line.split(" / "))) for line in _ENGLISH.strip().splitlines())
    japanese = tuple(
        tuple(re.compile(side) for side in line.split(" / ")) for line in _JAPANESE.strip().splitlines()
    )
    return english, japanese


def _english_side(side: str) -> re.Pattern[str]:
    words = "|".join(re.escape(word).replace(r"\*", "[a-z]*") for word in side.split("|"))
    return re.compile(rf"(?<![a-z])(?<!no )(?<!not )(?:{words})(?![a-z])")


def reversed_words(text: str, other: str) -> list[str]:
    """Return the words of a text whose opposites the other text has, while neither has both; as they stand there."""
    plain, known = normalised(text), normalised(other)
    english, japanese = _groups()
    groups = english if plain.isascii() and known.isascii() else (*english, *japanese)
    found = [word for group in groups if (word := _reversed(group, plain, known))]
    return found + _prefixed(plain, known)


def _reversed(group: Group, plain: str, known: str) -> str:
    theirs = {at for at, side in enumerate(group) if side.search(known)}
    if not theirs:
        return ""
    ours = {at: match[0] for at, side in enumerate(group) if (match := side.search(plain))}
    return next(iter(ours.values())) if ours and theirs.isdisjoint(ours) else ""


def _prefixed(plain: str, known: str) -> list[str]:
    """Return the words that only one text has without un-, in- or non-."""
    said, stated = set(_ENGLISH_WORD.findall(plain)), set(_ENGLISH_WORD.findall(known))
    return sorted(
        word
        for mine, other in ((said - stated, stated - said), (stated - said, said - stated))
        for word in mine
        if (prefix := _PREFIX.match(word)) and word[prefix.end() :] in other
    )


def says_the_opposite(sentences: Sequence[str], reference: str) -> list[str]:
    """Return the words with which a sentence that holds half of a reference, in its order, reverses it.

    Nothing where another sentence agrees with the reference in them.
    """
    expected = tokens(normalised(reference), _MOST_TOKENS)
    if not expected:
        return []
    alike = [
        sentence
        for sentence in sentences
        if common_subsequence(expected, tokens(normalised(sentence), _MOST_TOKENS))
        >= _AS_MUCH * len(expected)
    ]
    found = [reversed_words(sentence, reference) for sentence in alike]
    return found[0] if found and all(found) else []
