"""Codes, version numbers and telephone numbers in folded text, and digits that are no value at all."""

import re

from rag_gate.judge.forms import DIGITS, LETTERS, Form
from rag_gate.judge.values import compact
from rag_gate.late import Late
from rag_gate.wording.markers import CITATION, LIST_MARKER

_URL = Late(
    r"(?:https?://|www\.)[^\s<>「」()\u3000-\u9fff]{1,2000}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}"
)
_MARKER_LINE = Late(rf"^(?:{LIST_MARKER.pattern}){{1,4}}", re.MULTILINE)
_MARKER_ALONE = Late(r"^[ \t]{0,40}\(?[0-9]{1,2}[.)][ \t]{0,40}$", re.MULTILINE)
_INLINE_MARKER = Late(r"\((?<![^\s。、,;:].)[0-9]{1,2}\)")
_KEYCAP = Late("[0-9]\ufe0f?\u20e3")
_ROW = Late(r"^[ \t]{0,8}\|[ \t]{0,8}[0-9]{1,2}[ \t]{0,8}(?=\|)", re.MULTILINE)
_STEP = Late(r"(?:[Ss]tep|STEP|ステップ|手順) ?[0-9]{1,2}(?![0-9.])")
# What is no value, and what must stand in the lower-case text for it to be looked for.
NOT_VALUES = (
    (CITATION, ("[", "(", "【")),
    (_URL, ("://", "www.", "@")),
    (_MARKER_LINE, ()),
    (_MARKER_ALONE, ()),
    (_INLINE_MARKER, ("(",)),
    (_STEP, ("step", "ステップ", "手順")),
    (_KEYCAP, ("\u20e3",)),
    (_ROW, ("|",)),
)

_PREFIX = Late(r"[a-z]+")
_NO_PREFIX = frozenset(["no", "fy", "usd", "jpy", "eur", "gbp", "us"])
_AREAS = frozenset(["m2", "km2", "m3"])
_VERSION = r" ?(?P<version>[0-9]{1,9}(?:\.[0-9]{1,9}){0,4})(?![0-9])"


def _version(match: re.Match[str]) -> tuple[str, str]:
    return f"v{match['version']}", ""


def _code(match: re.Match[str]) -> tuple[str, str] | None:
    """Read a code; ``No5`` and ``USD500`` are numbers, ``FY2024`` is a year, ``m2`` a unit."""
    canonical = compact(match[0])
    prefix = _PREFIX.match(canonical)
    if canonical in _AREAS or (prefix and prefix[0] in _NO_PREFIX):
        return None
    return canonical, ""


CODE_FORMS = tuple(
    Form("id", Late(pattern), read, needs, not_after)
    for pattern, read, needs, not_after in (
        (rf"[Vv](?i:ersion|er\.?|\.?){_VERSION}", _version, ("v",), LETTERS),
        (rf"バージョン{_VERSION}", _version, ("バージョン",), ""),
        (r"[0-9](?<![0-9.-].)[0-9]{0,19}(?:-[0-9]{1,20}){2,8}(?![0-9-])", _code, ("9-9",), ""),
        (r"0(?<![0-9-].)[0-9]{1,4}-[0-9]{2,8}(?![0-9-])", _code, ("9-9",), ""),
        (r"[0-9](?<![0-9.].)[0-9]{0,8}(?:\.[0-9]{1,9}){2,8}(?![0-9.])", _code, ("9.9",), ""),
        (
            r"[A-Za-z](?<![A-Za-z0-9].)[A-Za-z]{0,9}-?[0-9](?:[A-Za-z0-9-]|\.(?=[0-9])){0,60}(?<!-)",
            _code,
            (),
            "",
        ),
        (r"[0-9](?<![0-9A-Za-z.,$¥€£].)[0-9]{0,2}[DKG](?![0-9A-Za-z円人件])", _code, ("d", "k", "g"), ""),
        (r"0(?<![0-9A-Za-z.,$¥€£-].)[0-9]{6,14}(?![0-9A-Za-z-]|[.,][0-9])", _code, ("0",), ""),
    )
)
QUARTER_FORM = Form(
    "number",
    Late(r"[Qq1-4](?:(?<=[Qq])[1-4]|(?<=[1-4])[Qq])(?![0-9A-Za-z&])"),
    lambda match: (match[0].strip("Qq"), "quarter"),
    ("q",),
    LETTERS + DIGITS,
)
