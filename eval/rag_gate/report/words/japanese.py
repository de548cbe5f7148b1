"""The comment's words in Japanese, under the same keys as in English."""

from collections.abc import Mapping
from types import MappingProxyType

from rag_gate.report.words.japanese_cases import JAPANESE_CASES
from rag_gate.report.words.japanese_layout import JAPANESE_LAYOUT
from rag_gate.report.words.japanese_verdict import JAPANESE_VERDICT

JAPANESE: Mapping[str, str] = MappingProxyType({**JAPANESE_VERDICT, **JAPANESE_CASES, **JAPANESE_LAYOUT})
