"""Judge the recorded answers (same as ``rag-gate judge``)."""

from rag_gate.cli import judge

if __name__ == "__main__":
    judge()
