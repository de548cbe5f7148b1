"""E-mail addresses, also those written so that machines do not see them."""

# ruff: noqa: SIM905 - lists of words are read best as text

import re
from collections.abc import Iterator

from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.late import Late

_LOCAL = r"(?:[A-Za-z0-9._+'-]|%(?!40))"
_START = r"(?<![A-Za-z0-9_*•●])(?<![A-Za-z0-9][.%+'-])"
_TLD = r"(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,40})"
_PLAIN = Late(
    rf"{_START}(?P<local>[A-Za-z0-9_](?:{_LOCAL}{{0,62}}[A-Za-z0-9_+-])?)(?:@|%40)"
    rf"(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?(?:\.|\[\.\]|\(\.\))){{1,6}}{_TLD})(?![A-Za-z0-9_]|[.-][A-Za-z0-9])"
)
_QUOTED = Late(rf'"[^"@\n]{{1,62}}"@(?P<domain>(?:[A-Za-z0-9-]{{1,63}}\.){{1,6}}{_TLD})(?![A-Za-z0-9_])')
_WIDE = Late(
    rf"{_START}(?P<local>{_LOCAL}{{1,64}})@(?P<domain>[\u3041-\u30ff\u4e00-\u9fff0-9A-Za-z-]{{1,40}}\.(?:jp|com|net|org))(?![A-Za-z0-9])"
)
#: A local part or a host that is not Latin; hiragana in front belongs to the sentence.
_LETTER = r"[A-Za-z0-9\u00c0-\u024f\u0370-\u04ff\u30a1-\u30fc\u3400-\u9fff\uac00-\ud7a3]"
_LABEL = (
    rf"(?:{_LETTER}|[\u3041-\u309f])(?:(?:{_LETTER}|[\u3041-\u309f_-]){{0,61}}(?:{_LETTER}|[\u3041-\u309f]))?"
)
_INTERNATIONAL = Late(
    rf"(?<!{_LETTER})(?<![*•●])(?P<local>{_LETTER}(?:(?:{_LETTER}|[._+-]){{0,62}}{_LETTER})?)@"
    rf"(?P<domain>(?:{_LABEL}\.){{1,6}}{_TLD})(?![A-Za-z0-9_]|[.-][A-Za-z0-9])"
)
_AT = r"(?:[ ]?[(\[{<][ ]?(?:at|@|アット|あっと)[ ]?[)\]}>][ ]?|[ ](?:at|AT|@)[ ]|[ ]?(?:アットマーク|アット)[ ]?|[ ]?[★☆◎■●][ ]?)"
_DOT = r"(?:[ ]?[(\[{<][ ]?(?:dot|\.|ドット)[ ]?[)\]}>][ ]?|[ ](?:dot|DOT)[ ]|[ ]?ドット[ ]?|\.)"
_HIDDEN = Late(
    rf"{_START}(?P<local>[A-Za-z0-9][A-Za-z0-9._%+-]{{0,62}}(?:{_DOT}[A-Za-z0-9]{{1,30}})?){_AT}"
    rf"(?P<domain>[A-Za-z0-9-]{{1,62}}(?:{_DOT}[A-Za-z0-9-]{{1,62}}){{0,3}}{_DOT}[A-Za-z]{{2,12}})(?![A-Za-z0-9_])"
)
_HINT = Late(r"[(\[{<][ ]?(?:at|AT|@)|アット|あっと|[★☆◎■●]|dot|DOT|ドット|[ ]@[ ]")
_BARE_WORD = Late(r"[ ](?:at|AT)[ ]")
_RESERVED = Late(
    r"(?:^|\.)(?:example(?:\.(?:com|org|net|edu|jp|co\.jp|ne\.jp|co\.uk|co\.kr))?|[a-z0-9-]+\.(?:example|test|invalid|localhost|local))$"
)
_PLACEHOLDER = Late(
    r"^(?:(?:your|my|their)?[._-]?(?:e-?mail|name|address|user(?:name)?|account|id|firstname|first\.last|firstname\.lastname)|xx+|foo|bar|abc|test|someone|you|user[0-9]?|name|taro)@"
    r"(?:(?:your|my)?-?(?:domain|company|mail|email|site|host|sample|org|organization|provider|server|xx+|foo|bar|test)\.(?:com|org|net|jp|co\.jp|tld))$"
)
# "recall@5.floor" is a setting; there are addresses at 163.com.
_METRIC = Late(r"[0-9.]+\.(?!(?:com|cn|net|org|jp|info|tv|cc|me|io)$)[a-z_]+$")
_FILES = frozenset(
    "png jpg jpeg gif svg webp js ts css py html htm md json yml yaml txt pdf zip sh rb go".split()
)


def find_emails(scan: Scan) -> Iterator[Hit]:
    """Yield e-mail addresses; addresses reserved for documentation and placeholders are none."""
    text = scan.open
    patterns = [_PLAIN, _QUOTED] if "@" in text or "%40" in text else []
    if patterns and not text.isascii():
        patterns += [_WIDE, _INTERNATIONAL]
    if _HINT.search(text):
        patterns.append(_HIDDEN)
    taken = Spans()
    for pattern in patterns:
        for match in pattern.finditer(text):
            address = _canonical(match)
            if address is not None and not _is_in_link(text, match.start()) and taken.take(*match.span()):
                yield Hit("EMAIL", *match.span(), frozenset({address}))


def _canonical(match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    whole, domain = match[0], groups["domain"]
    if _BARE_WORD.search(whole) and not re.search(r"[ ](?:dot|DOT)[ ]|[(\[]", whole):
        return None  # "look at contoso.com" is no address
    local = groups.get("local") or whole.partition("@")[0]
    address = f"{_plain(local)}@{_plain(domain)}".casefold()
    host = address.rpartition("@")[2]
    if (
        _METRIC.match(host)
        or _RESERVED.search(host)
        or _PLACEHOLDER.match(address)
        or host.rpartition(".")[2] in _FILES
    ):
        return None
    is_code = address.startswith("git@") or (host.partition(".")[0].isdigit() and " " in whole)
    return None if is_code else address


def _plain(part: str) -> str:
    return re.sub(r"[()\[\]{}<> ]", "", re.sub(_DOT, ".", part))


def _is_in_link(text: str, start: int) -> bool:
    """Tell whether what stands in front of the @ is the user part of a link."""
    return bool(re.search(r"[a-z]://[^\s/@]{0,80}$", text[max(0, start - 90) : start]))
