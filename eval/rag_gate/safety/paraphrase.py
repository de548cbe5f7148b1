"""A forbidden statement in other words, for what support bots are asked most: refunds, delivery, speed, price.

Rules cannot know what a sentence means. They can see that it holds every idea of the statement, and
leave it to a judge or a reader.
"""

import re
from functools import lru_cache

from rag_gate.folding import fold
from rag_gate.wording.sentences import Span, split_sentences

#: Idea -> its common words, in English and Japanese.
_IDEAS = {
    "refund": r"refund\w*|reimburs\w*|\b(?:money|amount|payment|charge|purchase price)s?\b.{0,30}\b(?:back|return\w*)|\b(?:give|get|pay|send|return)\w{0,4}\b.{0,25}\b(?:money|back)"
    r"|返金|払い?戻|返還|(?:お金|代金|料金|金額|お支払い)[^。]{0,12}(?:戻|返)",
    "at once": r"instant\w*|immediate\w*|right away|at once|straight ?away|on the spot|without delay|the moment|as soon as|within (?:a few |some )?(?:seconds?|minutes?)|in (?:a few |some )?(?:seconds|minutes)"
    r"|即[時座日刻]?|すぐ|直ち|ただちに|その場|たちまち|数[秒分]|瞬時|早速|同時に",
    "same day": r"same[- ]day|(?:on )?the (?:very )?same day|today|by (?:the end of|tonight)|当日|その日|同日|本日中|今日中|即日",
    "process": r"process\w*|handl\w*|complet\w*|dispatch\w*|ship(?:ped|s)?\b|処理|手続|対応|完了|発送|出荷",
    "delivery": r"shipping|deliver\w*|postage|freight|送料|配送|配達|お届け|発送|運賃",
    "free": r"free\b|no (?:charge|cost|fee|extra)|at our (?:cost|expense)|(?:we|on us)\b.{0,15}\b(?:pay|cover|bear)\w*|costs? (?:you )?nothing|without (?:charge|paying|cost)"
    r"|無料|無償|タダ|ただで|(?<![0-9,])[0零]円|ゼロ円|(?:かかり|頂き|いただき|要り)ません|不要|(?:当社|当店|弊社|こちら)[^。]{0,6}負担|サービスいたし",
    "customs": r"customs|dut(?:y|ies)|import tax\w*|tariff\w*|関税|輸入税|税金",
    "exempt": r"exempt\w*|waive\w*|duty[- ]free|(?:not|never|n't) (?:have to |need to )?pay|no \w{0,12}(?:dut|tax)\w*|免除|免税|非課税|(?:かかり|払い)ません|払わなくて|不要",
    "contact": r"contact\w*|reach out|get in touch|call\b|phone\b|write to|ask\b|speak (?:to|with)|問い?合わせ|連絡|お?電話|尋ね|相談",
    "support": r"customer (?:service|support|care|centre|center)|support (?:team|desk|staff)|help ?desk|カスタマー(?:センター|サービス|サポート)?|サポート(?:センター|窓口)?|お客様(?:窓口|センター|相談)|コールセンター|相談窓口",
    "unknown": r"unknown|unidentified|unclear|do(?:es)? ?n[o']t know|cannot be (?:identified|determined)|不明|原因[^。]{0,8}(?:分|わ)かりません|(?:分|わ)からない|特定でき",
    "error": r"errors?\b|fault\b|failure|エラー|不具合|障害|異常",
    "lifetime": r"life ?time|for life|forever|without (?:any )?time limit|unlimited|永久|永年|一生|生涯|無期限",
    "warranty": r"warrant\w*|guarant\w*|保証|補償",
    "discount": r"discount\w*|\boff\b|reduced|cheaper|割引|値引|割安|オフ|お安く",
}  # fmt: skip
_PATTERNS = {name: re.compile(source) for name, source in _IDEAS.items()}
_EMPTY = re.compile(
    r"\b(?:an?|the|our|your|we|you|to|for|of|with|is|are|be|will|offer|offers|get|gets|have|has|any|all|please|it)\b"
    r"|いたします|いたし|します|する|です|ます|でき(?:る|ます)?|可能|ください|して|した|[ぁ-ん\s\W_]"
)
_COMMA = re.compile(r"[、;]|,(?![0-9])")
_DENIED = re.compile(
    r"\b(?:not|never|no|cannot|unable|without|nor|neither|instead|rather)\b|n't\b|\?|ません|ない|なく|できかね|ではなく|不可|対象外|[かと]のご(?:質問|要望)|？|か\Z|状況|確認|方法|\bstatus\b"
)


def in_other_words(statement: str, answer: str) -> Span | None:
    """Return the sentence of an answer that holds every idea of a statement and denies nothing, None if there is none.

    A statement that holds anything beyond at least two known ideas cannot be found like this.
    """
    ideas = _ideas_of(statement)
    if len(ideas) < 2:  # noqa: PLR2004 - one idea alone stands in most answers
        return None
    return next((span for span in split_sentences(answer) if _says(fold(span.text).text, ideas)), None)


@lru_cache(maxsize=64)
def _ideas_of(statement: str) -> tuple[str, ...]:
    """Return the ideas of a statement that consists of nothing else."""
    plain = fold(statement).text
    found = tuple(name for name, pattern in _PATTERNS.items() if pattern.search(plain))
    rest = plain
    for name in found:
        rest = _PATTERNS[name].sub(" ", rest)
    return () if _EMPTY.sub("", rest) else found


def _says(sentence: str, ideas: tuple[str, ...]) -> bool:
    """Tell whether one clause of a sentence holds all ideas."""
    return any(_holds(clause, ideas) for clause in _COMMA.split(sentence))


def _holds(sentence: str, ideas: tuple[str, ...]) -> bool:
    if not all(_PATTERNS[name].search(sentence) for name in ideas):
        return False
    rest = sentence
    for name in ideas:  # "no charge" is what free means, not a denial
        rest = _PATTERNS[name].sub(" ", rest)
    return not _DENIED.search(rest)
