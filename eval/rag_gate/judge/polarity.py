"""Which words of a text are negated, so that 満たさない is not taken for 満たす.

A word list and a short look-back, not grammar: a hint that two texts disagree, no proof.
"""

from dataclasses import dataclass

from rag_gate.judge.terms import match_key, normalised, stem
from rag_gate.late import Late

_WORD = "々一-鿿㐀-䶿ァ-ヶーA-Za-z0-9"
# Duty, double negation and words that only look like negation.
_NO_NEGATION = Late(
    r"(?:なければ|なくては|ないと|ねば)(?:なりません|ならない|ならず|いけません|いけない)|"
    r"かもしれ(?:ません|ない)|(?:に|と|は)(?:違い|過ぎ|すぎ|ほかなら)(?:ありません|ない|ません|ず)|"
    r"(?:だけ|のみ|ばかり)で(?:は)?なく|のみならず|(?:少|危|切|間違い)な[いくし]|すみません|"
    r"申し訳(?:ございません|ありません|ない)|ませんか|(?:の|ん)では(?:ない|ありません)か|ないわけでは(?:ない|ありません)|"
    r"(?:しか|でないと|でなければ)[^。、]{0,15}?(?:ません|ない|なかった)|"
    r"必ず|まず|いずれ|思わず|問わず|(?:関|かか)わらず|とりあえず|ひとまず"
)
_AFTER_WORD = Late(r"ません|不可(?![一-鿿])|ない|なかった|なく|なし|ずに|(?<!は)(?<!い)[ずぬ](?![ぁ-んー])")
_DENIED = Late(rf"([{_WORD}]{{1,20}})[ぁ-ん]{{0,10}}\Z")
_LOOK_BACK = 32
# 男性は一人もいない denies all that it says of the 男性.
_NOBODY = Late(
    r"(?:誰|何|どれ|[一1] ?[人つ匹頭件個台本枚度])(?:に|から|で|と)?も(?:存在し)?"
    r"(?:い|あり|し|見つかり|見当たり)?(?:ない|ません|なかった)"
)
_CLAUSE = Late(rf"[{_WORD}]{{1,20}}")
_CLAUSE_LOOK_BACK = 60
_CLAUSE_END = Late(r"[。！？\n]")
_PREFIXED = Late(
    r"[不非未]([一-鿿]{2})|不([要可])(?![一-鿿])|(対象|範囲|期間|期限|時間|適用|規格|想定|予想)外"
)
_SAME_AS = {"要": "必要", "可": "可能"}
# 返品可 asserts what 返品不可 denies; 許可 and 重要 are other words.
_ALONE = Late(r"(?<![一-鿿])要(?![一-鿿])|(?<![許認裁不])可(?![一-鿿])")
_ENGLISH_WORD = Late(r"[a-z]+(?:'[a-z]+)?|[,.;:!?]")
_ENGLISH_NEGATION = Late(r"(?:not|never|no|non|cannot|without|neither|nor|unable|[a-z]{1,8}n't)\Z")
_DENYING = Late(rf"{_ENGLISH_NEGATION.pattern}|(?:none|nobody|nothing|nowhere|hardly|unless)\Z")
_INSTEAD = Late("で(?:は)?なく(?!な|て)")
_COMPARING = frozenset(["only", "later", "more", "less", "fewer", "earlier", "matter", "doubt"])
_SKIPPED_TEXT = (
    "a an the be been to any of in at by is are was were do does did have has had will would can "
    "could should may must yet ever also longer it this that for you your we our they them with its i "
    "he she"
)
_SKIPPED = frozenset(_SKIPPED_TEXT.split())
_REACH = 6


