"""Find keys, tokens and passwords in a text."""

# ruff: noqa: SIM905 - lists of words are read best as text

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from rag_gate.detectors.encoded import decoded_runs
from rag_gate.detectors.model import Hit, Spans
from rag_gate.detectors.personal import Found, to_original
from rag_gate.detectors.readings import shown, without_breaks
from rag_gate.detectors.secret_rules import RULES
from rag_gate.detectors.tables import cells_of
from rag_gate.folding import Folded, fold
from rag_gate.late import Late

UserRule = tuple[str, re.Pattern[str]]
#: A user's pattern looks at so many characters.
_USER_LIMIT = 20_000
_NAME = (
    r"(?:(?:[A-Za-z0-9]{1,20}[_.-]){0,4}(?:api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret(?:[_-]?(?:access[_-]?)?key)?|client[_-]?secret|auth[_-]?token|"
    r"access[_-]?token|refresh[_-]?token|bearer[_-]?token|token|private[_-]?key|encryption[_-]?key|signing[_-]?key|webhook[_-]?secret|credentials?))"
)
_ASSIGNED = Late(
    rf"(?<![0-9A-Za-z_.-]){_NAME}[\"']?[ ]?(?:=>|:=|=|:)[ ]?[\"']?(?P<value>[0-9A-Za-z_.~+/=!@#$%^&*-]{{12,200}})",
    re.IGNORECASE,
)
#: The same in a sentence.
_SPOKEN = Late(
    r"(?:(?<![A-Za-z])(?:api|access|secret|private|client|auth|bearer|refresh|encryption|license|webhook|signing)[ -](?:key|token|secret)|(?<![A-Za-z])secret(?![A-Za-z])"
    r"|(?:API|アクセス|シークレット|秘密|認証|クライアント|ライセンス|暗号)(?:キー|トークン|シークレット|鍵)|(?:トークン|シークレット|秘密鍵)|API[ ]?key)"
    r"(?:[ ]?[:：=]|[ ]is:?|[ ]was|は|が|を|に)[ \n]{0,2}[\"'「『`（(]?(?P<value>(?<![0-9A-Za-z])[0-9A-Za-z_.~+/=-]{16,200})",
    re.IGNORECASE,
)
_PASSWORD_WORD = r"(?:(?<![A-Za-z])(?:[a-z]{1,12}[_.-]){0,3}(?:password|passwd|passphrase|passcode|pwd|pass|passwort|kennwort|contraseña|mot de passe|senha)s?(?![A-Za-z])|パスワード|ﾊﾟｽﾜｰﾄﾞ|パスコード|合言葉|暗証|비밀번호|密码|密碼)"
_PASSWORD = Late(
    rf"{_PASSWORD_WORD}(?:[^\n。.!?\"':=：/]{{0,16}}?)[\"'’]?[ ]?(?:=>|:=|=|:|(?<![A-Za-z])(?:is|was|becomes?|to|(?<!such )as)(?![A-Za-z])|は|が|を|に|です)[ ]{{0,2}}\n?[\"'「『`（(]?"
    r"(?P<value>(?<![0-9A-Za-z])(?!/)[!-&+-;=?-Z^_a-z{|}~*\[\]\\]{6,64})",
    re.IGNORECASE,
)
#: What a text must hold before it is searched for passwords, and for keys.
_PASSWORD_WORDS = (
    "pass",
    "pwd",
    "kennwort",
    "contraseña",
    "senha",
    "パス",
    "ﾊﾟｽ",
    "合言葉",
    "暗証",
    "비밀",
    "密",
)
_KEY_WORDS = ("key", "token", "secret", "credential", "キー", "トークン", "シークレット", "鍵")
_PASSWORD_HEAD = Late(_PASSWORD_WORD, re.IGNORECASE)
_CELL = Late(r"[ \t`*\"']{0,6}(?P<value>[!-&+-;=?-Z^_a-z{}~\[\]\\]{6,64})(?=[ \t`*\"']{0,6}(?:\||\Z))")
_PIN = Late(
    r"(?:暗証番号|パスコード|(?<![A-Za-z])PIN(?:コード|番号| code| number)?(?![A-Za-z]))[ ]?(?:は|が|[:=]|is|was)[ ]?[「『\"']?(?P<value>[0-9]{4,8})(?![0-9A-Za-z]|[ ]?(?:桁|文字|個|回|digits?)|[-.][0-9])"
)
_PLACEHOLDER = Late(
    r"example|sample|dummy|placeholder|redacted|changeme|your[_-]?|my[_-]?(?:api|secret|token|password)|insert|replace|x{4,}|\*{3,}|\.{3}|<|>|\$\{|\{\{|%s|abcdef|123456789|(?P<one>.)(?P=one){5,}",
    re.IGNORECASE,
)
#: Names of things in code: SESSION_TOKEN_HERE, ClientCertificateCredential2, my-app-tls.
_IDENTIFIER = Late(
    r"(?:[A-Z]{2,20}_){1,6}[A-Z0-9]{2,20}|[A-Z]?[a-z]{2,20}(?:[A-Z][a-z]{2,20}){1,8}[0-9]{0,2}|(?:[a-z]{2,20}[-._]){1,6}[a-z]{2,20}[0-9]{0,2}"
)
_SAID = frozenset(
    "password passwd pass pwd secret user username token none null true false hidden todo tbd".split()
)
_WORD_WITH_FIGURE = Late(
    r"(?:sha|md|aes|base|utf|rsa|hs|es|rs|ipv|oauth|http|tls|ssl|v|win|web|mp|h)-?[0-9]+(?:[-_.]?[a-z0-9]+)*|[0-9]+(?:[-~][0-9]+)?[a-z]+|[a-z]+-[0-9]+|[0-9./:-]+",
    re.IGNORECASE,
)
_LONG = 16
#: The shortest run that a built-in rule can begin with.
_TOKEN = Late(r"[0-9A-Za-z_.:/+=~$-]{9}")


