"""Templates of the user's own on a pull request: only those of the base commit speak."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_github import FakeGitHub
from pull_request import Repository, Runner

TEMPLATE = '{% extends "rag_gate/comment.md.j2" %}\n{% block footer %}\n\nASK THE BASE\n{% endblock %}\n'


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A base commit with templates and a Japanese comment."""
    found = Repository(tmp_path)
    settings = found.origin / "rag-gate.yml"
    settings.write_text(settings.read_text() + "report: {templates: own, language: ja}\n")
    write(found, TEMPLATE)
    found.base = found.commit("templates")
    found.branch()
    return found


def write(repository: Repository, text: str, name: str = "comment.md.j2") -> None:
    path = repository.origin / "own" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def gated(repository: Repository, hub: FakeGitHub) -> str:
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    body: str = hub.comments[0]["body"]
    assert ended.outputs["status"] in {"pass", "regression", "neutral"}
    return body


def test_the_base_commits_templates_and_language_are_used(repository: Repository, hub: FakeGitHub) -> None:
    repository.answer(lost=20)
    body = gated(repository, hub)
    assert "## rag-gate: 不合格" in body
    assert "\nASK THE BASE\n" in body
    assert f"`{repository.head[:11]}" in body


def test_templates_that_the_pull_request_changes_do_not_speak(
    repository: Repository, hub: FakeGitHub
) -> None:
    repository.answer(lost=20)
    write(repository, "## rag-gate: PASSED\n")
    body = gated(repository, hub)
    assert "PASSED" not in body
    assert "\nASK THE BASE\n" in body
    assert "own/comment.md.j2" in body  # it is named among the files that decide and were changed


def test_templates_that_the_pull_request_breaks_would_break_the_gate_after_the_merge(
    repository: Repository, hub: FakeGitHub
) -> None:
    write(repository, "a\n{{ nothing")
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    assert ended.verdict == ("error", "2")
    assert "rag-gate: own/comment.md.j2:2: unexpected end of template" in ended.err
    assert "評価できず" in hub.comments[0]["body"]


def test_templates_that_the_pull_request_brings_do_not_speak(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path)
    repository.branch()
    settings = repository.origin / "rag-gate.yml"
    settings.write_text(settings.read_text() + "report: {templates: own}\n")
    write(repository, "## rag-gate: SELF MADE\n")
    repository.answer(lost=20)
    body = gated(repository, hub)
    assert "SELF MADE" not in body
    assert "## rag-gate: BLOCKED" in body


def test_not_even_with_the_gate_itself(tmp_path: Path, hub: FakeGitHub) -> None:
    """Where the base has no settings the pull request's own decide this once; its templates still do not speak."""
    repository = Repository(tmp_path)
    kept = {path.name: path.read_text() for path in repository.origin.glob("*.*") if path.is_file()}
    for name in kept:
        (repository.origin / name).unlink()
    repository.commit("nothing")
    repository.branch()
    for name, text in kept.items():
        own = "report: {templates: own}\n" if name == "rag-gate.yml" else ""
        (repository.origin / name).write_text(text + own)
    write(repository, "## rag-gate: SELF MADE\n")
    body = gated(repository, hub)
    assert "SELF MADE" not in body
    assert "NEUTRAL" in body


def test_broken_templates_of_the_base_are_no_verdict_and_say_where(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path)
    settings = repository.origin / "rag-gate.yml"
    settings.write_text(settings.read_text() + "report: {templates: own}\n")
    write(repository, "a\n{{ view.wy }}\n")
    repository.base = repository.commit("broken templates")
    repository.branch()
    repository.propose()
    ended = Runner(repository, hub).ci(repository.checkout())
    assert (ended.outputs["status"], ended.outputs["exit-code"]) == ("error", "2")
    assert "base commit: own/comment.md.j2:2: unknown field of view 'wy'; did you mean why" in ended.err
    assert "NOT EVALUATED" in hub.comments[0]["body"]
