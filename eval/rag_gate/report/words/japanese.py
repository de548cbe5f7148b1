"""The comment's words in Japanese, under the same keys as in English."""

from collections.abc import Mapping
from types import MappingProxyType

from rag_gate.report.words.japanese_cases import JAPANESE_CASES
from rag_gate.report.words.japanese_layout import JAPANESE_LAYOUT
from rag_gate.report.words.japanese_verdict import JAPANESE_VERDICT

#: Forbids a line break and is not seen.
_WORD_JOINER = "\u2060"
_BREAKABLE = "（"


def _unbroken(text: str) -> str:
    """Return the head of a column with no line break but before a bracket.

    Japanese breaks between any two characters, so that a narrow column would be one character wide.
    """
    return _BREAKABLE.join(_WORD_JOINER.join(part) for part in text.split(_BREAKABLE))


JAPANESE: Mapping[str, str] = MappingProxyType(
    {
        key: _unbroken(text) if key.startswith("column.") else text
        for key, text in {**JAPANESE_VERDICT, **JAPANESE_CASES, **JAPANESE_LAYOUT}.items()
    }
)