@dataclass(frozen=True, slots=True)
class Polarity:
    """The words that a text denies, and what is left of it without them.

    Attributes:
        denied: keys of the denied words, each with the word as it stands there.
        words: keys of all other English words.
        rest: the Japanese text without what it denies.
    """

    denied: dict[str, str]
    words: frozenset[str]
    rest: str

    def asserts(self, word: str) -> bool:
        """Tell whether the word stands in the text without being denied there."""
        return word in self.words if word.isascii() else word in self.rest


def polarity(text: str) -> Polarity:
    """Return which words of the text are denied."""
    folded = normalised(text)
    japanese, rest = _japanese(folded)
    denied, words = _english(folded)
    return Polarity(japanese | denied, frozenset(words), rest)


def negations(text: str) -> list[str]:
    """Return the negations of a text as it writes them, in order; duty and double negation are none."""
    folded = _INSTEAD.sub(" ", _NO_NEGATION.sub(" ", normalised(text)))
    english = [token for token in _ENGLISH_WORD.findall(folded) if _DENYING.match(token)]
    return [*_AFTER_WORD.findall(folded), *english]


def disagreements(first: Polarity, second: Polarity) -> list[str]:
    """Return the words that one text denies and the other only asserts, sorted."""
    return sorted(set(_denied_against(first, second)) | set(_denied_against(second, first)))


def _denied_against(first: Polarity, second: Polarity) -> list[str]:
    return [
        surface
        for word, surface in first.denied.items()
        if word not in second.denied and second.asserts(word) and not first.asserts(word)
    ]


def _japanese(text: str) -> tuple[dict[str, str], str]:
    if text.isascii():
        return {}, text
    text = _NO_NEGATION.sub(lambda match: " " * len(match[0]), text)
    denied, text = _denied_altogether(text)
    rest: list[str] = []
    done = 0
    for marker in _AFTER_WORD.finditer(text):
        begin = max(done, marker.start() - _LOOK_BACK)
        found = _DENIED.search(text[begin : marker.start()])
        if found:
            denied[found[1]] = found[1]
            rest.append(text[done : begin + found.start()])
            done = marker.end()
    rest.append(text[done:])
    remaining = " ".join(rest)
    for prefixed in _PREFIXED.finditer(remaining):
        word = next(group for group in prefixed.groups() if group)
        denied[_SAME_AS.get(word, word)] = prefixed[0]
    asserted = _ALONE.sub(lambda match: _SAME_AS[match[0]], _PREFIXED.sub(" ", remaining))
    return denied, asserted


def _denied_altogether(text: str) -> tuple[dict[str, str], str]:
    """Return the words of the clauses that say that there is nobody or nothing, and the text without them."""
    denied: dict[str, str] = {}
    kept: list[str] = []
    done = 0
    for found in _NOBODY.finditer(text):
        begin = max(done, found.start() - _CLAUSE_LOOK_BACK)
        ends = [end.end() for end in _CLAUSE_END.finditer(text, begin, found.start())]
        begin = ends[-1] if ends else begin
        denied |= {word: word for word in _CLAUSE.findall(text, begin, found.start())}
        kept.append(text[done:begin])
        done = found.end()
    return denied, " ".join([*kept, text[done:]])


def _english(text: str) -> tuple[dict[str, str], set[str]]:
    tokens = _ENGLISH_WORD.findall(text)
    denied: dict[str, str] = {}
    targets: set[int] = set()
    for at, token in enumerate(tokens):
        if _ENGLISH_NEGATION.match(token):
            target = _target(tokens, at + 1)
            if target is not None:
                denied[match_key(stem(tokens[target]))] = tokens[target]
                targets.add(target)
    return denied, {match_key(stem(token)) for at, token in enumerate(tokens) if at not in targets}


def _target(tokens: list[str], begin: int) -> int | None:
    """Return the first content word after a negation; None for "not only" and at a clause's end."""
    for at in range(begin, min(begin + _REACH, len(tokens))):
        token = tokens[at]
        if token in _COMPARING or not token[0].isalpha():
            return None
        if token not in _SKIPPED:
            return at
    return None
