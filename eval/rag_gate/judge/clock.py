"""Clock times in folded text."""

import re

from rag_gate.judge.numerals import amount

_MERIDIEM = r"(?P<mer>[AaPp]\.?[Mm])(?![A-Za-z])\.?"
TIME_PATTERNS = (
    re.compile(
        r"(?<![0-9:.])(?P<hour>[01]?[0-9]|2[0-9]):(?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:])"
        rf"(?: ?{_MERIDIEM})?"
    ),
    re.compile(rf"(?<![0-9:.,A-Za-z])(?P<hour>1[0-2]|0?[1-9]) ?{_MERIDIEM}"),
    re.compile(
        r"(?:(?P<mer>午前|午後) ?(?P<khour>[〇一二三四五六七八九十]{1,3})|"
        r"(?:(?P<mer2>午前|午後) ?)?(?<![0-9.,:])(?P<hour>[0-2]?[0-9])) ?時"
        r"(?!間|点|代|期|短|給|差|速)(?: ?(?P<minute>[0-5]?[0-9])分|(?P<half>半))?"
    ),
)


def time_of(match: re.Match[str]) -> tuple[str, str]:
    """Return ``HH:MM`` (24 hours) and ``meridiem`` when am or pm was said, else ``clock``."""
    groups = {name: text for name, text in match.groupdict().items() if text}
    hour = int(amount(groups.get("hour") or groups["khour"]))
    minute = 30 if "half" in groups else int(groups.get("minute", "0"))
    meridiem = groups.get("mer") or groups.get("mer2")
    if meridiem and hour <= 12:  # noqa: PLR2004 - hours of half a day
        later = meridiem == "午後" or meridiem[0] in "Pp"
        hour = hour % 12 + (12 if later else 0)
    return f"{hour:02d}:{minute:02d}", "meridiem" if meridiem else "clock"
