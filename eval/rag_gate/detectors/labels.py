"""What a number is called in the words beside it: the nearest label tells a phone from an order."""

import re

_REACH = 34
_AFTER = 14
_WORD = r"(?<![A-Za-z])(?:{})(?![A-Za-z])"


def _words(latin: str, other: str) -> str:
    """Return a pattern of Latin words, which stand alone, and of words in other scripts."""
    return f"{_WORD.format(latin)}|{other}" if latin else other


_NUMBER = r"(?:[ -]?(?:numbers?|nos?|num|nr|id|ids|codes?))?\.?"
_NAMED = r"(?:[ -]?(?:numbers?|nos?\.?|num|nr|ids?|codes?|ref(?:erence)?)(?![A-Za-z])|[ ]?\#)"
#: Kind of label -> how it is written. The longer form of several comes first.
_KINDS = {
    "order": _words(
        rf"(?:tracking|shipments?|waybill|(?:your )?ref(?:erence)?|invoice|receipt|booking|transaction|confirmation|serial|purchase order|po|gift ?card|voucher|coupon|vat|tax){_NUMBER}"
        rf"|(?:orders?|ticket|case|request|claim|contract|part|model|product|item|article|catalog(?:ue)?|lot|batch|stock|form|asset|device|customer|member(?:ship)?|loyalty|employee|student|user|client|error|document|session|account){_NAMED}"
        r"|imei|iccid|isbn|issn|ean|jan|upc|gtin|sku|doi|firmware|versions?|ver|build|release|timestamp|epoch|commit|hash|checksum",
        r"(?:ご?注文|受注|発注|お?取引|予約|受付|申込|申請|伝票|送り状|お?荷物(?:伝票)?|追跡|配送|出荷|問い?合わ?せ|整理|管理|登録|承認|"
        r"請求書?|領収書?|見積書?|契約|社員|学籍|製造|シリアル|ロット|製品|商品|機種|型式|部品|在庫|案件|チケット|照会|決済|"
        r"法人|事業者|インボイス|証券|商品券|クーポン|診察券)(?:の)?(?:番号|No\.?|ID|コード)|(?:会員|お客様|お客さま|顧客|ユーザー?|店舗)(?:番号|No\.?|ID|コード)"
        r"|(?:ポイント|会員|ギフト|メンバーズ|プレゼント)カード(?:番号)?|型番|品番|シリアル|バーコード|バージョン|エラーコード|注文ID|トラッキング|JANコード",
    ),
    "phone": _words(
        r"(?:tele)?phones?|mobiles?|cell(?:phones?)?|tel|fax|whatsapp|sms|hotline|helpline|call(?:ed|ing|s)?|dial|ring|texts?|"
        r"reach(?:able|ed)?|contact(?:ed)?|landline|extension|ext",
        r"電話|携帯|ケータイ|ケイタイ|デンワ|テレホン|フリーダイヤル|ダイヤル|連絡先|代表番号|ファックス|ファクス|内線|ショートメール|전화|연락처|휴대폰|핸드폰",
    ),
    "card": _words(
        r"cards?(?! ending)|credit|debit|visa|master ?card|jcb|amex|american express|diners(?: club)?|discover|union ?pay|maestro|pan",
        r"(?:クレジット|クレカ|デビット|プリペイド)?カード(?:番号)?|クレカ|銀聯|(?<![A-Za-z])(?:VISA|Visa|JCB|AMEX|Amex|Mastercard)",
    ),
    "my_number": _words(r"my[ -]?number|individual number", r"マイナンバー(?:カード)?|個人番号"),
    "license": _words(r"driv(?:er'?s?|ing) ?licen[cs]e|license", r"運転免許証?|免許証?|면허"),
    "passport": _words(r"passports?", r"旅券|パスポート|여권|护照|護照"),
    "residence": _words(r"residence cards?|zairyu", r"在留カード|在留資格|外国人登録"),
    "pension": _words(r"pension", r"基礎年金|厚生年金|年金(?:手帳|番号)?"),
    "insurance": _words(r"health insurance", r"健康保険|保険証|保険者|被保険者|資格確認書|国民健康保険"),
    "bank": _words(
        r"bank|checking|savings|account|acct|a/c|routing|aba|direct deposit|sort code",
        r"口座(?:番号)?|普通(?:預金|口座)?|当座(?:預金)?|貯蓄(?:預金)?|振込先|銀行|ゆうちょ",
    ),
    "ssn": _words(r"ssns?|social security|social|ss#|itin|tax(?:payer)? id(?:entification)?", r"社会保障番号"),
    "nino": _words(r"national insurance|nino|ni(?: (?:number|no))", r"国民保険番号"),
    "nhs": _words(r"nhs", r"国民保健サービス"),
    "rrn": _words(r"rrn|resident registration", r"주민(?:등록)?번호|주민등록|住民登録番号"),
    "iban": _words(r"iban", r"国際銀行口座番号"),
}
_LABEL = re.compile("|".join(f"(?P<{kind}>{source})" for kind, source in _KINDS.items()), re.IGNORECASE)
_ANY_DIGIT = re.compile(r"[0-9]")
#: Words that say what is right behind them is no value of a person, whatever its shape.
_ADJACENT = re.compile(
    r"(?:(?<![A-Za-z])(?:orders?|no|nr|id|ids|v|ver|rev|p|pp|art|sec|ch|section|sections|chapter|chapters|code|codes|errors?|type|key|step|ip)"
    r"|[#№§$¥€£_=]|第|注文|番|コード|エラー|版|節|章|条|項|合計|金額|価格|在庫)"
    r"[ :#.：はが=]{0,3}$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ ]{0,1}(?:円|ドル|ユーロ|ポイント|個|件|人|名|点|台|%|USD|JPY|EUR|GBP|yen|dollars?|points?|items?|KB|MB|GB|bytes?)")
_PAUSE = re.compile(r"[。！？!?\n]|\.[ ]")


def label_before(text: str, start: int) -> str | None:
    """Return the kind of the nearest label in front of a value in the same sentence.

    A label that another number already follows does not count.
    """
    window = text[max(0, start - _REACH) : start]
    for pause in _PAUSE.finditer(window):
        window = " " * pause.end() + window[pause.end() :]
    nearest = None
    for match in _LABEL.finditer(window):
        nearest = match
    if nearest is None or _ANY_DIGIT.search(window, nearest.end()):
        return None
    return nearest.lastgroup


def label_after(text: str, end: int) -> str | None:
    """Return the kind of a label right behind a value, as in ``(mobile)``; None if another number is nearer."""
    window = text[end : end + _AFTER]
    match = _LABEL.search(window)
    if match is None or _ANY_DIGIT.search(window[: match.start()]) or _PAUSE.search(window[: match.start()]):
        return None
    return match.lastgroup


def label_of(text: str, start: int, end: int) -> str | None:
    """Return the kind of the label of a value: in front of it, or else behind it."""
    return label_before(text, start) or label_after(text, end)


def is_code(text: str, start: int, end: int) -> bool:
    """Tell whether a number is an amount or the part of a code, by what touches it."""
    return bool(_ADJACENT.search(text[max(0, start - 14) : start]) or _UNIT.match(text, end))
