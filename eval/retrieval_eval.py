"""Score retrieval against the golden set (same as ``rag-gate retrieval``)."""

from rag_gate.cli import retrieval

if __name__ == "__main__":
    retrieval()
