"""Whether a text can hold a value at all: cheap, and never "no" where a detector would find something."""

import re

_DIGIT = "[0-9\uff10-\uff19]"
_SUSPICIOUS = re.compile(
    "[@＠]|%40"
    rf"|(?:{_DIGIT}[^0-9\uff10-\uff19]{{0,3}}){{5}}{_DIGIT}"
    rf"|{_DIGIT}[.．]{_DIGIT}+[.．]{_DIGIT}|[0-9A-Fa-f]:[0-9A-Fa-f]{{0,4}}:"
    "|[市区町村郡番証生誕様氏殿君名宛]|さん|さま|くん|ちゃん|者|人[:：は]"
    "|パス|ﾊﾟｽ|キー|合言葉|暗証|コード|保険|記号|フリガナ|ふりがな|アット|あっと|ドット|[★☆◎■●]"
    "|비밀|생|密"
    "|(?i:pass|pwd|secret|token|key|credential|born|birth|d.?o.?b|name|holder|patient|employee|assignee|benef|recip|payee|signed|dot|uthoriz|p.?o.? box|pin|putty|aws)"
    "|(?<![A-Za-z])(?:M[rsx]|Mrs|Miss|Dr|Prof)[. ]|[A-Z][a-z]+ (?:[A-Z]|Van|von|de)"
    r"|[0-9][A-Za-z]? [A-Za-z0-9]"
    r"|(?=[^\s]{0,400}[0-9A-Z])[0-9A-Za-z_+/=.$:~-]{16}|://"
)


def is_suspicious(text: str) -> bool:
    """Tell whether a text is worth a look by the detectors."""
    return _SUSPICIOUS.search(text) is not None
