"""Judge the recorded answers (same as ``rag-gate judge``)."""

from rag_gate.script import run_script

if __name__ == "__main__":
    run_script("judge")
