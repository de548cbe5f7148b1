import pytest

from rag_gate.judge.llm.clients import asking


@pytest.fixture
def quick_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pause between two attempts short; waits that a service asks for stay as they are."""
    monkeypatch.setattr(asking, "_FIRST_BACKOFF_S", 0.01)
