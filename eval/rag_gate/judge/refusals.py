"""Where other parts of the judge look for refusals; they live in ``rag_gate.wording``."""

from rag_gate.wording.refusals import is_refusal

__all__ = ["is_refusal"]
