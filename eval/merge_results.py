"""Join the evaluators' files (same as ``rag-gate merge``)."""

from rag_gate.script import run_script

if __name__ == "__main__":
    run_script("merge")
