"""The reusable workflow: shards side by side, joined, judged once."""

import re
import shutil
from pathlib import Path

import pytest
from act_runner import Act, Ran
from app import PULL, App, Clone, loses, only_body
from fake_github import FakeGitHub
from interface import ROOT

CALLER = """\
name: sharded
on: [pull_request]
permissions:
  contents: read
  pull-requests: write
jobs:
  gate:
    uses: ./.github/workflows/gate.yml
    with:
      shards: "3"
"""
_USES = re.compile(r"(uses: \./\.rag-gate-action\n\s+with:\n)(\s+)")


@pytest.fixture(scope="module")
def sharded(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository that calls the reusable workflow."""
    app = App(tmp_path_factory.mktemp("sharded"))
    shipped = (ROOT / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8")
    text, count = _USES.subn(r"\1\2install: none\n\2", shipped)
    assert count == 3
    # What a matrix leg that never came looks like: its artifact is not there.
    text = text.replace(
        "      - uses: ./.rag-gate-action\n",
        "      - if: ${{ matrix.shard != vars.LOST }}\n        uses: ./.rag-gate-action\n",
        1,
    )
    folder = app.main / ".github" / "workflows"
    (folder / "gate.yml").write_text(text, encoding="utf-8")
    (folder / "sharded.yml").write_text(CALLER, encoding="utf-8")
    app.on_main("Shards")
    return app


def run(act: Act, api: FakeGitHub, pull: Clone, *options: str) -> Ran:
    api.pull(PULL, head=pull.head, base=pull.base)
    place = act.store / "repositories" / "org" / "rag-gate"
    shutil.copytree(act.action, place)
    return act.run(
        pull.folder, "pull_request", pull.pull_request(), ".github/workflows/sharded.yml", *options
    )


def artifacts(ran: Ran) -> set[str]:
    return {path.name for path in Path(ran.store / "artifacts" / "1").iterdir()}


def test_shards_are_measured_side_by_side_joined_and_commented_once(
    sharded: App, act: Act, api: FakeGitHub
) -> None:
    ran = run(act, api, sharded.pull())
    assert ran.passed, ran.log
    assert artifacts(ran) == {"rag-gate", *(f"rag-gate-shard-{number}-of-3" for number in (1, 2, 3))}
    body = only_body(api)
    assert "rag-gate: PASSED" in body


def test_a_regression_spread_over_the_shards_is_found(sharded: App, act: Act, api: FakeGitHub) -> None:
    ran = run(act, api, sharded.pull(loses(12)))
    assert not ran.passed
    body = only_body(api)
    assert "rag-gate: BLOCKED" in body


def test_a_missing_shard_is_no_verdict_and_is_named(sharded: App, act: Act, api: FakeGitHub) -> None:
    ran = run(act, api, sharded.pull(), "--var", "LOST=2/3")
    assert not ran.passed
    assert "rag-gate-shard-2-of-3" not in artifacts(ran)
    body = only_body(api)
    assert "NOT EVALUATED" in body
    assert "2" in body
    assert "shard" in body
