import sys

import pytest

from rag_gate.judge.llm.clients import asking

#: llama.cpp's server is locked for Linux alone.
collect_ignore = [] if sys.platform == "linux" else ["test_llama_cpp.py"]


@pytest.fixture
def quick_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pause between two attempts short; waits that a service asks for stay as they are."""
    monkeypatch.setattr(asking, "_FIRST_BACKOFF_S", 0.01)
