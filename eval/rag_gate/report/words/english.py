"""The comment's words in English. ``one|many``: which of the two depends on the number ``n``."""

from collections.abc import Mapping
from types import MappingProxyType

from rag_gate.report.words.english_cases import ENGLISH_CASES
from rag_gate.report.words.english_layout import ENGLISH_LAYOUT
from rag_gate.report.words.english_verdict import ENGLISH_VERDICT

ENGLISH: Mapping[str, str] = MappingProxyType({**ENGLISH_VERDICT, **ENGLISH_CASES, **ENGLISH_LAYOUT})
