"""Postal addresses of Japan (town and number) and of English-speaking countries (street, city, code)."""

import re
from collections.abc import Iterator

from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.late import Late

_POSTAL = Late(r"(?:〒|郵便番号[^0-9。\n]{0,6})[ ]?([0-9]{3}[-ー ]?[0-9]{4})(?![0-9A-Za-z_])")
_PREFECTURE = (
    "北海道|東京都|大阪府|京都府|(?:青森|岩手|宮城|秋田|山形|福島|茨城|栃木|群馬|埼玉|千葉|神奈川|新潟|富山|石川|福井|山梨|長野|岐阜|静岡|"
    "愛知|三重|滋賀|兵庫|奈良|和歌山|鳥取|島根|岡山|広島|山口|徳島|香川|愛媛|高知|福岡|佐賀|長崎|熊本|大分|宮崎|鹿児島|沖縄)県"
)
_NAME = r"[々〆ヶケ一-鿿ぁ-んァ-ヺー]"
_FIGURE = r"(?:[0-9]{1,5}|[〇一二三四五六七八九十百]{1,5})"
_BLOCK = rf"(?:(?:北|南|東|西)?{_FIGURE}(?:条(?:東|西|南|北)?{_FIGURE}?)?(?:丁目|番地?|号)?(?:[ ]?(?:[-ーの][ ]?)?{_FIGURE}(?:丁目|番地?|号)?){{1,4}}|{_FIGURE}(?:丁目|番地|番|号))"
#: What a number is about that stands in a street's place: days, hours, shops; and no street ends with a particle.
_COUNTED = r"(?![0-9円%時日店割倍個件人名枚点回分歳才泊社種通台品年月か～~]|営業|号店|ヶ月|カ所|時間|キロ|km)"
_STREET_END = r"(?<![はでもがをにへ、で])(?<![本支]社の)(?<![市区町村]の)"
_BUILDING = (
    rf"(?:[ 、]?(?:[A-Za-z0-9]|{_NAME}){{2,20}}[ ]?(?:[A-Z]?[0-9]{{1,4}}[ ]?(?:号室|号棟|号|室|[FＦ階])))?"
)
_WITH_PREFECTURE = Late(
    rf"(?:{_PREFECTURE})[ ]?{_NAME}{{1,7}}?(?:市|区|町|村|郡)[ ]?{_NAME}{{0,18}}?{_STREET_END}[ ]?{_BLOCK}{_COUNTED}{_BUILDING}"
)
#: Cities with wards, whose prefecture is often left out.
_CITY_WITH_WARDS = "(?:札幌|仙台|さいたま|千葉|横浜|川崎|相模原|新潟|静岡|浜松|名古屋|京都|大阪|堺|神戸|岡山|広島|北九州|福岡|熊本)市"
_IN_WARD = Late(
    rf"{_CITY_WITH_WARDS}{_NAME}{{1,4}}?区[ ]?{_NAME}{{1,18}}?{_STREET_END}[ ]?{_BLOCK}{_COUNTED}{_BUILDING}"
)
_LABELLED = Late(
    rf"(?:住所|所在地|居住地|お?届け?先|配送先|送付先|送り先|お住まい|自宅|実家|転居先|本籍|〒\x00{{7,8}})[^0-9。\n]{{0,6}}?[ :：はが]{{0,3}}"
    rf"(?P<address>{_NAME}{{1,7}}?(?:市|区|町|村|郡)[ ]?{_NAME}{{0,18}}?{_STREET_END}[ ]?{_BLOCK}{_COUNTED}{_BUILDING})"
)
_STREET = (
    r"(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|terrace|ter|place|pl|way|square|sq|parkway|pkwy|highway|hwy|"
    r"close|crescent|cres|grove|gardens|mews|row|circle|cir|trail|trl|walk|hill|alley|plaza|loop|quay)"
)
_UNIT = r"(?:,?[ ](?:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|\#)\.?[ ]?\#?[0-9A-Za-z-]{1,6})?"
_STATE = r"(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])"
_ZIP = r"[0-9]{5}(?:-[0-9]{4})?"
_UK_CODE = r"[A-Z]{1,2}[0-9][0-9A-Z]?[ ]?[0-9][A-Z]{2}"
_HOUSE = (
    r"(?<![0-9A-Za-z])(?:(?:flat|apt|unit)[ ][0-9A-Za-z]{1,4},?[ ])?[0-9]{1,6}[A-Za-z]?(?:-[0-9]{1,4})?[ ]"
)
_NUMBERED = r"[0-9]{1,3}(?:st|nd|rd|th)"
_REST = rf"{_STREET}(?![A-Za-z])\.?(?:[ ](?-i:[NSEW]{{1,2}})(?![A-Za-z]))?{_UNIT}"
_LINE = rf"{_HOUSE}(?:(?:[A-Za-z][A-Za-z'.-]{{0,20}}|{_NUMBERED})[ ]){{1,4}}?{_REST}"
_CAPITAL_LINE = rf"{_HOUSE}(?:(?-i:[A-Z][A-Za-z'.-]{{0,20}}|{_NUMBERED})[ ]){{1,4}}?(?-i:(?=[A-Z])){_REST}"
_CITY = r"(?-i:[A-Z][A-Za-z'.-]{1,20}(?:[ ][A-Z][A-Za-z'.-]{1,20}){0,2})"
_PLACE = rf"(?:,?[ ]{_CITY})?,?[ ](?:(?-i:{_STATE})(?:[ ]{_ZIP})?|{_ZIP}|(?-i:{_UK_CODE}))(?![0-9A-Za-z])"
#: What each English rule holds: a house number before a word, or the number of a box.
_FIGURE_AND_WORD = Late(r"[0-9][A-Za-z]?[ ][A-Za-z0-9]|[Xx][ ][0-9]")
_ENGLISH = Late(rf"{_LINE}{_PLACE}", re.IGNORECASE)
_ENGLISH_LABELLED = Late(
    rf"(?<![A-Za-z])(?:address|ship(?:ped|ping)?|deliver(?:ed|y|ies)?|sent|mailed|lives?|living|resid(?:es?|ing|ence)|moved|home|billing)(?![A-Za-z])[^.\n0-9]{{0,24}}?(?P<address>{_CAPITAL_LINE}(?:,[ ]{_CITY})?)(?![A-Za-z])",
    re.IGNORECASE,
)
_POBOX = Late(rf"(?<![A-Za-z])P\.?[ ]?O\.?[ ]Box[ ][0-9]{{1,7}}{_PLACE}", re.IGNORECASE)


