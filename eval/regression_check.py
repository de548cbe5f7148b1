"""Compare results with the baseline (same as ``rag-gate check``)."""

from rag_gate.script import run_script

if __name__ == "__main__":
    run_script("check")
