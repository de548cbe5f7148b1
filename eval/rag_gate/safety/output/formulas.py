"""Spreadsheet formulas: an answer that is exported to a table must not be able to run one."""

import re
import unicodedata
from collections.abc import Iterable

_FETCHING = r"(?:HYPERLINK|WEBSERVICE|IMPORT(?:XML|DATA|HTML|FEED|RANGE)|IMAGE|FILTERXML|RTD|DDE|CALL|EXEC|REGISTER(?:\.ID)?)\s?\("
_COMMAND = r"(?:cmd|powershell|mshta|rundll32|msexcel|regsvr32|certutil)(?:\.exe)?\s?\|"
# In a cell: the line's start, behind a bar, a comma, a tab or a quotation mark.
_IN_CELL = re.compile(
    rf"(?:^|[|,;\t\"'])[ \t]{{0,20}}[=+@-][^\n|]{{0,80}}?(?<![A-Z])(?:{_FETCHING}|{_COMMAND})",
    re.IGNORECASE | re.MULTILINE,
)
_WHOLE = re.compile(r"\s{0,50}(?:=[A-Za-z0-9$('\"+-]|[+@-][A-Z][A-Z0-9.]{1,20}\()")


def holds_formula(texts: Iterable[str]) -> bool:
    """Tell whether the text of an answer would be a formula in a spreadsheet's cell.

    Args:
        texts: the answer's plain text without code; the first decides what the answer begins with.
    """
    for number, text in enumerate(texts):
        plain = unicodedata.normalize("NFKC", text)
        if (number == 0 and _WHOLE.match(plain)) or _IN_CELL.search(plain):
            return True
    return False
