"""Whether a text can hold a value at all: cheap, and never "no" where a detector would find something."""

# ruff: noqa: SIM905 - lists of words are read best as text

from rag_gate.late import Late

_DIGIT = "[0-9\uff10-\uff19]"
_HAS_DIGIT = Late(_DIGIT)
#: In a text with digits: numbers long enough, addresses of networks and of streets, labels of short numbers.
_NUMBER = Late(
    rf"{_DIGIT}(?:[^0-9\uff10-\uff19]{{0,3}}{_DIGIT}){{5}}"
    rf"|{_DIGIT}[.．]{_DIGIT}+[.．]{_DIGIT}"
    "|[0-9][A-Za-z]? [A-Za-z0-9]"
)
_HINTS = Late("[@＠:：市区町村郡証生誕様氏殿君名宛★☆◎■●キパ]|さん|さま|くん|ちゃん|者|人[はが]")
_OTHER = Late(
    r"&(?:\#|[A-Za-z]{2,})|%[0-9A-Fa-f]{2}|[〇零一二三四五六七八九](?:.{0,3}[〇零一二三四五六七八九]){6}|[0-9]\n"
    "|合言葉|暗証|コード|保険|記号|フリガナ|ふりがな|アット|あっと|ドット|ﾊﾟｽ|비밀|생|密|鍵"
)
_NAME = Late("[A-Z][a-z]+ (?:[A-Z]|Van|von|de)|(?:M[rsx]|Mrs|Miss|Dr|Prof)[. ]")
_SHORTEST_TOKEN = 16
_TOKEN = Late(rf"[0-9A-Za-z_+/=.$~-]{{{_SHORTEST_TOKEN}}}")
_WORDS = (
    "pass kennwort contraseña senha mot pwd secret token key credential born birth dob d.o.b name holder patient employee assignee benef recip payee "
    "signed dot uthoriz box pin putty aws 출생"
).split()  # fmt: skip


def is_suspicious(text: str) -> bool:
    """Tell whether a text is worth a look by the detectors."""
    if len(text) < _SHORTEST_TOKEN and text.isascii() and text.isalpha():
        return False
    if _HINTS.search(text) or _NAME.search(text) or _TOKEN.search(text) or _OTHER.search(text):
        return True
    if _HAS_DIGIT.search(text) and _NUMBER.search(text):
        return True
    lowered = text.lower()
    return any(word in lowered for word in _WORDS)
