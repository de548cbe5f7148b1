"""Check the recorded answers (same as ``rag-gate safety``)."""

from rag_gate.cli import safety

if __name__ == "__main__":
    safety()
