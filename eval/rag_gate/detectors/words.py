"""The words that say what a number beside them is, by kind."""

# ruff: noqa: SIM905 - lists of words are read best as text

from collections.abc import Iterable, Mapping
from itertools import product
from types import MappingProxyType


def _joined(*parts: str) -> list[str]:
    """Return every combination of words; words of a part stand between bars, and one may be empty."""
    return ["".join(words) for words in product(*(part.split("|") for part in parts))]


_NUMBER = " number| numbers| no| no.| nr| num| id| ids| code| codes| ref| reference| #|#"
_ANY = f"|{_NUMBER}"
_JA_NUMBER = "番号|の番号|No|no|ID|コード"

#: Latin words stand alone and match in any case; a space in them may be a hyphen or nothing.
LATIN: Mapping[str, Iterable[str]] = MappingProxyType(
    {
        "order": [
            *_joined("tracking|shipment|waybill|reference|ref|invoice|receipt|booking|transaction|confirmation|serial|purchase order|po|gift card|voucher|coupon|vat|tax", _ANY),
            *_joined("order|orders|ticket|case|request|claim|contract|part|model|product|item|article|catalog|catalogue|lot|batch|stock|form|asset|device", _NUMBER),
            *_joined("customer|member|membership|loyalty|employee|student|user|client|error|document|session", _NUMBER),
            *"imei iccid isbn issn ean jan upc gtin sku doi firmware version versions ver build release timestamp epoch commit hash checksum".split(),
        ],
        "phone": [
            *_joined("phone|telephone|mobile|cell|fax|tel|hotline|helpline|landline|contact|cellphone", "|s| number| numbers| no"),
            *"whatsapp sms call called calling calls dial ring text texts texted reach reached reachable contacted extension ext".split(),
        ],
        "card": [
            *_joined("card|cards|credit card|debit card|visa|mastercard|jcb|amex|american express|diners|diners club|discover|unionpay|maestro", "| number| no| card"),
            "credit", "debit", "pan",
        ],
        "my_number": ["my number", "my number card", "individual number"],
        "license": _joined("drivers|driver's|driver|driving", " license| licence", "| number| no"),
        "passport": _joined("passport", "|s| number| no| no."),
        "residence": ["residence card", "residence card number", "zairyu", "zairyu card"],
        "pension": ["pension", "pension number"],
        "insurance": ["health insurance", "health insurance number"],
        "bank": [
            *_joined("bank|checking|savings|account|acct|routing|aba|direct deposit|sort code|bank account|checking account|savings account", "| number| no| #"),
            "a/c",
        ],
        "ssn": [*_joined("ssn|social security|ss|itin|taxpayer id|tax id|taxpayer identification|social insurance", "|s| number| no| #"), "social"],
        "nino": _joined("national insurance|nino|ni", "| number| no") ,
        "nhs": _joined("nhs", "| number| no"),
        "rrn": ["rrn", "resident registration number", "resident registration"],
        "iban": ["iban"],
    }
)  # fmt: skip
#: Words of scripts that are written without spaces match anywhere.
OTHER: Mapping[str, Iterable[str]] = MappingProxyType(
    {
        "order": [
            *_joined(
                "注文|ご注文|受注|発注|取引|お取引|予約|ご予約|受付|申込|申請|伝票|送り状|荷物|お荷物|お荷物伝票|荷物伝票|追跡|配送|出荷|問い合わせ|お問い合わせ|問合せ|問合わせ|整理|管理|登録|承認|"
                "請求|請求書|領収|領収書|見積|見積書|契約|社員|学籍|製造|シリアル|ロット|製品|商品|機種|型式|部品|在庫|案件|チケット|照会|決済|法人|事業者|インボイス|証券|商品券|クーポン|診察券|バージョン|エラー",
                _JA_NUMBER,
            ),
            *_joined("会員|お客様|お客さま|顧客|ユーザー|ユーザ|店舗", "番号|No|ID|コード"),
            *_joined("ポイント|会員|ギフト|メンバーズ|プレゼント", "カード", "|番号"),
            *"型番 品番 シリアル バーコード バージョン エラーコード トラッキング JANコード JAN".split(),
        ],
        "phone": "電話 電話番号 携帯 携帯電話 携帯番号 ケータイ ケイタイ デンワ テレホン フリーダイヤル ダイヤル 連絡先 代表番号 ファックス ファクス 内線 ショートメール TEL Tel FAX SMS 전화 연락처 휴대폰 핸드폰".split(),
        "card": "カード カード番号 クレジットカード クレジットカード番号 クレカ デビットカード 銀聯 VISA Visa ビザ マスターカード JCB AMEX Amex アメックス ダイナース".split(),
        "my_number": "マイナンバー マイナンバーカード マイナンバー通知カード 通知カード 個人番号 個人番号カード".split(),
        "license": "運転免許 運転免許証 運転免許証番号 免許証 免許証番号 免許番号 면허".split(),
        "passport": "旅券 旅券番号 パスポート パスポート番号 여권 护照 護照".split(),
        "residence": "在留カード 在留カード番号 在留資格 外国人登録".split(),
        "pension": "年金 年金番号 基礎年金 基礎年金番号 厚生年金 国民年金 年金手帳".split(),
        "insurance": "健康保険 健康保険証 保険証 保険者 保険者番号 被保険者 被保険者番号 資格確認書 国民健康保険".split(),
        "bank": "口座 口座番号 普通 普通預金 当座 当座預金 貯蓄 振込先 銀行 ゆうちょ".split(),
        "ssn": ["社会保障番号"],
        "nino": ["国民保険番号"],
        "nhs": ["国民保健サービス"],
        "rrn": "주민등록번호 주민번호 주민등록 住民登録番号".split(),
        "iban": ["国際銀行口座番号"],
    }
)  # fmt: skip
