"""Golden set and recorded run: load, check, join, fingerprint."""

from rag_gate.dataset.golden_set import GoldenSet, load_golden
from rag_gate.dataset.run import Joined, JoinedRun, open_run

__all__ = ["GoldenSet", "Joined", "JoinedRun", "load_golden", "open_run"]
