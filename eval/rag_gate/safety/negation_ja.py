"""Whether a Japanese sentence makes, denies or only mentions a statement: rules, no model.

What counts is the first predicate after the statement. Idioms whose words look like a negation are
replaced beforehand by signs of the same length: ``◆`` affirms, ``◇`` adds ("not only"), ``〓`` is neutral.
"""

import re

from rag_gate.safety.sentences import Sentence
from rag_gate.safety.verdicts import ASSERTED, Finding, negated, uncertain

_AFFIRMING = re.compile(
    r"(?:な(?:ければ|くては|きゃ|くちゃ|いと)|ねば)(?:なりません|なら[なず]い?|いけま?せん|いけない|だめ)|ざるを得(?:ません|ない|ず)"
    r"|(?:しか|ほか|他)(?:に|は)?(?:あり|ござい)ません|(?:しか|ほか)ない|にほかな(?:りません|らない)"
    r"|かもし?れ(?:ません|ない)|かねま?せん|(?:に|と)?(?:違い|相違|間違い)(?:は)?(?:あり|ござい)?(?:ません|ない|なく)"
    r"|(?:問題|支障|差し?支え|異論)(?:は)?(?:あり|ござい)?(?:ません|ない|なく)"
    r"|例外(?:は|も)?(?:あり|ござい)?(?:ません|ない|なく)|(?:に)?変わりは?(?:あり|ござい)ません"
    r"|変更は?(?:あり|ござい)ません"
)
_ADDING = re.compile(
    r"(?:だけ|のみ|ばかり|のみなら)(?:で(?:は)?なく|じゃなく|でなし|ず)|のみならず|ばかりか|に(?:限ら|とどまら|留まら)ず"
)
_NEUTRAL = re.compile(
    r"(?:誠に)?申し?訳(?:が)?(?:あり|ござい)ません(?:が|でしたが)?|申し?訳な[いく]|す[みい]ません(?:が)?|恐れ入りますが"
    r"|(?:恐縮|残念|失礼|お手数|あいにく|勝手)(?:では)?(?:ございますが|ですが)|(?:お掛け|おかけ)(?:いた)?しますが"
    r"|ご?(?:心配|遠慮|懸念)(?:は|に(?:は)?)?(?:あり|いり|及び|ござい)?(?:ません|なく)|ご安心ください"
    r"|(?:少|危|つまら|切|もったい|さりげ|何気|とんでも|申し分|物足り)な[いく]|(?:間|ま)もなく|(?:も|漏|洩)れなく"
    r"|滞りなく|(?:必|思わ|まず|は)ず(?=[、はがもにで])|必ず|まず|はず|問わず|(?:関|かか)わらず|変わらず|わずか|とりあえず"
    r"|[な無]しで|なしに|につ(?:いて|きまして)|に(?:関|対)し(?:て)?|として|にて|において|に(?:よって|より)"
    r"|にあたり|に際し(?:て)?|い(?:か|く)なる"
)
_NEGATING = re.compile(
    r"ません|ませぬ|な(?:い|く|かっ|けれ)|無[いく]|(?:^|(?<=[かがさたなばまらわせけてねべめれえきしち]))ず(?![つれかるみらい])|ぬ(?:$|もの)|まい$|かね(?:ます|る|て|、|まし|$)"
    r"|不可能?(?!欠)|不要|(?:対象|適用|範囲|対応|サポート|保証|圏)外|[非未]対応|未(?:実装|提供|実施|導入)"
    r"|禁(?:止|じ)|無理|廃止|撤廃|終了|中止|停止|休止|打ち切|取り[やや止]め|見(?:合わせ|送)|お?断(?:り|って)"
    r"|遠慮(?:いただ|頂|ください|願)|控え|どころか|の?(?:代わり|かわり)に|困難|難し|な(?:し|き)(?=\s*(?:$|[、)/|]|です|とな))|無し|除外|除か|×|✕|✗|✖|❌|誤(?:り|解|った|報)|間違(?:い|った)|正しくな|嘘|デマ|不正確"
)
_DOUBLE = re.compile(
    r"(?:と?いう|との)?(?:わけ|訳|こと|もの|はず|つもり|限り|の)?(?:に|で|と|くに)?(?:は|も|じゃ)?"
    r"(?:あり|ござい|いえ|言え|言い切れ|限り|限ら|なり|なって|し|され|して|されて)?(?:い|おり)?(?:ませ|な[いかくし])"
)
_OPEN_NEGATION = re.compile(
    r"(?:い|かった|ん)?(?:場合|とき|時|限り|ば|かも|可能性|おそれ|恐れ|か(?:$|と|を|は|、))"
)
_AFFIRMED = re.compile(
    r"◆|◇|です|でした|でしょう|ます|まし[たて]|ましょう|(?:くだ|下)さい"
    r"|な(?=ので|のに)|(?:[るただうすつむぶぐいく])(?=が、|けれど|けど|ものの|ので|ため、|から、|し、|一方)"
    r"|(?:可能|対象|無料|有効|もの|のみ|だけ|限定)(?:であり|で(?![はもき]))|(?:可能?|対応|無料|あり|有り|ok|[〇○◯◎])(?=[、)/|])"
    r"|^で(?:あり)?、|(?:[しりきちみびえけせれめべ]|て)、"
)
_MENTION = re.compile(
    r"(?:を|の|が)?ご?(?:希望|要望|所望|期待|検討)(?!の?(?:場所|日))|お?求め(?:の|いただ|にな|で)|の件"
    r"|(?:質問|問い?合わ?せ|尋ね|依頼)(?:で(?:す(?:が|ね)|した)|を(?:いただ|頂|受け)|いただ|頂|ありがと|に(?:つ|お答え))"
    r"|(?:ます|です|でしょう|ません|た|る|ない)か(?:$|[、」』\"\s]|と|どうか|を|は)|との(?:こと|ご)|について(?:です|の|は、)"
    r"|以外|^(?:の|である|になる|となる|できる|する)?(?:場合(?!が?も?(?:あ|ござ))|とき|時|際|なら|であれば|とは[、何])"
    r"|という(?:の|言葉|表現|用語|語|意味|説|噂|話)|とは(?=[、何])"
)
# Nouns that only carry the statement (即時返金の対応, 送料無料の対象) or say when and where: a negation of
# them is a negation of the statement.
_HOST = (
    "可|対応|対象|適用|不要|必要|保証|制度|サービス|処理|予定|案内|扱|手続|利用|設定|約束|可能性?|規定|記載|方法|手段|機能"
    "|プラン|オプション|キャンペーン|特典|仕組|義務|理由|事実|見込|受付|実施|提供|終了|廃止|開始|完了|要望|希望|依頼|(?<!条)件|場合"
    "|商品|製品|品物|承認|確約|許可|実現|発生|該当|存在|用意|準備|推奨|導入|採用|指定|付与|成立|返金|確認|運用|公開|手配|性質|趣旨|意味"
    "|現在|今|現時点|時点|通常|原則|本日|当社|弊社|当店|店舗|サイト|一般|基本|今回|今後|当面|私|現状|限り|状況|内容"
)
_NOUN = r"[㐀-鿿々ァ-ヺーa-z0-9]"
_HOST_END = re.compile(rf"(?:{_HOST})$")
# A noun that follows at once makes a longer word, unless it is such a noun or begins a predicate.
_LONGER_WORD = re.compile(
    rf"(?!{_HOST}|[不非未無有済中等様致承頂出受行禁困難除誤ok×✕✗✖❌]|以外|廃|撤廃|中止|停止|休止|商品){_NOUN}"
)
_AND = re.compile(
    rf"(?:(?:と|や|、|・|,|及び|および|並びに|または|又は|もしくは)[おご]?{_NOUN}+)+(?=[はもがをに])"
)
_TOPIC = re.compile(
    rf"(?P<noun>{_NOUN}+)(?:(?:には|では|は|が|も|を)|(?<={_NOUN}{{2}})(?=でき|出来|し|され|いた|致|頂|な|$))"
)
# Verbs whose negation leaves the statement standing: it does not come late, is not taken back.
_KEEPING = re.compile(
    r"(?:遅れ|遅らせ|取り?消|忘れ|変わ|変え|失[うわい]|迷|妨|損な|減|下が|逃|かか)[ぁ-ん]{0,6}$"
)
_POLITE_END = re.compile(r"(?:です|ます|ました|でした|ください)$")
_GOES_ON = re.compile(r"と|わけ|訳|の|こと|もの|か")
_KANJI = re.compile(r"[㐀-鿿]")
_ASKED = re.compile(r"か(?:ね|な)?[」』\s]*$")
_PART_END = re.compile(r"[、,]|ので|ため|から|が")


