"""The runner, the API and the user's repository, for all tests of the action."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from act_runner import Act, copy_of_the_action
from app import App
from fake_github import TOKEN, FakeGitHub


@pytest.fixture(scope="session")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_action(tmp_path_factory.mktemp("action") / "rag-gate")


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> App:
    """One repository for all pull requests: each is a branch of its own, and main stays."""
    return App(tmp_path_factory.mktemp("app"))


@pytest.fixture(scope="session")
def bare_app(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository whose gate has no baseline yet."""
    return App(tmp_path_factory.mktemp("bare"), baseline=False)


@pytest.fixture
def api() -> Iterator[FakeGitHub]:
    with FakeGitHub() as standin:
        yield standin


@pytest.fixture
def act(tmp_path: Path, action: Path, api: FakeGitHub) -> Act:
    return Act(tmp_path / "act", action, api.url, TOKEN)
