"""Join the evaluators' files (same as ``rag-gate merge``)."""

from rag_gate.cli import merge

if __name__ == "__main__":
    merge()