def judge_japanese(sentence: Sentence) -> Finding:
    """Return the status of one occurrence in a Japanese sentence.

    Negated: the first predicate denies it. Uncertain: a double negation, a question, a mention of what was
    asked, a longer compound noun, or a negation that may belong to something else in between.
    """
    tail = _masked(sentence.after)
    if sentence.before[-1:] in tuple("非未不無") and _KANJI.match(sentence.match):
        return negated(sentence.before[-1])
    if "?" in sentence.mark or _ASKED.search(tail):
        return uncertain("question")
    if _POLITE_END.search(sentence.match) and not _GOES_ON.match(tail):
        return ASSERTED
    if _LONGER_WORD.match(tail):
        return uncertain("part of a longer word")
    return _first_predicate(tail)


def _first_predicate(tail: str) -> Finding:
    """Return what the first predicate after the statement does with it."""
    mention = _MENTION.search(tail)
    negation = _NEGATING.search(tail)
    affirmed = _AFFIRMED.search(tail)
    while mention and affirmed and affirmed.start() < mention.end() + _MENTION_REST:
        affirmed = _AFFIRMED.search(tail, affirmed.end())
    if negation and (affirmed is None or negation.start() < affirmed.start() or affirmed.group() == "◇"):
        return _denied(tail, negation)
    if mention and (affirmed is None or mention.start() < affirmed.start()):
        return uncertain(mention.group())
    return ASSERTED


# A mention is closed by its own verb: (ご希望)とのことですが.
_MENTION_REST = 8


def _masked(text: str) -> str:
    for pattern, sign in ((_AFFIRMING, "◆"), (_ADDING, "◇"), (_NEUTRAL, "〓")):
        text = pattern.sub(_Sign(sign), text)
    return text


class _Sign:
    """Replaces a match by as many signs."""

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def __call__(self, match: re.Match[str]) -> str:
        return self.sign * len(match.group())


def _denied(tail: str, negation: re.Match[str]) -> Finding:
    """Return what a negation after the statement means for it."""
    rest = tail[negation.end() :]
    end = _PART_END.search(rest)
    if _DOUBLE.match(rest) or _NEGATING.search(rest[: end.start()] if end else rest):
        return uncertain("double negation")
    if _OPEN_NEGATION.match(rest):
        return uncertain("conditional negation")
    between = tail[: negation.start()]
    coordinated = _AND.match(between)
    between = between[coordinated.end() :] if coordinated else between
    others = [topic["noun"] for topic in _TOPIC.finditer(between) if not _HOST_END.search(topic["noun"])]
    if "◇" in between or others or _KEEPING.search(between):
        return uncertain("negation of something else")
    return negated(negation.group())