def find_postal_codes(scan: Scan) -> Iterator[Hit]:
    """Yield Japanese postal codes behind their mark."""
    for match in _POSTAL.finditer(scan.open):
        yield Hit("JP_POSTAL_CODE", *match.span(1), frozenset({re.sub(r"[^0-9]", "", match[1])}))


def find_addresses(scan: Scan) -> Iterator[Hit]:
    """Yield addresses down to the house number; a prefecture or a city alone is none."""
    text = scan.open
    rules: list[tuple[Late, str]] = []
    if any(char in text for char in "市区町村郡"):
        rules += [(_WITH_PREFECTURE, "JP_ADDRESS"), (_LABELLED, "JP_ADDRESS"), (_IN_WARD, "JP_ADDRESS")]
    if _FIGURE_AND_WORD.search(text):
        rules += [(_ENGLISH, "ADDRESS"), (_ENGLISH_LABELLED, "ADDRESS"), (_POBOX, "ADDRESS")]
    taken = Spans()
    for pattern, kind in rules:
        for match in pattern.finditer(text):
            start, end = match.span("address") if "address" in pattern.groupindex else match.span()
            if taken.take(start, end):
                key = re.sub(r"[\s,.\x00-]", "", text[start:end]).casefold()
                yield Hit(kind, start, end, frozenset({key}))
