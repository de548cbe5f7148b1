"""Names of persons where their surroundings say so: honorifics, labels, titles, frequent given names.

A name alone is told by a model only; what is found here is a warning.
"""

# ruff: noqa: SIM905 - lists of words are read best as text

import re
from collections.abc import Iterator

from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.detectors.surnames import FAMILY_KANA, FAMILY_NAMES, GIVEN_NAMES
from rag_gate.late import Late

_KANJI = r"[々ヶ㐀-鿿]"
_KANA = r"[ァ-ヺー]"
_HONORED = Late(
    rf"(?<![々㐀-鿿ァ-ヺー])(?P<name>{_KANJI}{{1,5}}(?:[ ]{_KANJI}{{1,4}})?|{_KANJI}{{1,3}}[ ]?[ぁ-ん]{{2,4}}|{_KANA}{{2,8}}(?:[ ・]{_KANA}{{2,8}})?)[ ]?(?P<honor>様方?|さま|さん|氏|殿|くん|君|ちゃん)(?![々㐀-鿿]|式|子|々)"
)
#: One of each stands in what the two rules find.
_ENTRIES = ("名", "フリガナ", "ふりがな", "担当", "受取人", "代表者")
_HONORS = ("様", "さま", "さん", "氏", "殿", "くん", "君", "ちゃん")
_LABELLED = Late(
    rf"(?:氏名|お名前|名前|名義人?|フリガナ|ふりがな|担当者?名?|(?:お客様|顧客|依頼主|請求先|配送先)(?:名|氏名)|契約者名?|申込者名?|宛名|受取人|届け先名|代表者)(?:（[^）]{{0,8}}）|\([^)]{{0,8}}\))?(?:[ ]?[:：]|は|が|[ ]?[=＝])[ ]?"
    rf"(?P<name>{_KANJI}{{1,4}}[ ]{_KANJI}{{1,4}}|{_KANJI}{{2,6}}|{_KANA}{{2,8}}[ ・]{_KANA}{{2,8}}|[ぁ-ん]{{2,6}}[ ][ぁ-ん]{{2,6}})(?![々㐀-鿿ァ-ヺー])"
)
_NO_NAMES = frozenset(
    "得意 皆 奥 神 王 貴 仏 殿 客 各 何 誰 同 仕 模 多 有 様 一 逆 生 両 諸 華 摂 彼 娘 息 姫 爺 婆 嫁 婿 沢山 皆々 お客 顧客 業者 他社 御社 弊社 当社 貴社 同社 "
    "奥方 奥様 旦那 両親 親御 家族 患者 会員 社員 店員 駅員 職員 役員 医者 医師 看護師 運転手 大家 商店 農家 本屋 花屋 魚屋 肉屋 薬局 役所 銀行 警察 先生 学生 生徒 弁護士 税理士 "
    "取引先 得意先 仕入先 委託先 代理店 販売店 加盟店 企業 法人 団体 店舗 利用者 使用者 購入者 申込者 契約者 登録者 受取人 名義人 保護者 担当者 責任者 管理者 関係者 希望者 対象者 出品者 "
    "ユーザー ゲスト オーナー メーカー スタッフ ドライバー オペレーター エンジニア クライアント パートナー メンバー ショップ サポート カスタマー".split()
)
_ROLE_END = tuple("者先店社員主人客方親族師長家屋会校所部課室係館園院局署組団庁的等")
_NO_START = "皆各御貴諸全同一二三四五六七八九十何"
_USUAL_LENGTHS = (2, 3, 4)
_ENTRY_END = (
    "番号",
    "欄",
    "入力",
    "情報",
    "変更",
    "確認",
    "登録",
    "必須",
    "記入",
    "明記",
    "不明",
    "申請",
    "一覧",
)
_LONGEST_NAME = 5
_LEADS = "担当 受付 店長 部長 課長 社長 弊社 当社 契約者 申込者 代表 故".split()
_TITLED = Late(
    r"(?<![A-Za-z])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\.?[ ](?P<name>[A-Z][a-z'’-]{1,20}(?:[ ][A-Z]\.)?(?:[ -][A-Z][A-Za-z'’-]{1,20}){0,2})"
)
_FIELD = Late(
    r"(?<![A-Za-z])(?:full name|customer name|contact name|account holder|card ?holder(?: name)?|patient|employee|assignee|beneficiary|recipient|payee|name|signed by|account owner)(?:[ ]?[:=]|[ ]is)[ ]?"
    r"(?P<name>(?-i:[A-Z][a-z'’-]{1,20}(?:[ ][A-Z]\.)?(?:[ ][A-Z][A-Za-z'’-]{1,20}){1,2}))(?![A-Za-z])",
    re.IGNORECASE,
)
_PAIR = Late(
    r"(?<![A-Za-z@.])(?P<given>[A-Z][a-z]{1,12})[ ](?:[A-Z]\.[ ])?(?P<family>(?:O'|Mc|Mac|De|Di|Van |von |de )?[A-Z][a-z]{1,15}(?:-[A-Z][a-z]{1,15})?)(?![A-Za-z])"
)
_NO_FAMILY = frozenset(
    "Street Avenue Road Lane Drive Court Terrace Square Beach River Lake City Hotel University College School Hospital Center Centre Museum Station Airport "
    "Pro Plus Max Mini Air Ultra Lite Classic Edition Series Collection Model Card Account Support Team Store Shop Market Bank Insurance Group Company Corporation Inc Ltd "
    "Service Services System Systems Software App Cloud Plan Policy Program Award Prize Day Week Month Foods Foundation Institute Law Act Rule Test Theorem And Or The For With "
    "January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
)


