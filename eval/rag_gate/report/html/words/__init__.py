"""The page's own words, in each language that it can be written in."""

from rag_gate.report.html.words.table import PageWords, page_words

__all__ = ["PageWords", "page_words"]
