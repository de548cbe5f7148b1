"""Score retrieval against the golden set (same as ``rag-gate retrieval``)."""

from rag_gate.script import run_script

if __name__ == "__main__":
    run_script("retrieval")