def find_names(scan: Scan) -> Iterator[Hit]:
    """Yield names of persons."""
    found = sorted(_all(scan.open), key=lambda span: (span[0], -span[1]))
    taken = Spans()
    for start, end in found:
        if taken.take(start, end):
            key = re.sub(r"[\s・]", "", scan.text[start:end]).casefold()
            yield Hit("PERSON", start, end, frozenset({key}))


def _all(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_TITLED, _FIELD):
        yield from (match.span("name") for match in pattern.finditer(text))
    if any(word in text for word in _ENTRIES):
        yield from (match.span("name") for match in _LABELLED.finditer(text) if _is_entry(match["name"]))
    for match in _HONORED.finditer(text) if any(honor in text for honor in _HONORS) else ():
        name = _without_lead(match["name"])
        if _is_name(name, match["honor"]):
            yield match.end("name") - len(name), match.end("name")
    for match in _PAIR.finditer(text):
        if match["given"] in GIVEN_NAMES and match["family"] not in _NO_FAMILY:
            yield match.span()


def _is_entry(name: str) -> bool:
    """Tell whether what stands behind 氏名 is a name, and not what to do with the field."""
    compact = name.replace(" ", "").replace("・", "")
    if compact in _NO_NAMES or name != compact:
        return compact not in _NO_NAMES and not compact.endswith(_ENTRY_END)
    known = any(compact[:size] in FAMILY_NAMES for size in (3, 2, 1))
    return known and len(compact) <= _LONGEST_NAME and not compact.endswith(_ENTRY_END)


def _without_lead(name: str) -> str:
    """Return a name without the noun that stands right in front of it, as in 担当佐藤."""
    for lead in _LEADS:
        rest = name.removeprefix(lead)
        if rest != name and rest.strip():
            return rest.strip()
    return name


def _is_name(name: str, honor: str) -> bool:
    compact = name.replace(" ", "").replace("・", "")
    if name in _NO_NAMES or compact in _NO_NAMES:
        return False
    if re.fullmatch(r"[ァ-ヺー ・]+", name):
        first = re.split(r"[ ・]", name)[0]
        return first in FAMILY_KANA or (name != compact and honor in ("様", "さま", "氏"))
    if any(compact[:size] in FAMILY_NAMES for size in (4, 3, 2)) or name in FAMILY_NAMES:
        return not compact.endswith(_ROLE_END) or len(compact) <= 3 or compact in FAMILY_NAMES  # noqa: PLR2004 - 金子 is a name, 山田商会 none
    if compact[:1] in FAMILY_NAMES and len(compact) >= 3:  # noqa: PLR2004 - 林太郎
        return not compact.endswith(_ROLE_END)
    if " " in name:
        return not compact.endswith(_ROLE_END)
    is_like_one = len(compact) in _USUAL_LENGTHS and compact[0] not in _NO_START
    return honor in ("様", "さま") and is_like_one and not compact.endswith(_ROLE_END)
