"""Run rag-gate from the action's own folder, in the environment that prepare.py made.

Start it with ``-I``: then neither the working folder (a pull request's files) nor PYTHONPATH can put
a module of the same name before ours.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "eval"))

from rag_gate.cli import main

if __name__ == "__main__":
    main(prog_name="rag-gate")
