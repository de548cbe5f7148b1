from importlib.util import find_spec

import pytest

from rag_gate.judge.llm.clients import asking

#: Tests against programs of others, and the packages that bring these.
_NEEDED = {"test_llama_cpp.py": ("xllamacpp",), "test_official_shapes.py": ("openai", "anthropic")}
collect_ignore = [name for name, packages in _NEEDED.items() if not all(map(find_spec, packages))]


@pytest.fixture
def quick_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pause between two attempts short; waits that a service asks for stay as they are."""
    monkeypatch.setattr(asking, "_FIRST_BACKOFF_S", 0.01)
