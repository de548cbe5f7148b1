"""Units of quantities in Japanese and English, and the one name that each has here."""

from collections.abc import Iterable
from typing import NamedTuple

# Spellings of one unit are separated by "|"; a space also matches a hyphen.
_SPELLINGS: dict[str, str] = {
    "business_day": "営業日間|営業日目|営業日|稼働日|business days|business day|working days|working day",
    "day": "日間|日目|日|days|day",
    "week": "週間|週|weeks|week",
    "month": "か月間|カ月間|ヶ月間|ケ月間|か月|カ月|ヶ月|ケ月|ヵ月|箇月|個月|months|month",
    "year": "年間|年度|年|years|year|yrs|yr",
    "decade": "年代|s",
    "century": "世紀|centuries|century",
    "age": "歳|才|years old|years of age|year old",
    "hour": "時間|hours|hour|hrs|hr",
    "minute": "分間|分|minutes|minute|mins|min",
    "second": "秒間|秒|seconds|second|secs|sec",
    "JPY": "円|yen|JPY",
    "USD": "米ドル|ドル|US dollars|U.S. dollars|dollars|dollar|USD|$",
    "EUR": "ユーロ|euros|euro|EUR|€",
    "GBP": "ポンド|pounds sterling|GBP|£",
    "cent": "セント|cents|cent",
    "percent": "%|パーセント|percent|per cent|pct",
    "point": "%ポイント|パーセントポイント|ポイント|点|percentage points|percentage point|points|point|pts|pt",
    "degree": "度|°C|°F|°|degrees Celsius|degrees Fahrenheit|degrees|degree",
    "person": "人|名様|名|people|persons|person",
    "piece": "個|つ|pieces|piece|items|item",
    "time": "回目|回|times|time",
    "fold": "倍|fold",
    "rank": "位",
    "number": "番目|番|号",
    "article": "条",
    "section": "節|項|章",
    "floor": "階建て|階|floors|floor",
    "class": "級",
    "unit": "台|units|unit",
    "sheet": "枚|sheets|sheet",
    "stick": "本",
    "volume": "冊|巻",
    "case": "件|cases|case",
    "company": "社|companies|company",
    "shop": "店舗|stores|store",
    "box": "箱|boxes|box",
    "animal": "匹|頭|羽",
    "household": "世帯|戸|軒",
    "school": "校",
    "song": "曲",
    "line": "行",
    "quarter": "四半期|quarters|quarter",
    "page": "ページ|頁|pages|page",
    "character": "文字|字|characters|character",
    "word": "語|words|word",
    "episode": "話|episodes|episode",
    "night": "泊|nights|night",
    "share": "株|shares|share",
    "vote": "票|votes|vote",
    "country": "か国|カ国|ヶ国|countries|country",
    "place": "か所|カ所|ヶ所|箇所",
    "kind": "種類|種",
    "kg": "キログラム|kg|kilograms|kilogram|kilos",
    "g": "グラム|g|grams|gram",
    "mg": "ミリグラム|mg|milligrams",
    "ton": "トン|tons|ton|tonnes|tonne",
    "km": "キロメートル|km|kilometers|kilometres|kilometer|kilometre",
    "m": "メートル|m|meters|metres|meter|metre",
    "cm": "センチメートル|センチ|cm|centimeters|centimetres",
    "mm": "ミリメートル|ミリ|mm|millimeters|millimetres",
    "mile": "マイル|miles|mile",
    "foot": "フィート|feet|foot|ft",
    "inch": "インチ|inches|inch",
    "pound": "lbs|lb|pounds|pound",
    "m2": "平方メートル|m2|m^2|sqm|square meters|square metres",
    "km2": "平方キロメートル|km2|km^2|square kilometers|square kilometres",
    "m3": "立方メートル|m3|m^3|cubic meters|cubic metres",
    "ha": "ヘクタール|ha|hectares|hectare",
    "L": "リットル|L|liters|litres|liter|litre",
    "mL": "ミリリットル|mL",
    "kcal": "キロカロリー|kcal",
    "W": "ワット|W",
    "kW": "キロワット|kW",
    "kWh": "kWh",
    "V": "ボルト|V",
    "Hz": "ヘルツ|Hz",
    "MHz": "メガヘルツ|MHz",
    "GHz": "ギガヘルツ|GHz",
    "KB": "KB",
    "MB": "メガバイト|MB|megabytes|megabyte",
    "GB": "ギガバイト|GB|gigabytes|gigabyte",
    "TB": "テラバイト|TB|terabytes|terabyte",
    "Kbps": "Kbps",
    "Mbps": "Mbps",
    "Gbps": "Gbps",
    "px": "ピクセル|px|pixels|pixel",
}
# A counter that is the first character of one of these words counts nothing: 5分野, 3人気, 2日本.
_NOT_BEFORE = {
    spelling: frozenset(after)
    for spelling, after in {
        "日": "本付程時常",
        "分": "野類析割布岐",
        "年": "齢",
        "人": "口気類間",
        "名": "称",
        "度": "目",
        "回": "答路線",
        "種": "類",
        "社": "会",
        "本": "社店部国体文人",
        "台": "風湾",
        "行": "政動事為程",
        "話": "題",
        "階": "層段",
        "番": "組",
        "件": "名",
        "条": "件例約",
        "節": "約電",
        "項": "目",
        "位": "置",
        "点": "検",
    }.items()
}
_CODES = ("USD", "JPY", "EUR", "GBP")
CURRENCIES = {"$": "USD", "US$": "USD", "¥": "JPY", "€": "EUR", "£": "GBP"} | {code: code for code in _CODES}
MONEY = frozenset([*_CODES, "cent"])
# Counters that read as a quantity after a kanji numeral; 一部, 一番, 一度, 一本 and the like do not.
_AFTER_KANJI = (
    "営業日|稼働日|日間|日|週間|か月|カ月|ヶ月|ケ月|ヵ月|箇月|年間|年|時間|分間|分|秒|円|ドル|ユーロ|%|パーセント|割|"
    "人|名|個|つ|回|歳|才|倍|件|社|台|枚|冊|泊|階|世紀|匹|頭|羽|本|点|曲|票|校|種類|か国|カ国|か所|カ所|箇所"
)

