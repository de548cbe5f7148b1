"""The comment's own words, in each language that it can be written in."""

from rag_gate.report.words.table import Words, words_of

IN_ENGLISH = words_of("en")

__all__ = ["IN_ENGLISH", "Words", "words_of"]
