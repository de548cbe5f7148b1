"""``python -Im rag_gate``."""

from rag_gate.cli import main

if __name__ == "__main__":
    main()
