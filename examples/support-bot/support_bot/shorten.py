"""The planted generator fault: shortening that loses conditions, amounts and periods.

It stands for an instruction such as "keep it short and general": the sentences stay fluent and on
topic, and lose the very facts that were asked for. The rules look at the text alone.
"""

import re

from support_bot.words import is_japanese

_NUMBER = r"(?<![0-9A-Za-z.,-])[0-9][0-9,.]*[万千億]?"
_RANGE = rf"(?:最大|最長|最短|約)?{_NUMBER}(?:[〜～-][0-9][0-9,.]*[万千億]?)?"
_PERIOD = r"営業日|か月|週間|日間|年間|時間|分間|秒間"
_NEAR_PERIOD = r"以内|以上|以下|未満|程度|ほど|前|後"
_COUNTER = (
    r"ポイント|文字|センチ|メートル|リットル|ギガヘルツ|回|件|枚|個|点|名|人|桁|本|着|台|歳|度|倍|cm|kg"
)
_JAPANESE = tuple(
    (re.compile(pattern), general)
    for pattern, general in (
        (rf"(?:[0-9]件)?{_RANGE}円", "所定の金額"),
        (rf"{_RANGE}(?:{_PERIOD}|(?:日|分|秒|年)(?={_NEAR_PERIOD}))(?:以(?=内))?", "所定の期間"),
        (rf"(?:{_RANGE}月)?{_RANGE}日目?(?:の[0-9]+時(?:[0-9]+分)?)?", "所定の日"),
        (rf"{_RANGE}時(?:[0-9]+分)?", "所定の時刻"),
        (rf"{_RANGE}(?:分|秒|年)", "所定の期間"),
        (rf"{_RANGE}(?:%|パーセント)", "所定の割合"),
        (rf"{_RANGE}(?:{_COUNTER})", "所定の数"),
    )
)
_CONDITION_JA = re.compile(r"^[^、。]{2,60}(?:場合は?|ときは?|際は?|のうえ|であれば|限り)、")
_EXCEPTION_JA = re.compile(r"^(?:ただし|なお).*")

_DIGITS = r"(?<![0-9A-Za-z.,$-])[0-9][0-9,.]*(?: (?:to|and|or) [0-9][0-9,.]*)?"
_ENGLISH = tuple(
    (re.compile(pattern), general)
    for pattern, general in (
        (r"(?<![A-Za-z])(?:a )?\$[0-9](?:[0-9,.]*[0-9])?", "a certain amount"),
        (
            rf"{_DIGITS} (?:business |working |calendar )?(?:second|minute|hour|day|week|month|year)s?",
            "a certain time",
        ),
        (rf"{_DIGITS} percent", "a certain share"),
    )
)
_CONDITION_EN = re.compile(
    r"(?:^|,? (?:even |only |not )?)(?:if|If|when|When|unless|Unless|until|Until|provided that|as long as) "
    r"[^,.]{2,80}(?:,|(?=\.))"
)


def shorten(sentence: str) -> str:
    """Return the sentence without its conditions and with general words for its figures.

    A sentence of which nothing would be left keeps its condition.
    """
    if is_japanese(sentence):
        return _generalise(_EXCEPTION_JA.sub("", _CONDITION_JA.sub("", sentence)) or sentence, _JAPANESE)
    kept = _CONDITION_EN.sub("", sentence).strip()
    if not any(letter.isalnum() for letter in kept):
        kept = sentence
    return _generalise(kept[:1].upper() + kept[1:], _ENGLISH)


def _generalise(text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for figure, general in rules:
        text = figure.sub(general, text)
    return text
