"""``rag-gate comment``: a report that was written before goes to the pull request."""

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fake_github import READ_ONLY, TOKEN, FakeGitHub
from pull_request import read_outputs

from rag_gate.cli import main

HEAD, BASE = "a" * 40, "b" * 40


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        found.pull(head=HEAD, base=BASE)
        yield found


def comment(hub: FakeGitHub, folder: Path, text: str, *options: str, token: str = TOKEN) -> Result:
    event = {
        "pull_request": {
            "number": 7,
            "head": {"sha": HEAD, "ref": "f", "repo": {"full_name": "org/app"}},
            "base": {"sha": BASE, "ref": "main"},
        }
    }
    (folder / "event.json").write_text(json.dumps(event))
    (folder / "comment.md").write_text(text, encoding="utf-8")
    environment = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_REPOSITORY": "org/app",
        "GITHUB_API_URL": hub.url,
        "GITHUB_RUN_ID": "1",
        "GITHUB_TOKEN": token,
        "GITHUB_OUTPUT": str(folder / "outputs"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "RAG_GATE_COMMENT_ID": "",
    }
    ended = CliRunner().invoke(main, ["comment", str(folder / "comment.md"), *options], env=environment)
    gc.enable()
    return ended


def test_a_report_is_posted_under_its_own_name(hub: FakeGitHub, tmp_path: Path) -> None:
    ended = comment(hub, tmp_path, "<!-- rag-gate:chat -->\n## rag-gate: PASSED 日本語 🎉\n")
    assert ended.exit_code == 0, ended.stderr
    assert hub.comments[0]["body"].split("\n")[0] == "<!-- rag-gate:chat -->"
    assert read_outputs(tmp_path / "outputs")["comment-url"] == hub.comments[0]["html_url"]
    assert (tmp_path / "summary").read_text(encoding="utf-8") == "## rag-gate: PASSED 日本語 🎉\n\n"


def test_a_report_of_70_000_characters_is_cut(hub: FakeGitHub, tmp_path: Path) -> None:
    comment(hub, tmp_path, "<!-- rag-gate:default -->\n## BLOCKED\n" + ("あ" * 99 + "\n") * 700)
    assert 50_000 < len(hub.comments[0]["body"]) <= 60_000
    assert len((tmp_path / "summary").read_text(encoding="utf-8")) > 70_000


def test_another_file_needs_a_name(hub: FakeGitHub, tmp_path: Path) -> None:
    assert comment(hub, tmp_path, "# notes\n").exit_code == 2
    assert comment(hub, tmp_path, "# notes\n", "--comment-id", "notes").exit_code == 0
    assert hub.comments[0]["body"].startswith("<!-- rag-gate:notes -->")


def test_a_read_only_token_is_a_warning_and_no_red_job(hub: FakeGitHub, tmp_path: Path) -> None:
    ended = comment(hub, tmp_path, "<!-- rag-gate:default -->\nx", token=READ_ONLY)
    assert ended.exit_code == 0
    assert "::warning title=rag-gate%3A no comment::" in ended.stdout
    assert READ_ONLY not in ended.output


def test_the_token_is_never_printed_or_written(hub: FakeGitHub, tmp_path: Path) -> None:
    ended = comment(hub, tmp_path, "<!-- rag-gate:default -->\nx")
    assert TOKEN not in ended.output
    assert not any(TOKEN in path.read_text() for path in tmp_path.iterdir())


def test_outside_github_actions_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "comment.md").write_text("<!-- rag-gate:default -->\nx")
    ended = CliRunner().invoke(main, ["comment", str(tmp_path / "comment.md")], env={"GITHUB_EVENT_PATH": ""})
    gc.enable()
    assert ended.exit_code == 2
    assert "inside GitHub Actions" in ended.stderr
