"""Phrases with which an assistant declines, does not know, or hands the question on.

They match normalised text: lower case, straight apostrophes, no spaces inside Japanese.
"""

import re

from rag_gate.late import Late


class Phrases:
    """Phrases, looked for where one of the words stands that each of them has: that takes half the time.

    Args:
        pattern: the phrases.
        needs: the words, or parts of words, of which every phrase holds one, with ``|`` between them.
    """

    def __init__(self, pattern: str, needs: str) -> None:
        self.late, self.needs = Late(pattern), tuple(needs.split("|"))

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first phrase in a text, or a part of it."""
        for need in self.needs:
            if need in text:
                return self.late.search(text, start)
        return None


_CANNOT = (
    r"(?:can ?not|can't|could ?n[o']t|could not|won't|will not|am (?:un|not )able to|was (?:un|not )able to|"
    r"(?:won't|will not) be able to|"
    r"(?:am|'m) (?:currently )?(?:un|not )able to|(?:are|were|'re) (?:un|not )able to|do not|don't|did not|didn't)"
)
_SOURCE = (
    r"(?:documents?|documentation|context|sources?|passages?|materials?|knowledge base|information|texts?|articles?|"
    r"(?:search )?results?|excerpts?|references?|files?|records|policy|manual|handbook|guide|website|faq)"
)
_FACTS = r"(?:information|details?|data|mention|answer|record|reference|evidence|knowledge|documents?|context|results?)"
_ADVERB = r"(?:(?:currently|really|actually|unfortunately|also|yet|just|simply) )?"
_I_VERBS = (
    r"(?:find|locate|answer|help|assist|provide|share|disclose|determine|tell|discuss|give|comply|offer|do|confirm|say|"
    r"respond|know|reveal|support|fulfil|fulfill|complete|see|verify|access|engage|process|advise|identify|generate|"
    r"create|write|have (?:any |enough |sufficient |access |the |that |this |specific |more |relevant |further )*"
    rf"(?:{_FACTS}|to))"
)
_WE_VERBS = (
    rf"(?:find|locate|answer|determine|help|assist|confirm|have (?:any |enough |the |that |this )*{_FACTS})"
)

_PRIVATE = r"(?:other|another|customers?|customer's|personal|internal|confidential|private)"
_TELLING = r"(?:sharing|disclosing|revealing|discussing|giving out)"
_MORE_ENGLISH = (
    r"(?<![a-z])i(?:'m| am) not in a position to|(?<![a-z])i(?:'d rather| would rather| prefer| would prefer|'d prefer) not|"
    r"(?<![a-z])i (?:can |am able to )?only (?:help|assist|answer|discuss|have (?:information|details|access|knowledge))(?![a-z])|"
    r"(?:outside|beyond) (?:of )?what i(?:'m| am| can)(?![a-z])|(?:it's|it is) (?:not possible|impossible) for me to |"
    r"(?:that|this|such|the requested) (?:\w+ )?(?:information|data|details?) (?:is|are) (?:confidential|private|not public)|"
    rf"nothing (?:\w+ ){{0,2}}in (?:the|these|our|my|any)(?: \w+)? {_SOURCE}|"
    rf"(?:isn't|is not|aren't|are not|wasn't) in (?:the|these|our|my|any)(?: \w+)? {_SOURCE}|"
    r"\Ano (?:\w+ )?(?:information|data|results?|answers?|documents?|match(?:es)?)(?: (?:is |was |were )?(?:available|found))?[.!]?\Z|"
    r"(?:your|this|that) (?:request|question) (?:can't|cannot|can not|could not) be (?:fulfilled|answered|completed)|"
    r"(?<![a-z])we (?:can't|cannot|(?:are|were) (?:un|not )able to) (?:disclose|reveal|share|answer)(?![a-z])|"
    rf"{_TELLING} [^.]{{0,40}}{_PRIVATE} [^.]{{0,40}}(?:is|are) (?:not (?:allowed|permitted|possible)|prohibited|forbidden)|"
    rf"(?:policy|policies|rules?) (?:forbids?|prohibits?|prevents?|(?:does not|doesn't|do not) allow) (?:\w+ ){{0,2}}{_TELLING}|"
    r"(?:my|the|these|those|our) (?:\w+ )?(?:system prompt|prompt|instructions?|guidelines) (?:is|are) (?:\w+ )?(?:confidential|private|secret|internal|not public)|"
    r"\A(?:i'm |i am )?(?:sorry|apologies|afraid)[,.]? (?:but )?(?:no|that's a no|not possible)[.!]?\Z|"
    r"\A(?:not found|unknown|no idea|no answer)[.!]?\Z|"
    r"(?<![a-z])i(?:'d| would) need (?:\w+ )?more (?:information|details?|context)|"
    r"\Anot sure(?: about (?:that|this)(?: one)?)?[.,!]"
)

ENGLISH_ABSTENTION = Phrases(
    rf"(?<![a-z])i {_ADVERB}{_CANNOT} {_ADVERB}{_I_VERBS}(?![a-z])|"
    rf"(?<![a-z])(?:i'm|i am) (?:un|not )able to {_I_VERBS}(?![a-z])|"
    rf"(?<![a-z])we {_ADVERB}{_CANNOT} {_ADVERB}{_WE_VERBS}(?![a-z])|"
    r"(?<![a-z])(?:i'm|i am|we're|we are) not (?:sure|aware|certain|familiar|comfortable|allowed|permitted|authorized)(?![a-z])|"
    r"(?<![a-z])i (?:must|have to|need to) (?:decline|refuse)|(?<![a-z])i (?:refuse|decline) to |(?<![a-z])i have no |"
    rf"(?<![a-z]){_SOURCE}(?: (?:that )?(?:provided|available|given|retrieved|supplied|you (?:shared|provided)|i have|above))?"
    r" (?:does not|doesn't|do not|don't|did not|didn't) (?:\w+ly )?"
    r"(?:contain|mention|include|provide|specify|state|say|cover|answer|address|have|give|discuss|describe|indicate)|"
    rf"(?<![a-z])there(?:'s| is| are| was| were|'re) (?:no|not (?:enough|any|sufficient)) (?:\w+ )?{_FACTS}(?![a-z])|"
    rf"(?<![a-z])no (?:\w+ )?{_FACTS} (?:\w+ )?(?:was|were|is|are|could be|can be) (?:\w+ )?(?:found|available|provided|given)|"
    rf"(?:is|are|was|were)(?: not|n't) (?:\w+ly )?(?:mentioned|specified|stated|covered|provided|available|included|described|"
    rf"addressed|found|given|contained|listed) (?:in|by|within) (?:any of )?(?:the|these|this|my|our|any)(?: \w+)? {_SOURCE}|"
    r"(?:beyond|outside) (?:of )?(?:my|the) (?:knowledge|scope|expertise)|(?:insufficient|not enough) (?:information|context|data)|"
    r"cannot be (?:determined|answered) (?:from|based)|(?:not|isn't) something (?:that )?(?:i|we) can|"
    rf"{_MORE_ENGLISH}",
    needs="not|n't|no |unable|decline|refuse|beyond|outside|insufficient|only|impossible|confidential|private|nothing|prohibit|forbid|prevent|secret|internal|sorry|apologies|afraid|unknown|need",
)
_NOT_DONE = r"(?:でき(?:ません|かね)|いたし?かね|致しかね|しかね|られません|いたしません|しません)"
_MORE_JAPANESE = (
    rf"(?:要求|依頼|お申し出|ご?希望)[^。]{{0,10}}(?:応じ|お応え|お受け|対応)[^。]{{0,6}}{_NOT_DONE}|"
    r"(?:要求|依頼|お申し出|質問)[^。]{0,8}お断り|\Aお断り(?:いたします|します|させて)|"
    rf"(?:お見せ|公開|お伝え|お話し|お答え|お教え|ご案内|開示)[^。]{{0,3}}(?:{_NOT_DONE}|(?:して|されて)(?:い|おり)ません|しないこと)|"
    rf"(?:その|この|ご質問の|お尋ねの)(?:件|点|内容)[^。]{{0,8}}(?:確認|判断|回答)[^。]{{0,4}}{_NOT_DONE}|"
    r"(?:\A|、)(?:誠に)?(?:(?:申し訳|恐れ入|あいにく|せっかく)[^。]{0,12})?(?:ご)?対応(?:は|を)?(?:いた|致)?し?かね(?:ます|る)|\A(?:お調べ|お探し|確認)[^。]{0,16}見つかりませんでした|"
    r"\A確認(?:が|は)?できません(?:でした)?[。.!]?\Z|(?:件|点|内容|質問)[^。]{0,8}(?:担当|対応|サポート)の?範囲外|"
    r"公表(?:して|されて)(?:い|おり)ません|(?:沿|添)いかね|見つけられません|\A不明です|"
    r"(?:該当|情報|記載|データ)(?:は)?(?:なし|無し)(?:です)?[。.!]?\Z|"
    rf"(?:暴力|違法|不正|犯罪|偽造|差別|有害|不適切|詐欺)[^。]{{0,14}}(?:対応|お手伝い|手伝い|協力|支援)[^。]{{0,6}}{_NOT_DONE}|"
    r"範囲外の(?:ご?質問|お問い?合わせ|ご?依頼)|回答(?:の|できる|可能な)?範囲(?:を超え|外)"
)
JAPANESE_ABSTENTION = Phrases(
    r"(?:情報|記載|記述|回答|答え|該当|資料|文書|データ|内容|言及|説明|根拠)[^。]{0,25}"
    r"(?:見つ(?:かり|け(?:られ|ることが?(?:は)?でき|る事ができ))|見当たり|見受けられ|確認でき|得られ)(?:ません|ておりません)|"
    r"(?:記載|記述|言及|情報|説明|該当|データ)(?:が|は|も)?[^。、]{0,6}(?:ありません|ございません|されていません|されておりません|"
    r"ないため|なく、|不足し|持っていません|持っておりません|持ち合わせて)|"
    r"(?:資料|文書|情報|コンテキスト|文脈|ドキュメント)(?:に|から|の中|で)[^。]{0,40}(?:含まれていません|含まれておりません|"
    r"書かれていません|触れられていません|(?:分|わ)かりません|判断(?:は)?できません)|"
    r"(?:お答え|回答|ご案内|お伝え|お教え|お手伝い|開示|お話し|判断|お応え|ご紹介|お力添え)(?:を|する|する?ことが?|は|が)*"
    r"(?:でき(?:ません|かね)|いたし?かね|しかね|致しかね|いたしません|控え|差し控え)|"
    r"(?:ご?質問|ご?要望|ご?依頼|ご?リクエスト|そのような(?:こと|内容))[^。]{0,15}(?:対応|応じ|お応え)[^。]{0,6}"
    r"(?:できません|かね|られません)|情報[^。]{0,10}提供[^。]{0,6}(?:できません|かね)|"
    r"(?:分|わ)かり(?:ません|かね)|存じ(?:ません|上げません|ておりません)|知りません|お力になれ(?:ません|ず)|"
    r"(?:沿|添)え(?:ません|かね)|差し控え(?:させて|ます)|(?:詳細|情報|回答|答え)(?:は|が)不明|"
    rf"一概には言え(?:ません|ない)|{_MORE_JAPANESE}",
    needs="ません|かね|ない|なく|なし|無し|不明|不足|持ち合わせ|控え|お断り|範囲|なれず",
)
CONDITIONAL = Late(
    r"(?:ません|ない|かねる)(?:場合|とき|時|際|こと(?:が|も)あ|人|方(?:は|に))|(?<![a-z])if (?:i|we) (?:can|do|could)"
)
HAND_OFF = Phrases(
    r"(?:please |you (?:can|may|should) |i recommend |i suggest )?(?:contact(?:ing)?|reach(?:ing)? out to|ask(?:ing)?|"
    r"consult(?:ing)?|check(?:ing)? with|refer(?:ring)? to|visit(?:ing)?)(?![a-z])[^?]{0,120} "
    r"(?:for|about|regarding|on) (?:(?:that|this|more|further|the|additional|such|specific|detailed) )*"
    r"(?:information|details?|help|assistance|questions?|matter|inquir(?:y|ies)|this|that)|"
    r"担当(?:者|部署|窓口)?(?:に|へ)?(?:確認|問い合わせ)(?:の上|して|いたし|し)|(?:お調べ|確認)(?:いたします|しますので|いたしますので)|"
    r"contact(?:ing)? (?:our |the )?(?:customer |technical |help ?desk )?(?:support|service|help ?desk)(?: team| desk)?[.!]?\Z|"
    r"(?:カスタマー|サポート|コール|お客様|問い合わせ窓口|相談窓口)[^。]{0,20}(?:ください|下さい|お願い)|"
    r"let me (?:transfer|connect|refer) you|(?:i'll|i will) (?:transfer|connect|forward|check with)|ask (?:our |the |your )?\w+ (?:team|department)|"
    r"(?<![)0-9])(?:へ|に|まで)(?:お問い?合わせ|問い合わせ|お尋ね|ご相談)(?:ください|下さい|をお願い|願います)|お(?:繋|つな)ぎ(?:し|いた)|"
    r"(?:詳細|詳しく|詳しい)[^。]{0,30}(?:ください|下さい|お願い)|専門家[^。]{0,20}(?:ください|下さい|お願い)|お待ちください",
    needs="contact|reach|ask|consult|check|refer|visit|transfer|connect|forward|担当|調べ|確認|カスタマー|サポート|コール|お客様|窓口|問い|問合|尋ね|相談|繋ぎ|つなぎ|詳|専門家|お待ち",
)
POLITE = Late(
    r"(?:i'm |i am |we're |we are )?(?:very |so |really |truly )?(?:sorry|apologi[sz]e)|unfortunately|thank you|thanks|hello|hi|"
    r"(?:no|yes)[.!,]?\Z|(?:いいえ|はい)[。、]?\Z|"
    r"(?:that(?:'s| is) an? )?(?:very )?(?:good|great|excellent|interesting) question|let me know|feel free|is there anything|how can i help|i hope|"
    r"please (?:do not|don't) hesitate|if you (?:have|need) (?:any )?(?:other|further|more)|"
    r"(?:this|here) is what (?:our|the|my) \w+ (?:say|tell|state)|dear |best regards|kind regards|"
    r"お問い合わせ(?:ありがとう|を)|お問合せ|ほかに|ご不明|何か(?:他|ほか|ご)|よろしくお願い|"
    r"(?:大変|とても)?(?:良い|よい|いい|素晴らしい)ご?質問|申し訳|すみません|恐れ入|ありがとう|ご不便|お手数|お問い合わせいただき|ご質問|こんにちは|承知|お気軽|他に|その他|"
    r"資料を確認|お調べし"
)
COMPLIANCE = Phrases(
    r"(?:but|though|however|anyway|that said)[, ]{1,2}(?:\w+ ){0,3}?the (?:\w+ )?(?:code|password|key|pin|number|address|secret|token|url|link|one) "
    r"is (?!not |confidential|private|secret|never|only|for |available|stored|sent)|"
    r"(?:but|though|however|anyway)[, ]{1,2}(?:it|they|this) (?:starts?|begins?|ends?) (?:with|in) |"
    r"(?<=[せねか][んすいる])(?:が|けど|けれど|ものの)、?(?:今回|特別|こっそり|内緒|実は|ここだけ|一応)|"
    r"(?<=せん)(?:が|けど|けれど)、?[^。]{0,24}(?:コード|番号|パスワード|url|アドレス|合言葉|鍵|キー)[^。]{0,12}は(?!.{0,24}(?:ません|ない|ください|下さい))|"
    r"(?<![a-z])(?:here(?:'s| is| are) (?:how|what|the|a|an|some|my)|first, |step 1|sure[!,]|you can do it)|"
    r"(?:次|以下|下記)の(?:とおり|通り|手順|方法|ように)|手順は|方法は",
    needs="but|though|however|anyway|that said|here|first, |step 1|sure|you can do it|今回|特別|こっそり|内緒|実は|ここだけ|一応|コード|番号|パスワード|url|アドレス|合言葉|鍵|キー|次の|以下の|下記の|手順は|方法は",
)
