"""Stage 1: score retrieval of a recorded run against the golden set. No network, no model."""

from rag_gate.retrieval.stage import evaluate_retrieval

__all__ = ["evaluate_retrieval"]