# What 第 numbers.
_ORDERED = "条|項|号|章|節|回|位|番|話|巻|四半期|世紀"


_NOTHING: frozenset[str] = frozenset()
_DIGITS = frozenset("0123456789")
_NUMERALS = _DIGITS | frozenset("一二三四五六七八九")
_BY_SPELLING = {
    spelling.lower(): name for name, joined in _SPELLINGS.items() for spelling in joined.split("|")
} | {"割": "wari"}
_ENDS_IN_LETTERS = frozenset(
    spelling for spelling in _BY_SPELLING if spelling[-1].isascii() and spelling[-1].isalnum()
)


#: Spellings are looked up by so many characters; a shorter one by itself.
_HEAD = 2


class Unit(NamedTuple):
    """The unit at a place of a text: its one name, and where it ends."""

    name: str
    end: int


class Counters:
    """Units, found at a place of a text by their longest spelling.

    Looking slices of the text up is many times faster than an alternation of all spellings, and needs no compiling.
    """

    def __init__(self, spellings: Iterable[str]) -> None:
        longest_first = sorted(spellings, key=len, reverse=True)
        self._names = {spelling: _BY_SPELLING[spelling] for spelling in longest_first}
        self._lengths: dict[str, list[int]] = {}
        for spelling in longest_first:
            lengths = self._lengths.setdefault(spelling[:_HEAD], [])
            if len(spelling) not in lengths:
                lengths.append(len(spelling))

    def at(self, text: str, place: int) -> Unit | None:
        """Return the unit that begins at a place; None where none does. Latin letters are in lower case."""
        for size in range(_HEAD, 0, -1):
            for length in self._lengths.get(text[place : place + size], ()):
                spelling = text[place : place + length].replace("-", " ")
                name, end = self._names.get(spelling), place + len(spelling)
                if name is not None and not _is_part_of_more(spelling, text, end):
                    return Unit(name, end)
        return None


def _is_part_of_more(spelling: str, text: str, end: int) -> bool:
    """Tell whether what stands after a spelling makes another word of it."""
    after = text[end : end + 1]
    if spelling in _ENDS_IN_LETTERS:
        return after.isascii() and after.isalpha()
    if spelling == "分" and after == "の":
        return text[end + 1 : end + 2] in _NUMERALS
    return after in (_DIGITS if spelling in "$€£" else _NOT_BEFORE.get(spelling, _NOTHING))


COUNTERS = Counters(_BY_SPELLING)
KANJI_COUNTERS = Counters(_AFTER_KANJI.split("|"))
ORDERED = Counters(_ORDERED.split("|"))


def unit_name(spelling: str) -> str:
    """Return the unit's one name."""
    return _BY_SPELLING[spelling]
