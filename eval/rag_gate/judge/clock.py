"""Clock times in folded text."""

import re

from rag_gate.judge.forms import DIGITS, LETTERS, Form
from rag_gate.judge.numerals import amount
from rag_gate.late import Late

_MERIDIEM = r"(?P<mer>[AaPp]\.?[Mm])(?![A-Za-z])\.?"
_NOT_HOUR = "(?!間|点|代|期|短|給|差|速)(?: ?(?P<minute>[0-5]?[0-9])分|(?P<half>半))?"
_LAST_HOUR = 30  # Japanese timetables count on after midnight: 25時
_NOON = 12
_DAY = 24
_MIDDAY = range(1, 6)
_EVENING = range(3, 12)
#: The part of the day that stands before a Japanese hour, and which hours it puts after noon.
_PARTS = {
    "早朝": range(0),
    "未明": range(0),
    "朝": range(0),
    "昼": _MIDDAY,
    "夕方": _EVENING,
    "夕": _EVENING,
    "夜": range(5, 12),
    "晩": range(5, 12),
    "今夜": range(5, 12),
    "今晩": range(5, 12),
    "深夜": range(9, 12),
}
_NAMED = {"正午": "12:00", "noon": "12:00", "midnight": "00:00"}


def _time_of(match: re.Match[str]) -> tuple[str, str] | None:
    """Return ``HH:MM`` (24 hours) and ``meridiem`` when am or pm was said, else ``clock``.

    None when there is no such hour.
    """
    groups = {name: text for name, text in match.groupdict().items() if text}
    if "named" in groups:
        time = _NAMED.get(groups["named"].lower())
        return (time, "meridiem") if time else None
    hour = int(amount(groups["hour"]))
    minute = 30 if "half" in groups else int(groups.get("minute") or groups.get("minutes") or "0")
    meridiem = groups.get("mer")
    if hour > _LAST_HOUR:
        return None
    if meridiem in _PARTS:
        hour = _in_part(meridiem, hour)
    elif meridiem and hour <= _NOON:
        later = meridiem == "午後" or meridiem[0] in "Pp"
        hour = hour % _NOON + (_NOON if later else 0)
    return f"{hour % _DAY:02d}:{minute:02d}", "meridiem" if meridiem else "clock"


def _in_part(part: str, hour: int) -> int:
    """Return the hour of 24 that is meant: 夜8時 is 20, 夜12時 is 24, 昼12時 and 朝9時 stay."""
    if hour in _PARTS[part]:
        return hour + _NOON
    return _DAY if hour == _NOON and part not in ("朝", "昼") else hour


TIME_FORMS = tuple(
    Form("time", Late(pattern), _time_of, needs, f"{DIGITS}.,:")
    for pattern, needs in (
        (
            (
                r"(?P<mer>[AaPp]\.?(?<![A-Za-z][AaPp])(?<![A-Za-z][AaPp]\.)[Mm])\.? ?(?P<hour>[0-9][0-9]?)"
                rf"(?::(?P<minute>[0-5][0-9])(?![0-9:])| ?時{_NOT_HOUR.replace('minute', 'minutes')})"
            ),
            ("am", "pm", "a.m", "p.m"),
        ),
        (
            rf"(?P<hour>[0-9][0-9]?):(?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:])(?: ?{_MERIDIEM})?",
            ("9:9",),
        ),
        (rf"(?P<hour>[0-9][0-9]?) ?{_MERIDIEM}", ("am", "pm", "a.m", "p.m")),
        (
            rf"(?P<mer>午[前後]) ?(?P<hour>[0-9〇一二三四五六七八九十]{{1,3}}) ?時{_NOT_HOUR}",
            ("午前", "午後"),
        ),
        (
            rf"(?P<mer>{'|'.join(_PARTS)})の? ?(?P<hour>[0-9〇一二三四五六七八九十]{{1,3}}) ?時{_NOT_HOUR}",
            ("時",),
        ),
        (rf"(?P<hour>[0-9][0-9]?) ?時{_NOT_HOUR}(?: ?{_MERIDIEM})?", ("時",)),
    )
)
NAMED_TIMES = Form(
    "time",
    Late(r"(?P<named>正午|[NnMm](?:oon|idnight)(?![A-Za-z]))"),
    _time_of,
    tuple(_NAMED),
    LETTERS,
)
