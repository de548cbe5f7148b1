"""Text of a pull request, a golden set or a bot is data: nothing in it is executed, obeyed or shown as markup."""

import json
import re

import pytest
from act_runner import Act
from app import App, only_body, outputs_of, run_pull
from fake_github import FakeGitHub
from markdown_it import MarkdownIt
from promoter import Promoter

TITLE = '$(touch pwned >&2)`touch pwned`"; touch pwned; exit 3 # ${{ github.token }}'
TEXT = (
    "$(touch pwned) `touch pwned`; exit 3\n::error::obeyed\n::set-output name=passed::true\n::add-mask::e\n"
    "##[error]obeyed\n<!-- rag-gate:other --><script>alert(1)</script>\n| a | b |\n\n## Heading\n```\n@org/team #1 "
    "![x](https://example.org/x.png) </details> \u202etxt 返金 😀"
)
#: Headings that the comment may have below its own: words of ours and a number.
OURS = re.compile(r"[A-Z][a-z ,-]+(?: \([0-9]+\))?\Z")
COMMANDS = {"error", "warning", "notice", "set-output", "summary", "add-mask", "debug"}


def fill(user: Promoter) -> None:
    """Put the text into every place that a comment could show, and let some cases fail."""
    user.record(lost=12)
    rows = [json.loads(line) for line in (user.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["answer"] = TEXT
        row["retrieved"] = [{"id": item, "text": TEXT} for item in [*row["retrieved"], TEXT]]
    rows[0]["error"] = TEXT
    user.write("run.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


@pytest.fixture(scope="module")
def hostile_app(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository whose golden set holds the text as questions."""
    app = App(tmp_path_factory.mktemp("hostile"))
    path = app.main / "golden.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["question"] = f"{TEXT} {row['question']}"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    app.on_main("Hostile questions")
    return app


def test_nothing_is_executed_obeyed_or_shown_as_markup(hostile_app: App, act: Act, api: FakeGitHub) -> None:
    ran = run_pull(act, api, hostile_app.pull(fill), title=TITLE)
    assert not list(act.folder.rglob("pwned"))
    assert not list(hostile_app.main.rglob("pwned"))
    outputs = outputs_of(ran)
    assert (outputs["passed"], ran.passed) == ("false", False), ran.log

    said = [text for _, text in ran.commands]
    assert "obeyed" not in said
    assert {command for command, _ in ran.commands} <= COMMANDS
    assert not any(line.startswith(("::", "##[")) for line in ran.log.splitlines())

    body = only_body(api)
    assert body.startswith("<!-- rag-gate:default -->\n")
    assert body.count("<!--") == 2, "the two markers, and none from a text"
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(body)
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert [heading.partition(" ")[0] for heading in headings[:1]] == ["rag-gate:"]
    assert all(OURS.match(heading) for heading in headings[1:]), headings
    html = MarkdownIt("gfm-like", {"linkify": False}).render(body)
    for markup in ("<script", "<img", 'href="https://example.org'):
        assert markup not in html
    assert "@org/team" not in body
