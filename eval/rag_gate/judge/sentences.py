"""Where other parts of the judge look for sentences; they live in ``rag_gate.wording``."""

from rag_gate.wording.sentences import Span, split_sentences

__all__ = ["Span", "split_sentences"]
