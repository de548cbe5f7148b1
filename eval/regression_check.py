"""Compare results with the baseline (same as ``rag-gate check``)."""

from rag_gate.cli import check

if __name__ == "__main__":
    check()