@lru_cache(maxsize=256)
def find_secrets(text: str, rules: tuple[UserRule, ...] = ()) -> tuple[Found, ...]:
    """Return the secrets in a text, in order, without overlaps.

    Args:
        text: any text.
        rules: more rules as (type, pattern); a group ``value`` is the secret, else the whole match is.
    """
    written = fold(text, case=False, verbatim=True)
    taken = Spans()
    found = [item for item in _everywhere(written, rules) if taken.take(item.start, item.end)]
    return tuple(sorted(found, key=lambda item: item.start))


def _everywhere(written: Folded, rules: tuple[UserRule, ...]) -> Iterator[Found]:
    if "%" in written.text and "://" in written.text:  # the escapes of an address keep its parts apart
        yield from to_original(written, _formatted(written.text))
    folded = shown(written)
    yield from to_original(folded, _all(folded.text, rules))
    whole = without_breaks(folded)
    if whole is not None:
        yield from to_original(whole, _formatted(whole.text))
    for start, end, said in decoded_runs(folded.text):
        first, last = folded.original(start, end)
        for inner in find_secrets(said, rules)[:1]:
            yield replace(inner, start=first, end=last)


def _all(text: str, rules: Sequence[UserRule]) -> Iterator[Hit]:
    for kind, pattern in rules:
        for match in pattern.finditer(text[:_USER_LIMIT]):
            if match.end() > match.start():
                yield _hit(kind, match)
    yield from _formatted(text)
    lowered = text.lower()
    if any(word in lowered for word in _PASSWORD_WORDS):
        yield from _passwords(text)
    yield from (_hit("PASSWORD", match) for match in _PIN.finditer(text) if len(set(match["value"])) > 1)
    if any(word in lowered for word in _KEY_WORDS):
        for named in (_ASSIGNED, _SPOKEN):
            for match in named.finditer(text):
                if _is_random(match["value"]) and _is_real(match):
                    yield _hit("GENERIC_SECRET", match)


def _passwords(text: str) -> Iterator[Hit]:
    for match in _PASSWORD.finditer(text):
        yield from _password(match)
    for cell in cells_of(text):
        written = _CELL.match(text, cell.start, cell.end) if _PASSWORD_HEAD.search(text, *cell.head) else None
        if written is not None:
            yield from _password(written)


def _formatted(text: str) -> Iterator[Hit]:
    """Yield what has the form that a service has published for its keys."""
    for rule in RULES if _TOKEN.search(text) else ():
        if rule.hint in text:
            yield from (_hit(rule.type, match) for match in rule.pattern.finditer(text) if _is_real(match))


def _hit(kind: str, match: re.Match[str]) -> Hit:
    named = "value" in match.re.groupindex and match["value"] is not None
    start, end = match.span("value") if named else match.span()
    while end > start + 1 and match.string[end - 1] in ".,;:":
        end -= 1
    return Hit(kind, start, end, frozenset({match.string[start:end]}))


def _is_real(match: re.Match[str]) -> bool:
    """Tell whether a token could open something: no placeholder, no example of a manual."""
    groups = match.groupdict()
    value = groups.get("password") or groups.get("value") or match[0]
    if _PLACEHOLDER.search(value) or value.lower() in _SAID:
        return False
    return "password" in groups or len(set(value)) >= min(8, len(value) // 2)


def _password(match: re.Match[str]) -> Iterator[Hit]:
    found = _hit("PASSWORD", match)
    value = match.string[found.start : found.end].rstrip("」』)]")
    if _PLACEHOLDER.search(value) or value.lower() in _SAID or _WORD_WITH_FIGURE.fullmatch(value):
        return
    lower, upper = bool(re.search("[a-z]", value)), bool(re.search("[A-Z]", value))
    digit, sign = bool(re.search("[0-9]", value)), bool(re.search(r"[!@#$%^&*?+~=]", value))
    if (digit and (lower or upper)) or (sign and lower and upper) or (digit and sign):
        yield Hit("PASSWORD", found.start, found.start + len(value), frozenset({value}))


def _is_random(value: str) -> bool:
    """Tell whether a value looks drawn at random: letters and figures mixed, few repeats."""
    if not (re.search("[0-9]", value) and re.search("[A-Za-z]", value)):
        return False
    if _WORD_WITH_FIGURE.fullmatch(value) or _IDENTIFIER.fullmatch(value):
        return False
    counts = Counter(value)
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return bits >= (3.2 if len(value) >= _LONG else 2.9)
