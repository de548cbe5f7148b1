"""Sentences that only greet, thank, apologise, offer help or lead to a list: they claim nothing."""

import re

from rag_gate.text import normalise

_CLOSING = " .。!！?？…~〜♪"
_LONGEST = 100
# The whole sentence must be such a phrase: "Unfortunately, opened items cannot be returned" is a claim.
_ENGLISH = re.compile(
    r"(?:hello|hi|dear)(?: [a-z]+){0,3},?|(?:best|kind) regards,?|"
    r"(?:thank you|thanks)(?: (?:so |very )?much)?(?: for (?:your|the|asking|contacting|reaching)(?: [a-z]+){0,6})?|"
    r"(?:that(?:'s| is) an? )?(?:very )?(?:good|great|excellent|interesting) question|"
    r"(?:i'm|i am|we're|we are) (?:very |so )?sorry(?: (?:for|about) (?:the|any|this|that)(?: [a-z]+){0,4})?|"
    r"(?:we |i )?apologi[sz]e for (?:the|any)(?: [a-z]+){0,3}|"
    r"(?:if (?:you have|you need|there is|there are|anything is)(?: [a-z]+){1,8}, )?(?:please )?"
    r"(?:let (?:me|us) know|feel free to|(?:do not|don't) hesitate to)(?: [a-z']+){0,12}|"
    r"is there anything else(?: [a-z]+){0,8}|how (?:can|may) i help(?: [a-z]+){0,4}|"
    r"i hope (?:this|that|it) helps?(?: [a-z]+){0,4}|i(?:'m| am) happy to help(?: [a-z]+){0,6}|"
    r"(?:this|here) is what (?:our|the|my) [a-z]+ (?:says?|tells?|states?)(?: about (?:it|this|that))?"
)
_JAPANESE = re.compile(
    r"(?:こんにちは|はじめまして|かしこまりました|承知(?:いた)?しました|(?:大変|とても)?(?:良い|よい|いい|素晴らしい)ご?質問ですね?)|"
    r"[^、。0-9]{0,20}(?:いただき|頂き|を)?、?(?:誠に|大変)?ありがとうござい(?:ます|ました)|"
    r"(?:ご不便|ご迷惑|ご心配|お手数)(?:を|を?お)[^。0-9]{0,20}(?:ません|ます|ませんでした)|"
    r"(?:大変|誠に)?申し訳(?:ござい|あり)ません(?:でした)?|"
    r"(?:また、?)?(?:ほか|他|その他|何か)?(?:に|にも)?(?:何か)?(?:ご不明|ご質問|お困り)[^。0-9]{0,24}"
    r"(?:ください|下さい|くださいませ|お申し付けください|お知らせください)|"
    r"(?:お役に立て|ご参考に(?:なれ|なり)|参考に(?:なれ|なり))[^。0-9]{0,12}|"
    r"(?:何卒|どうぞ)?よろしくお願い(?:いた|致)?します|"
    r"(?:それでは、?)?(?:資料を確認|お調べ|確認)(?:いた)?し(?:ました|ましたところ)?"
)

_LEAD_IN = re.compile(
    r"[a-z' ,-]{1,80}:|[^0-9、。]{0,20}は?、?(?:以下|次|下記)の(?:とおり|通り)(?:です|となります)?[:。]?"
)


def is_courtesy(sentence: str) -> bool:
    """Tell whether a sentence is nothing but a phrase of courtesy, or leads to what follows (``... :``)."""
    whole = normalise(sentence).replace("’", "'")
    plain = whole.strip(_CLOSING)
    if len(plain) > _LONGEST:
        return False
    if _LEAD_IN.fullmatch(whole):
        return True
    return bool(_ENGLISH.fullmatch(plain) if plain.isascii() else _JAPANESE.fullmatch(plain))
