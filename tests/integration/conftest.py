from importlib.util import find_spec

import pytest

from rag_gate.judge.llm.clients import asking

#: These drive a program that is not among the locked packages: `pip install xllamacpp` to run them.
collect_ignore = [] if find_spec("xllamacpp") else ["test_llama_cpp.py"]


@pytest.fixture
def quick_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pause between two attempts short; waits that a service asks for stay as they are."""
    monkeypatch.setattr(asking, "_FIRST_BACKOFF_S", 0.01)
