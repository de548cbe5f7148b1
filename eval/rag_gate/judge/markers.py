"""Where other parts of the judge look for markers; they live in ``rag_gate.wording``."""

from rag_gate.wording.markers import CITATION, LIST_MARKER, after_list_marker, blank_citations

__all__ = ["CITATION", "LIST_MARKER", "after_list_marker", "blank_citations"]
